/** Rows of a manifest to checked bodies of `create_shipment`: every problem of every row, before anything is sent. */
import { fitsLimits, type Parcel } from '../../areas/carrier/rules/rates.ts'
import type { Party } from '../../core/address.ts'
import type { Money } from '../../core/money.ts'
import { isServed } from '../../core/places/coverage.ts'
import type { Source } from '../columns/mapping.ts'
import type { CellError, Note } from '../columns/outcomes.ts'
import { type Found, makeTake, type Read, type Take as TakeOf } from '../columns/take.ts'
import { findText, headerOf } from '../columns/texts.ts'
import {
  clip,
  type Fault,
  fault,
  type Reading,
  readBoolean,
  readCurrency,
  readMoney,
  readQuantity,
  readText,
  shortenedNumber,
} from '../csv/cells.ts'
import {
  type LengthUnit,
  parseDimensions,
  parseLength,
  parseWeight,
  type WeightUnit,
} from '../csv/numbers.ts'
import type { Row, Table } from '../csv/read.ts'
import * as cells from './cells.ts'
import type { ColumnName } from './column-names.ts'
import { columnOf, type ManifestMapping, SIZES } from './columns.ts'
import { type Contact, readEmail, readPhone } from './contacts.ts'
import { findTexts } from './group-rows.ts'
import { type Order, type Orders, readOrders } from './left-out.ts'
import {
  type ContactColumn,
  CONTACTS,
  type DoubtfulContact,
  noteContacts,
  noteMerges,
  noteServices,
  noteTowns,
} from './notes.ts'
import type { ManifestRow, ShipmentDraft } from './row.ts'
import type { Units } from './units.ts'

export type ParseOptions = {
  units: Units
  /** The agreement's own: for rows that name no country or currency. */
  country: string
  currency: string
  /** The hubs that the `hub` column may name, if `usesHubs(mapping)`; without them the service checks it. */
  hubs?: readonly cells.Hub[]
  /** The orders of the file; each row is its own where a preset or `--merge-lines` does not say otherwise. */
  orders?: Orders
  /** The references of `findShortened` that parcels have. */
  known?: ReadonlySet<string>
}

export type Manifest = {
  /** One per parcel, in the order of the file. */
  rows: ManifestRow[]
  /** Whole sentences for the clerk: merged rows, doubtful orders, unknown service words. */
  notes: Note[]
}

/** Whether the hubs of the agreement must be known to read the file. */
export function usesHubs(mapping: ManifestMapping): boolean {
  return mapping.sources.has('hub') || mapping.defaults.has('hub')
}

/** Returns the references of a file that a spreadsheet has shortened, each once. */
export function findShortened(table: Table, mapping: ManifestMapping): string[] {
  const texts = table.rows.map((row) => findText(row, 'reference', mapping)?.text ?? '')
  return [...new Set(texts.filter((text) => shortenedNumber(text) !== undefined))]
}

/** Reads and checks every row. Throws `usage` when a default (`--default`) is itself not usable. */
export function parseManifest(table: Table, mapping: ManifestMapping, options: ParseOptions): Manifest {
  const { orders, notes } = options.orders ?? readOrders(table, mapping)
  const unknownServices = new Map<string, number>()
  const contacts: DoubtfulContact[] = []
  const scope: Scope = { table, mapping, options, unknownServices, contacts }
  const rows = orders.map((order) =>
    order.leftOut.length > 0 ? leaveOut(order, mapping) : readParcel(order.rows, scope),
  )
  return {
    rows,
    notes: [
      ...noteMerges(rows.filter(({ leftOut }) => leftOut === undefined)),
      ...notes,
      ...noteContacts(contacts),
      ...noteTowns(rows),
      ...noteServices(unknownServices, headerOf(table, mapping, 'service_level')),
    ],
  }
}

type Scope = {
  table: Table
  mapping: ManifestMapping
  options: ParseOptions
  unknownServices: Map<string, number>
  contacts: DoubtfulContact[]
  /** Found when the first number asks for it. */
  decimalComma?: boolean
}

type Take = TakeOf<ColumnName>

/** Only the name of an order that is left out is read: its cells need no correction. */
function leaveOut({ rows, leftOut }: Order, mapping: ManifestMapping): ManifestRow {
  const [first = { row: 0, cells: [] }] = rows
  const reference = findText(first, 'reference', mapping)?.text
  return { row: first.row, rows, reference, draft: undefined, errors: [], leftOut }
}

function readParcel(rows: readonly Row[], scope: Scope): ManifestRow {
  const errors: CellError[] = []
  const take = makeTake(scope.table, scope.mapping, errors, finder(rows, scope.mapping))
  const reference = take('reference', (value) =>
    cells.readReference(value, columnOf('reference').max ?? 0, scope.options.known ?? new Set()),
  )
  const recipient = readRecipient(take, rows, scope, errors)
  const parcel = readParcelSizes(take, scope, errors)
  const description = take('description', (value) =>
    readText(shorten(value, rows, scope), columnOf('description').max ?? 0),
  )
  const declared_value = readDeclaredValue(take, scope)
  const service_level = take('service_level', (value) => readService(value, scope))
  const hub_id = take('hub', (value) => cells.readHub(value, scope.options.hubs))
  const options = readOptions(take)
  const draft =
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
    row: rows[0]?.row ?? 0,
    rows,
    reference,
    draft,
    errors,
  }
}

function text(column: ColumnName): (value: string) => Reading<string> {
  const { max = 0 } = columnOf(column)
  return (value) => readText(value, max)
}

/** Merged rows and exports list what was bought: that may be cut, a clerk's own words may not. */
function shorten(value: string, rows: readonly Row[], { mapping }: Scope): string {
  const { max = 0 } = columnOf('description')
  return rows.length > 1 || mapping.preset !== undefined ? clip(value, max) : value
}

function readRecipient(
  take: Take,
  rows: readonly Row[],
  scope: Scope,
  errors: CellError[],
): Party | undefined {
  const before = errors.length
  const name = take('recipient_name', text('recipient_name'))
  const company = take('company', text('company'))
  const line1 = take('address_line1', text('address_line1'))
  const line2 = take('address_line2', text('address_line2'))
  const city = take('city', text('city'))
  const region = take('region', text('region'))
  const { country, postal_code } = readPlace(take, rows[0], scope, errors)
  const contact = readContact(take, country, { row: rows[0]?.row ?? 0, scope })
  const access_notes = take('instructions', text('instructions'))
  if (errors.length > before || name === undefined || line1 === undefined || city === undefined)
    return undefined
  if (postal_code === undefined || country === undefined) return undefined
  return {
    contact: { name, ...contact },
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

/** Reads the country, which is the agreement's where the row names none, and the postcode. */
function readPlace(take: Take, row: Row | undefined, { mapping, options }: Scope, errors: CellError[]) {
  const faults = errors.length
  const written = (row && findText(row, 'postal_code', mapping)?.text) ?? ''
  const named = take('country_code', (value) => cells.readCountry(value, written))
  const country = named ?? (errors.length > faults ? undefined : options.country)
  // A country without service is the fault, and not that its postcode is missing.
  const isRefused = named !== undefined && written === '' && !isServed(named)
  if (isRefused) take('country_code', () => cells.refuseUnserved(named))
  const postal_code = take(
    'postal_code',
    (value) => cells.readPostcode(value, country, columnOf('postal_code').max ?? 0),
    isRefused ? false : undefined,
  )
  return { country, postal_code }
}

type ContactScope = { row: number; scope: Scope }

function readContact(take: Take, country: string | undefined, at: ContactScope) {
  const contact = (column: ContactColumn, read: (text: string) => Contact) =>
    take(column, contactReader(column, at, read))
  // The row's country is already at fault: without it a national number cannot be judged.
  const phone = country && contact('phone', (text) => readPhone(text, country))
  const email = contact('email', (text) => readEmail(text, columnOf('email').max ?? 0))
  return { ...(phone !== undefined && { phone }), ...(email !== undefined && { email }) }
}

/** Returns a reader that notes each cell it leaves out or shortens. A default that cannot be read is refused. */
function contactReader(
  column: ContactColumn,
  { row, scope }: ContactScope,
  read: (text: string) => Contact,
): Read<string | undefined> {
  return (text, source) => {
    const { value, isDoubtful } = read(text)
    if (isDoubtful && source === undefined) return fault('invalid_format', `It is no ${CONTACTS[column]}.`)
    if (isDoubtful) scope.contacts.push({ column, row, text, value })
    return { value }
  }
}

function readParcelSizes(take: Take, scope: Scope, errors: CellError[]): Parcel | undefined {
  const before = errors.length
  const weight = take('weight_grams', (value, source) => {
    const unit =
      source === undefined ? 'g' : ((source.unit as WeightUnit | undefined) ?? scope.options.units.weight)
    return readQuantity(parseWeight(withPoint(value, scope), unit))
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
    (value, source) => readQuantity(parseDimensions(value, unitOf(source))),
    onlyWhole,
  )
  if (onlyWhole) return whole ?? []
  const needed = whole === undefined && errors.length === before
  return SIZES.map((size, index) => {
    const own = take(
      size,
      (value, source) => readQuantity(parseLength(withPoint(value, scope), unitOf(source))),
      needed,
    )
    return own ?? whole?.[index]
  })
}

/** `1,250` says 1.25 in a file whose other numbers have a decimal comma; it is ambiguous in any other. */
function withPoint(value: string, scope: Scope): string {
  if (!/^[1-9]\d{0,2},\d{3}(?!\d)/.test(value)) return value
  scope.decimalComma ??= hasDecimalComma(scope)
  return scope.decimalComma ? value.replace(',', '.') : value
}

const NUMBERS: ReadonlySet<string> = new Set(['weight', 'length', 'dimensions', 'money'])

/** Whether a number of the file can only have a decimal comma, and none a decimal point. */
function hasDecimalComma({ table, mapping }: Scope): boolean {
  const columns = [...mapping.sources.keys()].filter((column) => NUMBERS.has(columnOf(column).kind))
  const numbers = table.rows.flatMap((row) =>
    columns.flatMap((column) => findText(row, column, mapping)?.text.split(/\s*[x×*]\s*/i) ?? []),
  )
  return (
    numbers.some((text) => /^\D*(?:0|[\d.]*\d),(?:\d{1,2}|\d{4,})\D*$|^\D*0,\d+\D*$/.test(text)) &&
    !numbers.some((text) => /\d\.\d{1,2}\D*$|,\d{3},|,\d{3}\./.test(text))
  )
}

function has({ mapping }: Scope, column: ColumnName): boolean {
  return mapping.sources.has(column) || mapping.defaults.has(column)
}

function readDeclaredValue(take: Take, { options }: Scope): Money | undefined {
  // Exports give a currency to every row; it matters only beside a value.
  return take('declared_value', (value) =>
    readMoney(value, take('currency', readCurrency) ?? options.currency),
  )
}

/** A service word of a shop that is no level of ours falls back to the default, counted so that it can be said. */
function readService(value: string, { mapping, unknownServices }: Scope): Reading<string> {
  const reading = cells.readService(value, mapping.preset?.services)
  if ('value' in reading || mapping.sources.get('service_level')?.how !== 'preset') return reading
  unknownServices.set(value, (unknownServices.get(value) ?? 0) + 1)
  const fallback = mapping.defaults.get('service_level')
  return fallback === undefined ? { value: '' } : cells.readService(fallback)
}

function readOptions(take: Take): ShipmentDraft['options'] {
  const signature_required = take('signature_required', readBoolean)
  const leave_safe_place = take('leave_safe_place', (value) =>
    cells.readPlace(value, columnOf('leave_safe_place').max ?? 0),
  )
  if (signature_required === undefined && leave_safe_place === undefined) return undefined
  return {
    ...(signature_required !== undefined && { signature_required }),
    ...(leave_safe_place !== undefined && { leave_safe_place }),
  }
}

/** Columns of which each row of a parcel gives its part. */
const JOINED: ReadonlySet<ColumnName> = new Set(['description', 'instructions'])

/** Returns a function that finds the text of a column in all rows of a parcel. */
function finder(rows: readonly Row[], mapping: ManifestMapping): (column: ColumnName) => Found | undefined {
  const [only] = rows
  if (rows.length === 1 && only !== undefined) return (column) => findText(only, column, mapping)
  return (column) => {
    const found = findTexts(rows, column, mapping)
    if (found === undefined) return undefined
    const { texts, source } = found
    const shown = texts.join(', ')
    const text = JOINED.has(column) ? shown : (texts[0] ?? '')
    const isClash = texts.length > 1 && isOneValue(column)
    return { text, source, shown, ...(isClash && { fault: contradiction(rows, texts) }) }
  }
}

function contradiction(rows: readonly Row[], values: readonly string[]): Fault {
  const numbers = firstOf(rows.map(({ row }) => row))
  return {
    code: 'mutually_exclusive',
    detail: `Rows ${numbers} are one parcel but give different values: ${firstOf(values)}.`,
  }
}

/** The first ten: an error of 50,000 rows helps nobody. */
function firstOf(all: readonly (string | number)[]): string {
  return `${all.slice(0, 10).join(', ')}${all.length > 10 ? ', …' : ''}`
}

/** The recipient was compared when the rows were merged, in any case of letters. */
function isOneValue(column: ColumnName): boolean {
  return !JOINED.has(column) && columnOf(column).recipient !== true
}
