/** The columns of a kind of file as data: for finding them in a header, for reading them and for naming them to people. */
import { isUnit, type LengthUnit, type Unit, type WeightUnit } from '../csv/numbers.ts'
import type { DataTable } from '../csv/read.ts'
import type { Fields } from './field.ts'
import type { OwnFileKind } from './own-files.ts'

/** A column as its kind of file declares it. */
export type Spec = {
  /**
   * Headers that name it, in English, beside its own name: any that has the same meaning counts, in all languages. Those
   * after a `;` count only where none before is there; one in quotes counts by its letters alone.
   */
  part: string
  /** The pointer to the field of the request body that it fills (RFC 6901). Its limits and text are the field's. */
  field?: string
  /** The kind of a cell, as the file's reader names it. */
  read: string
  /**
   * `recipient`: words such as `Ship to` may stand before it, and those of a payer may not. `service`: its headers may also
   * have the word service, as in `Service - Nachnahme - Betrag`.
   */
  of?: string
  /** True if a row needs it, where the field of the body does not say so. */
  required?: boolean
  /** The column of headers with a further number, such as `Address 2`. */
  more?: string
  /** True if it is made of all headers that differ by their number, such as `Special Instructions 2`. */
  numbered?: boolean
  /** The column that a row without it takes. */
  orElse?: string
  /** True if the service reads it without the characters that show nothing (`normalizeIdentifier`). */
  code?: boolean
  /** True if the lines of a cell are those of an address: commas join them. */
  lines?: boolean
  /** True if white space in it is significant. */
  verbatim?: boolean
  /** The ceiling of its amounts. */
  capped?: string
  /**
   * Words between strokes of headers that are never proposed for it: prices of yesterday, of an offer, of other buyers, of a
   * unit of weight. Those that remain are shown with their values, and of several none is proposed.
   */
  never?: string
  /** Words between strokes beside which one that remains is proposed: others may say another buyer, or another day. */
  certain?: string
  /** A realistic value, for `--default` hints. */
  sample?: string
  /** Its everyday word and a value as people write it, for the question about a file that lacks it. */
  asked?: { name: string; like: string }
  /** It only helps to read other columns, and is in no template. */
  helps?: boolean
  /** True if only exports need it: no person fills it in. */
  exported?: boolean
  /** True if it is set when something is created, and by no update. */
  fixed?: boolean
  /** A service that is not offered, as the subject of a sentence: a row that asks for it is rejected. */
  refused?: string
}

export type FileColumn<Name extends string = string> = Spec & {
  name: Name
  required: boolean
  /** The pointer of its field; empty for a column that fills none. */
  pointer: string
  /** The names in the pointer. */
  path: readonly string[]
  /** The most that the service accepts: characters of a text, or a number. */
  max?: number
  /** Its name for people. */
  text?: string
  /** The words that the service takes. */
  choices?: readonly string[]
  /** True if the cells below a header that names it are of it, for words with several meanings. */
  holds?: (cell: string) => boolean
}

/** An export of another tool, recognised by its header: what the phrases of its headers do not say. Keys are those of `headerKey`. */
export type Preset<Name extends string = string> = {
  name: string
  title: string
  /** The header must contain all keys of one of these sets. */
  signatures: readonly (readonly string[])[]
  /** A row uses the first of several headers that is not blank. */
  sources: Partial<Record<Name, readonly string[]>>
  /** Columns that are not taken from a header of the same meaning. */
  without?: readonly Name[]
  /** Keys of headers that are read in another way than as a column. */
  reads?: string
  /** Units of bare numbers without one in their header. */
  weight?: WeightUnit
  length?: LengthUnit
}

/** One or several cells of a row that make a value, by position. */
export type CellSource = {
  at: readonly number[]
  join: string
  /** The unit that the header names. */
  unit?: Unit
  /** The units of cells that are added up. */
  units?: readonly Unit[]
  /** The column beside it that names the unit of each cell, and that of how many there are. */
  unitAt?: number
  timesAt?: number
  /** Those of its cells that say the contrary. */
  not?: readonly number[]
  /** The number of its filled cells that are in the line above. */
  skip?: number
}

export type How = 'flag' | 'preset' | 'exact' | 'saved' | 'alias'

/** The sources of each column while they are found. */
export type CellSources<Name extends string = string> = Map<Name, { how: How; from: CellSource[] }>

/** The cells of each column. Of several sources, a row uses the first that is not blank. */
export type ColumnMapping<Name extends string = string, P extends Preset<Name> = Preset<Name>> = {
  kind: FileKind<Name, P>
  /** The file. */
  table: DataTable
  preset: P | undefined
  sources: ReadonlyMap<Name, { how: How; from: readonly CellSource[] }>
  /** Text for blank or missing cells, by column. */
  defaults: ReadonlyMap<Name, string>
  /** Values for words in the file's cells, by `column:word` in lower case. */
  values: ReadonlyMap<string, string>
  /** The kind of a file that this program wrote, so that its cells have guards. Texts of an export equal the service's, including spaces. */
  ours: OwnFileKind | undefined
  /** The positions of columns that the user ignores. */
  ignored: ReadonlySet<number>
  /** True if the numbers of the file have decimal commas. */
  decimalCommas: boolean
  /** Units of bare numbers without one in their header, once they are known. */
  units?: { weight: WeightUnit; length: LengthUnit }
}

/** A header that names a column. */
export type HeaderMatch<Name extends string = string> = {
  column: Name
  how: 'exact' | 'alias'
  /** The lowest of several headers is taken: the owner's own words come before those without an owner. */
  rank: number
  unit?: Unit
  /** The number in the header, such as that of a line of an address. */
  number?: number
}

export type HeaderCandidate<Name extends string = string> = HeaderMatch<Name> & { at: number }

/** A kind of file: its columns, and its presets for exports. */
export type FileKind<Name extends string = string, P extends Preset<Name> = Preset<Name>> = {
  name: 'manifest' | 'menu'
  /** The noun for one row: `parcel`. */
  row: string
  /** The command that writes an empty file. */
  template: string
  /**
   * A header of some columns and five rows that are valid as they stand. Semicolons stand between the cells, which have no
   * quotes; a backslash is before one in a cell.
   */
  example: readonly string[]
  columns: readonly FileColumn<Name>[]
  columnOf(name: Name): FileColumn<Name>
  /** The meanings of their headers, as the build has found them: a `PartIndex` as JSON. */
  headers: string
  /** The owners that may be in the header of a column that does not name them itself. */
  owners: { recipient: readonly string[]; other: readonly string[] }
  presets: readonly P[]
  /** One column that replaces several required ones. */
  whole?: { by: Name; parts: readonly Name[] }
  /** Returns whether a header is read although it is no column: the status of an order. */
  isReadBeside?(key: string): boolean
  /** Returns whether rows may ask for something by an unread column, given its header and all its cells. */
  mayAsk?(header: string, cells: readonly string[]): boolean
  /** The column that such an unread one may be. */
  asks?: Name
  /** Settles what several headers say together. Returns the headers that may still name a column. */
  combine?(file: ColumnSearch<Name>): readonly HeaderCandidate<Name>[]
  /** Errors of the service that name no field: the column to blame, and their explanation. */
  refusals: {
    blamed: Readonly<Record<string, string>>
    otherwise: string
    words: Readonly<Record<string, string>>
    /** The sentence about a row that contradicts an earlier one. */
    clash?(row: number): string
  }
}

/** A file of which the columns are being found. */
export type ColumnSearch<Name extends string> = {
  table: DataTable
  sources: CellSources<Name>
  /** The way in which its columns are found. */
  how: How
  /** Headers that name a column and are not used yet. */
  candidates: readonly HeaderCandidate<Name>[]
  /** The positions that are not read: those that the user ignores, and those of this program's own columns. */
  closed: ReadonlySet<number>
}

/** Makes the columns of their declarations; the fields of the operation say limits, texts and what is required. */
export function defineColumns<Name extends string>(
  specs: Readonly<Record<Name, Spec>>,
  fields: Fields,
): { columns: FileColumn<Name>[]; columnOf(name: Name): FileColumn<Name> } {
  const columns = (Object.entries(specs) as [Name, Spec][]).map(([name, spec]): FileColumn<Name> => {
    const { required, max, text, choices } = fields[spec.field ?? '-'] ?? {}
    const pointer = spec.field?.replace(/\/\*.*/, '') ?? ''
    const isChoice = (cell: string): boolean => choices?.includes(cell.toLowerCase()) === true
    const holds = { choice: isChoice, unit: (cell: string) => isUnit(cell) }[spec.read]
    const service = spec.part.split(/[,;]/).map((header) => `service ${header.trim()}`)
    return {
      ...spec,
      part: spec.of === 'service' ? [spec.part, ...service].join(', ') : spec.part,
      name,
      pointer,
      path: pointer.split('/').slice(1),
      required: spec.required ?? (spec.helps === undefined && required === true),
      ...(max !== undefined && { max }),
      ...(text !== undefined && { text }),
      ...(choices !== undefined && { choices }),
      ...(holds !== undefined && { holds }),
    }
  })
  const found = new Map(columns.map((column) => [column.name, column]))
  return { columns, columnOf: (name) => found.get(name) as FileColumn<Name> }
}

/** Returns the preset with a signature that the header contains. */
export function findPreset<P extends Preset>(presets: readonly P[], keys: readonly string[]): P | undefined {
  const present = new Set(keys)
  return presets.find(({ signatures }) =>
    signatures.some((signature) => signature.every((key) => present.has(key))),
  )
}
