/** A field of a request body, as its schema describes it. Types only. */
export type Field = {
  /** True if the object that it is in must have it. */
  required?: true
  /** A noun phrase for people. */
  text?: string
  /** The most of a number, or of the characters of a text. */
  max?: number
  choices?: readonly string[]
}

/** By JSON pointer; `*` stands for each entry of a list. */
export type Fields = Readonly<Record<string, Field>>
