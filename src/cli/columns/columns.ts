/** What the columns of a kind of file are, as data: all that finding them in a header and naming them to people needs. */
import type { Unit } from '../csv/numbers.ts'
import type { Dictionary } from './dictionary.ts'

export type Column<Name extends string = string> = {
  name: Name
  /** How a cell is read; what the kinds are is up to the file. */
  kind: string
  required: boolean
  /** Where the value stands in the body that is sent (RFC 6901). */
  pointer: string
  aliases: readonly string[]
  /** Most characters that the service takes. */
  max?: number
  /** Exports put an apostrophe before it, so that a spreadsheet leaves it as text. */
  forced?: true
  /** White space in it is meant. */
  verbatim?: true
  /** A realistic value, for `--default` hints. */
  sample?: string
}

/** A header that names a column: by its own name or an alias, with the unit it gives. */
export type HeaderMatch<Name extends string = string> = {
  column: Name
  how: 'exact' | 'alias'
  unit?: Unit
  /** By a word of another language: in a file that has an English one for the column, that is meant. */
  foreign?: true
}

/** Header keys: one, or several that are joined into one value. The first source that is not blank in a row is used. */
export type Keys = string | { join: readonly string[]; with: string }

/** An export of another tool, recognised by its header. Keys are those of `headerKey`. */
export type Preset<Name extends string = string> = {
  name: string
  title: string
  /** One of these sets of header keys must be there whole. */
  signatures: readonly (readonly string[])[]
  sources: Partial<Record<Name, readonly Keys[]>>
}

/** Two columns that make one, by their words. */
export type Parts<Name extends string = string> = {
  name: { column: Name; pairs: readonly { first: readonly string[]; last: readonly string[] }[] }
  /** The number belongs to the street, on the side on which the file has it. `vague` are words for it beside the street. */
  street: { column: Name; numbers: readonly string[]; vague: readonly string[] }
}

/** The kind of a file: its columns, the exports that are read as it, and its words. */
export type FileKind<Name extends string = string, P extends Preset<Name> = Preset<Name>> = {
  /** `manifest` */
  name: string
  /** What one row of it is: `parcel`. */
  row: string
  /** The command that writes an empty one. */
  template: string
  columns: readonly Column<Name>[]
  columnOf(name: Name): Column<Name>
  matchHeader(key: string): HeaderMatch<Name> | undefined
  /** The unit that any header names at its end. */
  unitInHeader(key: string, column: Name): Unit | undefined
  presets: readonly P[]
  /** The names of columns in other languages. */
  dictionary: Dictionary<Name>
  /** Values that files give in two columns. */
  parts?: Parts<Name>
  /** Words that headers of any column hold. */
  vague: ReadonlySet<string>
  /** One column that makes several required ones. */
  whole?: { by: Name; parts: readonly Name[] }
  /** Reasons of the service that name no member: the column to look at, and what the reason means. */
  refusals: {
    blamed: Readonly<Record<string, Name>>
    otherwise: Name
    words: Readonly<Record<string, string>>
  }
}

/** Finds columns by their names. */
export function byName<Name extends string, C extends Column<Name>>(
  columns: readonly C[],
): (name: Name) => C {
  const found = new Map<Name, C>(columns.map((column) => [column.name, column]))
  return (name) => found.get(name) as C
}

/** The preset whose signature the header carries. */
export function findPreset<P extends Preset>(presets: readonly P[], keys: readonly string[]): P | undefined {
  const present = new Set(keys)
  return presets.find(({ signatures }) =>
    signatures.some((signature) => signature.every((key) => present.has(key))),
  )
}
