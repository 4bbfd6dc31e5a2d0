/** The columns of a kind of file as data: for finding them in a header and for naming them to people. */
import type { Unit } from '../csv/numbers.ts'
import type { Dictionary } from './dictionary.ts'

export type Column<Name extends string = string> = {
  name: Name
  /** The kind of cell, as the file's reader names it. */
  kind: string
  required: boolean
  /** The pointer to the value in the request body (RFC 6901). */
  pointer: string
  aliases: readonly string[]
  /** The most characters that the service accepts. */
  max?: number
  /** Whether the service reads it without the characters that show nothing (`cleanCode`). */
  code?: true
  /** Whether the lines of a cell are those of an address: commas join them. */
  lines?: true
  /** Whether white space in it is significant. */
  verbatim?: true
  /** A realistic value, for `--default` hints. */
  sample?: string
}

/** A header that names a column, by its own name or an alias, with its unit. */
export type HeaderMatch<Name extends string = string> = {
  column: Name
  how: 'exact' | 'alias'
  unit?: Unit
  /** Matched by a word of another language. An English header for the same column takes precedence. */
  foreign?: true
}

/** Header keys: one, or several that are joined into one value. A row uses the first source that is not blank. */
export type Keys = string | { join: readonly string[]; with: string }

/** An export of another tool, recognised by its header. Keys are those of `headerKey`. */
export type Preset<Name extends string = string> = {
  name: string
  title: string
  /** The header must contain all keys of one of these sets. */
  signatures: readonly (readonly string[])[]
  sources: Partial<Record<Name, readonly Keys[]>>
}

/** Pairs of columns that make one value, recognised by their words. */
export type PairedColumns<Name extends string = string> = {
  name: { column: Name; pairs: readonly { first: readonly string[]; last: readonly string[] }[] }
  /**
   * House numbers, which are joined to the street on the same side as in the file. `vague` are words that mean a
   * house number only beside a street.
   */
  street: { column: Name; numbers: readonly string[]; vague: readonly string[] }
}

/** A kind of file: its columns, its presets for exports, and its words. */
export type FileKind<Name extends string = string, P extends Preset<Name> = Preset<Name>> = {
  name: 'manifest' | 'menu'
  /** The noun for one row: `parcel`. */
  row: string
  /** The command that writes an empty file. */
  template: string
  columns: readonly Column<Name>[]
  columnOf(name: Name): Column<Name>
  matchHeader(key: string): HeaderMatch<Name> | undefined
  /** Returns the unit at the end of a header. */
  unitInHeader(key: string, column: Name): Unit | undefined
  presets: readonly P[]
  /** Returns whether a header is read although it is no column: the status of an order. */
  isReadBeside?(key: string): boolean
  /** The names of columns in other languages. */
  dictionary: Dictionary<Name>
  /** Values that files give in two columns. */
  parts?: PairedColumns<Name>
  /** Words that are in the headers of many columns, so they identify none. */
  vague: ReadonlySet<string>
  /** One column that replaces several required ones. */
  whole?: { by: Name; parts: readonly Name[] }
  /** Errors of the service that name no member: the column to blame, and their explanation. */
  refusals: {
    blamed: Readonly<Record<string, Name>>
    otherwise: Name
    words: Readonly<Record<string, string>>
    /** The sentence about a row that contradicts an earlier one. */
    clash?(row: number): string
  }
}

/** Returns a function that finds columns by name. */
export function byName<Name extends string, C extends Column<Name>>(
  columns: readonly C[],
): (name: Name) => C {
  const found = new Map<Name, C>(columns.map((column) => [column.name, column]))
  return (name) => found.get(name) as C
}

/** Returns the preset whose signature the header contains. */
export function findPreset<P extends Preset>(presets: readonly P[], keys: readonly string[]): P | undefined {
  const present = new Set(keys)
  return presets.find(({ signatures }) =>
    signatures.some((signature) => signature.every((key) => present.has(key))),
  )
}
