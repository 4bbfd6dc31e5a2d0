/** The reader of a file: it hears how the file was read, and answers the questions that the file leaves open. */
import type { ImportNote } from '../columns/outcomes.ts'
import type { DELIMITERS } from '../csv/delimiter.ts'

type Choice<T> = { value: T; name: string }

/** Functions that ask about a file. */
export type FilePrompts = {
  select<T>(question: { message: string; choices: readonly Choice<T>[] }): Promise<T>
  /** `validate` returns the error of an answer, or undefined. */
  input(question: { message: string; validate: (answer: string) => string | undefined }): Promise<string>
}

export type ImportPrompts = {
  /** Saved column maps by name. */
  maps: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Values of every parcel that files lack, by column. */
  defaultParcel: Readonly<Record<string, string | number>>
  say(note: ImportNote): Promise<void>
  /** Returns the prompts; undefined where no prompt is possible. */
  ask(): Promise<FilePrompts | undefined>
  /** True if words of services that are not understood are chosen beside their rows, so that nothing is asked about them. */
  choosesWords?: true
  /** Gets the flags that answer the same. */
  answered: { push(flag: { flag: string; value: string }): unknown }
}

/** The choices of the user who imports a file. */
export type ReadFlags = {
  default?: readonly string[] | undefined
  map?: readonly string[] | undefined
  ignore?: readonly string[] | undefined
  'map-only'?: boolean | undefined
  'map-value'?: readonly string[] | undefined
  'use-map'?: string | undefined
  strict?: boolean | undefined
  split?: boolean | undefined
  delimiter?: keyof typeof DELIMITERS | undefined
  encoding?: string | undefined
  sheet?: string | undefined
}
