/** A field of a request body, as its schema describes it. Types only. */
export type Field = {
  type: 'array' | 'boolean' | 'enum' | 'integer' | 'number' | 'object' | 'string'
  /** Whether the object that it is in must have it. */
  required?: true
  nullable?: true
  /** A noun phrase for people. */
  text?: string
  /** Limits: of a number, of the characters of a text, or of the entries of a list. */
  min?: number
  max?: number
  choices?: readonly string[]
  format?: string
  pattern?: string
  /** The error of a value that does not fit: `must not be blank`. */
  fault?: string
}

/** By JSON pointer; `*` stands for each entry of a list. */
export type Fields = Readonly<Record<string, Field>>
