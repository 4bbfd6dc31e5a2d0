/** Rows of a manifest to checked bodies of `create_shipment`: every problem of every row, before anything is sent. */
import { findParcelLimitError, type ParcelMeasurements } from '../../areas/carrier/rules/rates.ts'
import { type CeilingName, ceilingOf, whyTooLarge } from '../../core/ceilings.ts'
import { normalizeIdentifier } from '../../core/identifiers.ts'
import type { Money } from '../../core/money.ts'
import { isCountryServed } from '../../core/places/coverage.ts'
import { isPoBox } from '../../core/places/postcode.ts'
import { readAmount } from '../columns/amount.ts'
import { findCellText, headerOf } from '../columns/cell-text.ts'
import type { CellSource } from '../columns/columns.ts'
import { type CellError, type ImportNote, describeMerges } from '../columns/outcomes.ts'
import { fillBody, type ColumnText, makeRowReader, type CellReader } from '../columns/read-cell.ts'
import {
  truncate,
  type CellIssue,
  makeCellIssue,
  type ParseResult,
  readBoolean,
  readChoice,
  readCurrency,
  readQuantity,
  readText,
  checkShortenedNumber,
} from '../csv/cells.ts'
import {
  type LengthUnit,
  parseDimensions,
  parseLength,
  parseWeight,
  type WeightUnit,
} from '../csv/numbers.ts'
import type { DataRow } from '../csv/read.ts'
import { joinFirst } from '../wording.ts'
import * as cells from './cells.ts'
import {
  type ManifestColumn,
  type ManifestColumnName,
  getManifestColumn,
  MANIFEST_FILE_COLUMNS,
  SIZES,
} from './columns.ts'
import { type ContactCell, readEmail, readPhone } from './contacts.ts'
import { type DateOrder, readDate } from './dates.ts'
import { findTexts } from './group-rows.ts'
import type { ManifestMapping } from './kind.ts'
import {
  type ContactColumn,
  CONTACTS,
  type DoubtfulContact,
  describeContacts,
  describeServices,
  describeTowns,
} from './notes.ts'
import type { ManifestRow, ShipmentDraft } from './outcomes.ts'
import { type ManifestOrder, type ManifestOrders, readOrders } from './skipped-orders.ts'
import type { Units } from './units.ts'

export type ParseOptions = {
  units: Units
  /** The agreement's own: for rows that name no country or currency. */
  country: string
  currency: string
  /** The hubs that the `hub` column may name, if `usesHubs(mapping)`; without them the service checks it. */
  hubs?: readonly cells.HubCode[]
  /** The orders of the file; each row is its own where a preset or `--merge-lines` does not say otherwise. */
  orders?: ManifestOrders
  /** `--reference-prefix`: is before each reference of the file. */
  prefix?: string
  /** The level of parcels with a word that names none; undefined where these are rejected. */
  unknownLevel?: string | undefined
  /** Which number of a date is the day, where its numbers leave it open. */
  dateOrder?: DateOrder | undefined
  /** The references of `findShortened` that parcels have. */
  known?: ReadonlySet<string>
}

export type ParsedManifest = {
  /** One per parcel, in the order of the file. */
  rows: ManifestRow[]
  /** Whole sentences for the clerk: merged rows, doubtful orders, unknown service words. */
  notes: ImportNote[]
}

/** Returns whether the hubs of the agreement must be known to read the file. */
export function usesHubs(mapping: ManifestMapping): boolean {
  return mapping.sources.has('hub') || mapping.defaults.has('hub')
}

/** Returns the references of a file that a spreadsheet has shortened, each once. */
export function findShortened(mapping: ManifestMapping): string[] {
  const texts = mapping.table.rows.map((row) => findCellText(row, 'reference', mapping)?.text ?? '')
  return [...new Set(texts.filter((text) => checkShortenedNumber(text) !== undefined))]
}

/** Reads and checks every row. Throws `usage` when a default (`--default`) is itself not usable. */
export function parseManifest(mapping: ManifestMapping, options: ParseOptions): ParsedManifest {
  const { orders, notes } = options.orders ?? readOrders(mapping)
  const unknownServices = new Map<string, number>()
  const contacts: DoubtfulContact[] = []
  const columns = READ.filter(({ name, required }) => required || ALWAYS.has(name) || has({ mapping }, name))
  const scope: Scope = { mapping, columns, options, unknownServices, contacts }
  const rows = orders.map((order) =>
    order.skipReasons.length > 0 ? skipOrder(order, scope) : readParcel(order.rows, scope),
  )
  return {
    rows,
    notes: [
      ...describeMerges(
        rows.filter(({ skipReasons }) => skipReasons === undefined),
        'parcel',
        'adjacent rows of one order go together',
      ),
      ...notes,
      ...describeContacts(contacts),
      ...describeTowns(rows),
      ...describeServices(unknownServices, headerOf(mapping, 'service_level'), options.unknownLevel),
    ],
  }
}

type Scope = {
  mapping: ManifestMapping
  /** The columns that can have a value in this file, or must have one. */
  columns: readonly ManifestColumn[]
  options: ParseOptions
  unknownServices: Map<string, number>
  contacts: DoubtfulContact[]
}

type ManifestCellReader = CellReader<ManifestColumnName>

/** The context in which a cell is read. */
type Place = {
  column: ManifestColumn
  source: CellSource | undefined
  scope: Scope
  rows: readonly DataRow[]
  take: ManifestCellReader
  /** The country of the row; undefined where it could not be read. */
  country: string | undefined
}

/** The readers of the cells of each kind. Undefined as a value is none. */
const READERS: Readonly<Record<string, (text: string, place: Place) => ParseResult<unknown>>> = {
  reference: (text, { column: { max = 0 }, scope: { options } }) =>
    cells.readReference(`${options.prefix ?? ''}${text}`, max, options.known ?? new Set()),
  text: (text, { column, rows, scope }) => readText(shortened(text, column, rows, scope), column.max ?? 0),
  // A PO box is rejected as one by the service, also when it is spelled with invisible characters.
  line: (text, { column: { max = 0 } }) => {
    const clean = normalizeIdentifier(text)
    return readText(clean !== text && isPoBox(text) ? clean : text, max)
  },
  postcode: (text, { column: { max = 0 }, country }) => cells.readPostcode(text, country, max),
  // The row's country is already at fault: without it a national number cannot be judged.
  phone: (text, place) =>
    place.country === undefined
      ? { value: undefined }
      : readContact('phone', text, readPhone(text, place.country), place),
  email: (text, place) => readContact('email', text, readEmail(text, place.column.max ?? 0), place),
  weight: (text, { source, scope }) => {
    const unit = source === undefined ? 'g' : (source.unit as WeightUnit | undefined)
    return readQuantity(parseWeight(text, unit ?? scope.options.units.weight))
  },
  service: (text, { scope }) => readService(text, scope),
  hub: (text, { scope }) => cells.readHub(text, scope.options.hubs),
  choice: (text, { column: { choices = [] } }) => readChoice(text.toLowerCase(), choices),
  money: (text, { column: { name, capped }, source, scope: { mapping, options }, take }) => {
    // Exports give a currency to every row; it matters only beside a value.
    const read = (amount: string): ParseResult<Money> =>
      readAmount(mapping, name, { usual: options.currency, stated: take('currency', readCurrency) })(
        amount,
        source,
      )
    return atMost(
      capped as CeilingName | undefined,
      name === 'cash_on_delivery' ? cells.readCash(text, read) : read(text),
    )
  },
  boolean: readBoolean,
  place: (text, { column: { max = 0 } }) => cells.readSafePlace(text, max),
  date: (text, { scope: { options } }) => readDate(text, options.dateOrder),
  refused: (text, { column }) => cells.readRefused(text, column.refused),
}

/** Columns that are read with others. */
const READ_APART: ReadonlySet<ManifestColumnName> = new Set(['dimensions', ...SIZES, 'currency'])

const READ = MANIFEST_FILE_COLUMNS.filter(
  ({ name, helps, read }) => !READ_APART.has(name) && (helps === undefined || read === 'refused'),
)

/** Columns that are looked at in every file: each row has a country, and its sides are read before the service. */
const ALWAYS: ReadonlySet<ManifestColumnName> = new Set(['country_code', 'service_level'])

/** Only the name of an order that is skipped is read: its cells need no correction. */
function skipOrder({ rows, skipReasons }: ManifestOrder, { mapping, options }: Scope): ManifestRow {
  const [first = { row: 0, cells: [] }] = rows
  const reference = findCellText(first, 'reference', mapping)?.text
  const named = reference === undefined ? undefined : `${options.prefix ?? ''}${reference}`
  return { row: first.row, rows, reference: named, draft: undefined, errors: [], skipReasons }
}

function readParcel(rows: readonly DataRow[], scope: Scope): ManifestRow {
  const errors: CellError[] = []
  const take = makeRowReader(scope.mapping, errors, finder(rows, scope.mapping))
  const body: Record<string, unknown> = {}
  const { country, isRefused } = readCountry(take, rows, scope, errors)
  fillBody(body, scope.columns, (column) => {
    // The sides stand before it.
    if (column.name === 'service_level') readSizes(take, scope, errors, body)
    const reader = READERS[column.read]
    const read = (text: string, source: CellSource | undefined): ParseResult<unknown> =>
      reader === undefined ? { value: text } : reader(text, { column, source, scope, rows, take, country })
    const isLeft = isRefused && column.name === 'postal_code'
    return column.name === 'country_code' ? country : take(column.name, read, isLeft ? false : undefined)
  })
  const { reference } = body
  return {
    row: rows[0]?.row ?? 0,
    rows,
    reference: reference as string | undefined,
    draft: errors.length === 0 ? (body as ShipmentDraft) : undefined,
    errors,
  }
}

/** The country, which is the agreement's where the row names none; undefined where it cannot be read. */
function readCountry(
  take: ManifestCellReader,
  [row]: readonly DataRow[],
  { mapping, options }: Scope,
  errors: readonly CellError[],
): { country: string | undefined; isRefused: boolean } {
  const written = (row && findCellText(row, 'postal_code', mapping)?.text) ?? ''
  const named = take('country_code', (text) => cells.readCountry(text, written))
  // A country without service is the fault, and not that its postcode is missing.
  const isRefused = named !== undefined && written === '' && !isCountryServed(named)
  if (isRefused) take('country_code', () => cells.refuseUnserved(named))
  return { country: named ?? (errors.length > 0 ? undefined : options.country), isRefused }
}

/** Rejects an amount above its ceiling, as the service would. */
function atMost(capped: CeilingName | undefined, reading: ParseResult<unknown>): ParseResult<unknown> {
  if (capped === undefined || !('value' in reading) || reading.value === undefined) return reading
  const money = reading.value as Money
  const why = whyTooLarge(money, ceilingOf(capped, money.currency))
  return why === undefined ? reading : makeCellIssue('out_of_range', `${why}.`)
}

/** Notes a contact that was skipped or shortened. A default that cannot be read is rejected. */
function readContact(
  column: ContactColumn,
  text: string,
  { value, isDoubtful }: ContactCell,
  { source, scope, rows }: Place,
): ParseResult<string | undefined> {
  if (isDoubtful && source === undefined)
    return makeCellIssue('invalid_format', `Not a valid ${CONTACTS[column]}.`)
  if (isDoubtful) scope.contacts.push({ column, row: rows[0]?.row ?? 0, text, value })
  return { value }
}

/** Merged rows and exports list what was bought: that may be cut, a clerk's own words may not. */
function shortened(
  text: string,
  { name, max = 0 }: ManifestColumn,
  rows: readonly DataRow[],
  { mapping }: Scope,
): string {
  const isList = name === 'description' && (rows.length > 1 || mapping.preset !== undefined)
  return isList ? truncate(text, max) : text
}

/** Reads the sides, and checks them with the weight against the limits of a parcel. */
function readSizes(
  take: ManifestCellReader,
  scope: Scope,
  errors: CellError[],
  body: Record<string, unknown>,
): void {
  const before = errors.length
  const sizes = readSideLengths(take, scope, errors)
  const parcel = (body['parcel'] ??= {}) as ParcelMeasurements
  for (const [index, size] of SIZES.entries()) if (sizes[index] !== undefined) parcel[size] = sizes[index]
  if (
    errors.length > before ||
    [...SIZES, 'weight_grams' as const].some((each) => parcel[each] === undefined)
  )
    return
  const limit = findParcelLimitError(parcel)
  if (limit === undefined) return
  const blamed = has(scope, limit.field) ? limit.field : 'dimensions'
  take(blamed, () => ({ fault: { code: 'out_of_range', detail: limit.detail } }))
}

/** Each side from its own column or, where that is blank, from `dimensions`. Defaults are in mm, whatever the file is in. */
function readSideLengths(
  take: ManifestCellReader,
  scope: Scope,
  errors: CellError[],
): (number | undefined)[] {
  const unitOf = (source: CellSource | undefined): LengthUnit =>
    source === undefined ? 'mm' : ((source.unit as LengthUnit | undefined) ?? scope.options.units.length)
  const before = errors.length
  const onlyWhole = has(scope, 'dimensions') && !SIZES.some((size) => has(scope, size))
  const whole = take(
    'dimensions',
    (text, source) => readQuantity(parseDimensions(text, unitOf(source))),
    onlyWhole,
  )
  if (onlyWhole) return whole ?? []
  const needed = whole === undefined && errors.length === before
  return SIZES.map((size, index) => {
    const own = take(size, (text, source) => readQuantity(parseLength(text, unitOf(source))), needed)
    return own ?? whole?.[index]
  })
}

function has({ mapping }: Pick<Scope, 'mapping'>, column: ManifestColumnName): boolean {
  return mapping.sources.has(column) || mapping.defaults.has(column)
}

/** A word that names no level is rejected, or its parcel goes by the level that was given for such; both are counted, to be said. */
function readService(value: string, { mapping, options, unknownServices }: Scope): ParseResult<string> {
  const reading = cells.readServiceLevel(value, mapping.preset?.services)
  if ('value' in reading) return reading
  unknownServices.set(value, (unknownServices.get(value) ?? 0) + 1)
  return options.unknownLevel === undefined ? reading : cells.readServiceLevel(options.unknownLevel)
}

/** Columns of which each row of a parcel gives its part. */
const JOINED: ReadonlySet<ManifestColumnName> = new Set(['description', 'instructions'])

/** Returns a function that finds the text of a column in all rows of a parcel. */
function finder(
  rows: readonly DataRow[],
  mapping: ManifestMapping,
): (column: ManifestColumnName) => ColumnText | undefined {
  const [only] = rows
  if (rows.length === 1 && only !== undefined) return (column) => findCellText(only, column, mapping)
  return (column) => {
    const found = findTexts(rows, column, mapping)
    if (found === undefined) return undefined
    const { texts, source } = found
    const shown = texts.join(', ')
    // The weights of all items are that of the parcel.
    if (column === 'weight_grams' && source.timesAt !== undefined) {
      const all = rows.flatMap((row) => findCellText(row, column, mapping)?.text ?? [])
      return { text: all.join(' + '), source, shown: all.join(' + ') }
    }
    const text = JOINED.has(column) ? shown : (texts[0] ?? '')
    const isClash = texts.length > 1 && isOneValue(column)
    return { text, source, shown, ...(isClash && { fault: contradiction(rows, texts) }) }
  }
}

function contradiction(rows: readonly DataRow[], values: readonly string[]): CellIssue {
  // An error of 50,000 rows is of no help.
  const numbers = joinFirst(
    rows.map(({ row }) => row),
    10,
  )
  return {
    code: 'mutually_exclusive',
    detail: `Rows ${numbers} are one parcel but give different values: ${joinFirst(values, 10)}.`,
  }
}

/** The recipient was compared when the rows were merged, in any case of letters. */
function isOneValue(column: ManifestColumnName): boolean {
  return !JOINED.has(column) && getManifestColumn(column).of !== 'recipient'
}
