/** Rows of a manifest to checked bodies of `create_shipment`: every problem of every row, before anything is sent. */
import type { Party } from '../../domain/address.ts'
import { fitsLimits, type Parcel } from '../../domain/carrier.ts'
import type { Money } from '../../domain/money.ts'
import { AppError } from '../../errors.ts'
import {
  type LengthUnit,
  parseDimensions,
  parseLength,
  parseWeight,
  type WeightUnit,
} from '../csv/numbers.ts'
import type { Row, Table } from '../csv/read.ts'
import * as cells from './cells.ts'
import { type ColumnName, columnOf, SIZES } from './columns.ts'
import { findText, findTexts, groupRows, headerOf } from './lines.ts'
import type { Mapping, Source } from './map.ts'
import { findDoubts, type Note, noteMerges, noteServices } from './notes.ts'
import type { Units } from './units.ts'

/** What is wrong with one cell (`contract.md` E3). */
export type CellError = {
  /** Header as written; the column's name when no header makes it. */
  column: string
  pointer: string
  /** At most 40 characters of the cell. */
  value: string
  code: cells.CellErrorCode
  detail: string
  suggestion?: string
}

/** A body of `create_shipment`; without `service_level` the batch's default applies. */
export type ShipmentDraft = {
  reference: string
  recipient: Party
  parcel: Parcel & { description?: string; declared_value?: Money }
  service_level?: string
  hub_id?: string
  options?: { signature_required?: boolean; leave_safe_place?: string }
}

/** One parcel of the file. `row` is its first data row; `lines` are the physical lines of all its rows. */
export type ManifestRow = {
  row: number
  line: number
  rows: number[]
  lines: number[]
  reference: string | undefined
  /** Undefined when anything is wrong with the row. */
  shipment: ShipmentDraft | undefined
  errors: CellError[]
}

export type ParseOptions = {
  units: Units
  /** The agreement's own: for rows that name no country or currency. */
  country: string
  currency: string
  /** What the `hub` column may name, if `usesHubs(mapping)`; without them the service checks it. */
  hubs?: readonly cells.Hub[]
  /** `--merge-lines`; a preset merges anyway. */
  mergeLines?: boolean
}

export type Manifest = {
  /** One per parcel, in the order of the file. */
  rows: ManifestRow[]
  /** Whole sentences for the clerk: merged lines, cancelled orders, unknown service words. */
  notes: Note[]
  /** References that several parcels carry, with their rows; the service decides what becomes of them. */
  duplicates: { reference: string; rows: number[] }[]
}

/** Whether the hubs of the agreement must be known to read the file. */
export function usesHubs(mapping: Mapping): boolean {
  return mapping.sources.has('hub') || mapping.defaults.has('hub')
}

/** Reads and checks every row. Throws `usage` when a default (`--default`) is itself not usable. */
export function parseManifest(table: Table, mapping: Mapping, options: ParseOptions): Manifest {
  const groups = groupRows(table, mapping, options.mergeLines === true || mapping.preset !== undefined)
  const unknownServices = new Map<string, number>()
  const scope: Scope = { table, mapping, options, unknownServices }
  const rows = groups.map((lines) => readParcel(lines, scope))
  return {
    rows,
    notes: [
      ...noteMerges(table.rows.length, rows.length),
      ...findDoubts(table, mapping, rows),
      ...noteServices(unknownServices, headerOf(table, mapping, 'service_level')),
    ],
    duplicates: findDuplicates(rows),
  }
}

type Scope = {
  table: Table
  mapping: Mapping
  options: ParseOptions
  unknownServices: Map<string, number>
}

/** Reads a column of one parcel: the value, or undefined after noting what is wrong with it. */
type Take = <T>(column: ColumnName, read: Read<T>, required?: boolean) => T | undefined

/** Reads a text; without a source it is a default. */
type Read<T> = (text: string, source: Source | undefined) => cells.Reading<T>

function readParcel(lines: readonly Row[], scope: Scope): ManifestRow {
  const errors: CellError[] = []
  const take = taker(lines, scope, errors)
  const reference = take('reference', text('reference'))
  const recipient = readRecipient(take, scope, errors)
  const parcel = readParcelSizes(take, scope, errors)
  const description = take('description', (value) =>
    cells.readText(shorten(value, lines, scope), columnOf('description').max ?? 0),
  )
  const declared_value = readDeclaredValue(take, scope)
  const service_level = take('service_level', (value) => readService(value, scope))
  const hub_id = take('hub', (value) => cells.readHub(value, scope.options.hubs))
  const options = readOptions(take)
  const shipment =
    errors.length > 0 || reference === undefined || recipient === undefined || parcel === undefined
      ? undefined
      : {
          reference,
          recipient,
          parcel: {
            ...parcel,
            ...(description !== undefined && { description }),
            ...(declared_value !== undefined && { declared_value }),
          },
          ...(service_level !== undefined && service_level !== '' && { service_level }),
          ...(hub_id !== undefined && { hub_id }),
          ...(options !== undefined && { options }),
        }
  return {
    row: lines[0]?.row ?? 0,
    line: lines[0]?.line ?? 0,
    rows: lines.map(({ row }) => row),
    lines: lines.map(({ line }) => line),
    reference,
    shipment,
    errors,
  }
}

function text(column: ColumnName): (value: string) => cells.Reading<string> {
  const { max = 0 } = columnOf(column)
  return (value) => cells.readText(value, max)
}

/** Merged lines and exports list what was bought: that may be cut, a clerk's own words may not. */
function shorten(value: string, lines: readonly Row[], { mapping }: Scope): string {
  const { max = 0 } = columnOf('description')
  return lines.length > 1 || mapping.preset !== undefined ? cells.clip(value, max) : value
}

function readRecipient(take: Take, { options }: Scope, errors: CellError[]): Party | undefined {
  const before = errors.length
  const name = take('recipient_name', text('recipient_name'))
  const company = take('company', text('company'))
  const line1 = take('address_line1', text('address_line1'))
  const line2 = take('address_line2', text('address_line2'))
  const city = take('city', text('city'))
  const region = take('region', text('region'))
  const faults = errors.length
  const named = take('country_code', cells.readCountry)
  const country = named ?? (errors.length > faults ? undefined : options.country)
  const postal_code = take('postal_code', (value) =>
    cells.readPostcode(value, country, columnOf('postal_code').max ?? 0),
  )
  const phone = take('phone', (value) => cells.readPhone(value, country))
  const email = take('email', (value) => cells.readEmail(value, columnOf('email').max ?? 0))
  const access_notes = take('instructions', text('instructions'))
  if (errors.length > before || name === undefined || line1 === undefined || city === undefined)
    return undefined
  if (postal_code === undefined || country === undefined) return undefined
  return {
    contact: { name, ...(phone !== undefined && { phone }), ...(email !== undefined && { email }) },
    address: {
      line1,
      ...(line2 !== undefined && { line2 }),
      city,
      ...(region !== undefined && { region }),
      postal_code,
      country_code: country,
      ...(access_notes !== undefined && { access_notes }),
    },
    ...(company !== undefined && { company }),
  }
}

function readParcelSizes(take: Take, scope: Scope, errors: CellError[]): Parcel | undefined {
  const before = errors.length
  const weight = take('weight_grams', (value, source) => {
    const unit =
      source === undefined ? 'g' : ((source.unit as WeightUnit | undefined) ?? scope.options.units.weight)
    return cells.readQuantity(parseWeight(value, unit))
  })
  const [length_mm, width_mm, height_mm] = readSizes(take, scope, errors)
  if (errors.length > before || weight === undefined) return undefined
  if (length_mm === undefined || width_mm === undefined || height_mm === undefined) return undefined
  const parcel = { weight_grams: weight, length_mm, width_mm, height_mm }
  const limit = fitsLimits(parcel)
  if (limit === undefined) return parcel
  const blamed = has(scope, limit.field) ? limit.field : 'dimensions'
  take(blamed, () => ({ fault: { code: 'out_of_range', detail: limit.detail } }))
  return undefined
}

/** Each side from its own column or, where that is blank, from `dimensions`. Defaults are in mm, whatever the file is in. */
function readSizes(take: Take, scope: Scope, errors: CellError[]): (number | undefined)[] {
  const unitOf = (source: Source | undefined): LengthUnit =>
    source === undefined ? 'mm' : ((source.unit as LengthUnit | undefined) ?? scope.options.units.length)
  const before = errors.length
  const onlyWhole = has(scope, 'dimensions') && !SIZES.some((size) => has(scope, size))
  const whole = take(
    'dimensions',
    (value, source) => cells.readQuantity(parseDimensions(value, unitOf(source))),
    onlyWhole,
  )
  if (onlyWhole) return whole ?? []
  const needed = whole === undefined && errors.length === before
  return SIZES.map((size, index) => {
    const own = take(size, (value, source) => cells.readQuantity(parseLength(value, unitOf(source))), needed)
    return own ?? whole?.[index]
  })
}

function has({ mapping }: Scope, column: ColumnName): boolean {
  return mapping.sources.has(column) || mapping.defaults.has(column)
}

function readDeclaredValue(take: Take, { options }: Scope): Money | undefined {
  // Exports give a currency to every row; it matters only beside a value.
  return take('declared_value', (value) =>
    cells.readMoney(value, take('currency', cells.readCurrency) ?? options.currency),
  )
}

/** A service word of a shop that is no level of ours falls back to the default, counted so that it can be said. */
function readService(value: string, { mapping, unknownServices }: Scope): cells.Reading<string> {
  const reading = cells.readService(value, mapping.preset?.services)
  if ('value' in reading || mapping.sources.get('service_level')?.how !== 'preset') return reading
  unknownServices.set(value, (unknownServices.get(value) ?? 0) + 1)
  const fallback = mapping.defaults.get('service_level')
  return fallback === undefined ? { value: '' } : cells.readService(fallback)
}

function readOptions(take: Take): ShipmentDraft['options'] {
  const signature_required = take('signature_required', cells.readBoolean)
  const leave_safe_place = take('leave_safe_place', (value) =>
    cells.readPlace(value, columnOf('leave_safe_place').max ?? 0),
  )
  if (signature_required === undefined && leave_safe_place === undefined) return undefined
  return {
    ...(signature_required !== undefined && { signature_required }),
    ...(leave_safe_place !== undefined && { leave_safe_place }),
  }
}

/** Columns of which each line of a parcel gives its part. */
const JOINED: ReadonlySet<ColumnName> = new Set(['description', 'instructions'])

function taker(lines: readonly Row[], { table, mapping }: Scope, errors: CellError[]): Take {
  const report = (
    column: ColumnName,
    source: Source | undefined,
    shown: string,
    fault: cells.Fault,
  ): undefined => {
    const header = headerOf(table, mapping, column, source)
    errors.push({ column: header, pointer: columnOf(column).pointer, value: cells.clip(shown, 40), ...fault })
  }
  const missing = <T>(column: ColumnName, read: Read<T>, required?: boolean): T | undefined => {
    const fallback = mapping.defaults.get(column) ?? ''
    if (fallback !== '') return readDefault(column, fallback, read)
    return (required ?? columnOf(column).required)
      ? report(column, undefined, '', { code: 'required', detail: `${column} is required.` })
      : undefined
  }
  const [only] = lines
  return (column, read, required) => {
    if (lines.length > 1 || only === undefined) return takeMerged(column, read, required)
    const found = findText(only, column, mapping)
    if (found === undefined) return missing(column, read, required)
    const reading = read(found.text, found.source)
    return 'value' in reading ? reading.value : report(column, found.source, found.text, reading.fault)
  }

  function takeMerged<T>(column: ColumnName, read: Read<T>, required?: boolean): T | undefined {
    const found = findTexts(lines, column, mapping)
    if (found === undefined) return missing(column, read, required)
    const { texts, source } = found
    const value = texts.join(', ')
    if (texts.length > 1 && isOneValue(column))
      return report(column, source, value, contradiction(lines, texts))
    const reading = read(JOINED.has(column) ? value : (texts[0] ?? ''), source)
    return 'value' in reading ? reading.value : report(column, source, value, reading.fault)
  }
}

function readDefault<T>(column: ColumnName, value: string, read: Read<T>): T {
  const reading = read(value, undefined)
  if ('value' in reading) return reading.value
  throw new AppError(
    'usage',
    `The default for ${column} cannot be used (${value}): ${reading.fault.detail}`,
    {
      hint: `Give another with --default ${column}=….`,
    },
  )
}

function contradiction(lines: readonly Row[], values: readonly string[]): cells.Fault {
  const numbers = lines.map(({ line }) => line).join(', ')
  return {
    code: 'mutually_exclusive',
    detail: `Lines ${numbers} are one parcel but give different values: ${values.join(', ')}.`,
  }
}

/** The recipient was compared when the lines were merged, in any case of letters. */
function isOneValue(column: ColumnName): boolean {
  return !JOINED.has(column) && columnOf(column).recipient !== true
}

function findDuplicates(rows: readonly ManifestRow[]): Manifest['duplicates'] {
  const found = new Map<string, number[]>()
  for (const { reference, row } of rows) {
    if (reference !== undefined) found.set(reference, [...(found.get(reference) ?? []), row])
  }
  return [...found].filter(([, all]) => all.length > 1).map(([reference, all]) => ({ reference, rows: all }))
}
