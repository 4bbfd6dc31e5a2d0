/**
 * The columns of a parcel manifest (`contract.md` E1) as data: what may stand in a header, where each goes in the body
 * of `create_shipment`, and how its cells are read.
 */
import { byName, type Column as AnyColumn, type FileKind, type HeaderMatch } from '../columns/columns.ts'
import { wordKeys, wordsOf } from '../columns/dictionary.ts'
import type { Mapping } from '../columns/mapping.ts'
import { squash } from '../csv/keys.ts'
import { LENGTH_WORDS, type Unit, WEIGHT_WORDS } from '../csv/numbers.ts'
import type { ColumnName } from './column-names.ts'
import { LEFT_OUT_TEXTS, statusKind } from './order-status.ts'
import { type ManifestPreset, PRESETS } from './presets.ts'
import { DICTIONARY, HOUSE_NUMBERS, NAME_PAIRS, NUMBER_WORDS } from './words.ts'

export type ColumnKind =
  | 'text'
  | 'postcode'
  | 'country'
  | 'phone'
  | 'email'
  | 'weight'
  | 'length'
  | 'dimensions'
  | 'service'
  | 'hub'
  | 'money'
  | 'currency'
  | 'boolean'
  | 'place'

export type Column = AnyColumn<ColumnName> & {
  kind: ColumnKind
  /** Part of the recipient: rows are one parcel only when these agree. */
  recipient?: true
}

export const COLUMNS: readonly Column[] = [
  {
    name: 'reference',
    kind: 'text',
    code: true,
    required: true,
    pointer: '/reference',
    max: 64,
    aliases: [
      'ref',
      'order_number',
      'order_no',
      'order_id',
      'order_ref',
      'order_reference',
      'customer_reference',
      'shipment_reference',
    ],
  },
  {
    name: 'recipient_name',
    kind: 'text',
    required: true,
    pointer: '/recipient/contact/name',
    max: 100,
    recipient: true,
    aliases: [
      'to_name',
      'name',
      'full_name',
      'recipient',
      'customer_name',
      'consignee',
      'contact_name',
      'deliver_to',
    ],
  },
  {
    name: 'company',
    kind: 'text',
    required: false,
    pointer: '/recipient/company',
    max: 100,
    recipient: true,
    aliases: [
      'recipient_company',
      'company_name',
      'business_name',
      'organisation',
      'organization',
      'to_company',
    ],
  },
  {
    name: 'address_line1',
    kind: 'text',
    required: true,
    pointer: '/recipient/address/line1',
    lines: true,
    max: 100,
    recipient: true,
    aliases: [
      'address',
      'address1',
      'address_1',
      'street',
      'street_address',
      'street1',
      'line1',
      'to_street1',
      'delivery_address',
    ],
  },
  {
    name: 'address_line2',
    kind: 'text',
    required: false,
    pointer: '/recipient/address/line2',
    lines: true,
    max: 100,
    recipient: true,
    aliases: ['address2', 'address_2', 'street2', 'line2', 'apt', 'unit'],
  },
  {
    name: 'city',
    kind: 'text',
    required: true,
    pointer: '/recipient/address/city',
    max: 60,
    recipient: true,
    aliases: ['town', 'town_city', 'locality', 'suburb', 'post_town', 'to_city'],
  },
  {
    name: 'region',
    kind: 'text',
    required: false,
    pointer: '/recipient/address/region',
    max: 60,
    recipient: true,
    aliases: ['state', 'county', 'province', 'to_state'],
  },
  {
    name: 'postal_code',
    kind: 'postcode',
    code: true,
    required: true,
    pointer: '/recipient/address/postal_code',
    max: 16,
    recipient: true,
    aliases: ['postcode', 'post_code', 'zip', 'zip_code', 'zipcode', 'to_zip'],
  },
  {
    name: 'country_code',
    kind: 'country',
    required: false,
    pointer: '/recipient/address/country_code',
    recipient: true,
    aliases: ['country', 'country_iso', 'to_country'],
  },
  {
    name: 'phone',
    kind: 'phone',
    code: true,
    required: false,
    pointer: '/recipient/contact/phone',
    recipient: true,
    aliases: ['telephone', 'phone_number', 'mobile', 'tel', 'recipient_phone'],
  },
  {
    name: 'email',
    kind: 'email',
    code: true,
    required: false,
    pointer: '/recipient/contact/email',
    max: 254,
    recipient: true,
    aliases: ['e_mail', 'email_address', 'recipient_email'],
  },
  {
    name: 'weight_grams',
    kind: 'weight',
    required: true,
    pointer: '/parcel/weight_grams',
    sample: '1200',
    aliases: ['weight', 'item_weight'],
  },
  {
    name: 'length_mm',
    kind: 'length',
    required: true,
    pointer: '/parcel/length_mm',
    sample: '300',
    aliases: ['length', 'dim_l'],
  },
  {
    name: 'width_mm',
    kind: 'length',
    required: true,
    pointer: '/parcel/width_mm',
    sample: '200',
    aliases: ['width', 'dim_w'],
  },
  {
    name: 'height_mm',
    kind: 'length',
    required: true,
    pointer: '/parcel/height_mm',
    sample: '100',
    aliases: ['height', 'depth', 'dim_h'],
  },
  {
    name: 'dimensions',
    kind: 'dimensions',
    required: false,
    pointer: '/parcel',
    sample: '30x20x10cm',
    aliases: [],
  },
  {
    name: 'service_level',
    kind: 'service',
    required: false,
    pointer: '/service_level',
    aliases: ['service', 'service_code', 'shipping_method', 'product'],
  },
  {
    name: 'hub',
    kind: 'hub',
    code: true,
    required: false,
    pointer: '/hub_id',
    aliases: ['depot', 'origin', 'hub_code', 'warehouse', 'hub_id'],
  },
  {
    name: 'description',
    kind: 'text',
    required: false,
    pointer: '/parcel/description',
    max: 120,
    aliases: ['contents', 'goods_description', 'items'],
  },
  {
    name: 'declared_value',
    kind: 'money',
    required: false,
    pointer: '/parcel/declared_value',
    aliases: ['value', 'goods_value', 'insured_value'],
  },
  {
    name: 'currency',
    kind: 'currency',
    required: false,
    pointer: '/parcel/declared_value/currency',
    aliases: [],
  },
  {
    name: 'signature_required',
    kind: 'boolean',
    required: false,
    pointer: '/options/signature_required',
    aliases: ['signature', 'pod'],
  },
  {
    name: 'leave_safe_place',
    kind: 'place',
    required: false,
    pointer: '/options/leave_safe_place',
    max: 120,
    aliases: ['safe_place', 'safeplace'],
  },
  {
    name: 'instructions',
    kind: 'text',
    required: false,
    pointer: '/recipient/address/access_notes',
    max: 300,
    aliases: ['delivery_instructions', 'notes', 'delivery_notes'],
  },
]

export const columnOf = byName<ColumnName, Column>(COLUMNS)

/** The three that one `dimensions` column replaces. */
export const SIZES = ['length_mm', 'width_mm', 'height_mm'] as const

type Matches = ReadonlyMap<string, HeaderMatch<ColumnName>>

let english: Matches | undefined
let foreign: Matches | undefined

/** The sides of a box that begin with its length: `l_x_b_x_h`, `lxwxh`, `largo_x_ancho_x_alto`. */
const SIDES_IN_ORDER = /_l(?:[a-z]*_x_[a-z]+_x_|x[a-z]x)[a-z]+/

/** Returns the column of a header key (`headerKey`). `Address Line 1`, `AddressLine1` and `address_line1` are equal. */
export function matchHeader(key: string): HeaderMatch<ColumnName> | undefined {
  english ??= englishMatches()
  if (SIDES_IN_ORDER.test(key)) {
    const match = matchHeader(key.replace(SIDES_IN_ORDER, ''))
    return match?.column === 'dimensions' ? { ...match, how: 'alias' } : undefined
  }
  const squashed = squash(key)
  return (
    english.get(squashed) ??
    matchWithUnit(squashed, english) ??
    // Most files are in English: the words of four more languages are looked at only when they are needed.
    (foreign ??= foreignMatches()).get(squashed) ??
    matchWithUnit(squashed, foreign)
  )
}

function englishMatches(): Matches {
  const found = new Map<string, HeaderMatch<ColumnName>>()
  for (const { name, aliases } of COLUMNS)
    for (const alias of aliases) found.set(squash(alias), { column: name, how: 'alias' })
  // A column's own name wins over whatever else would spell the same.
  for (const { name, kind } of COLUMNS) {
    const unit = kind === 'weight' ? 'g' : kind === 'length' ? 'mm' : undefined
    found.set(squash(name), { column: name, how: 'exact', ...(unit !== undefined && { unit }) })
  }
  return found
}

function foreignMatches(): Matches {
  return new Map(
    COLUMNS.flatMap(({ name }) =>
      wordsOf(DICTIONARY, name)
        .flatMap(wordKeys)
        .map((key) => [key, { column: name, how: 'alias', foreign: true }] as const),
    ),
  )
}

/** `weightkg`, `gewichtinkg`, `poidsenkg`: a name of a column, and the unit behind it. */
function matchWithUnit(key: string, names: Matches): HeaderMatch<ColumnName> | undefined {
  for (const words of [WEIGHT_WORDS, LENGTH_WORDS]) {
    for (const [word, unit] of Object.entries<Unit>(words)) {
      if (!key.endsWith(word)) continue
      const base = key.slice(0, -word.length)
      const match = names.get(base) ?? names.get(base.replace(/(?:in|en)$/, ''))
      // A column's own name has its unit already.
      if (match === undefined || match.unit !== undefined) continue
      if (unitWords(columnOf(match.column).kind) === words) return { ...match, how: 'alias', unit }
    }
  }
  return undefined
}

function unitWords(kind: ColumnKind): Readonly<Record<string, Unit>> {
  if (kind === 'weight') return WEIGHT_WORDS
  return kind === 'length' || kind === 'dimensions' ? LENGTH_WORDS : {}
}

/** The unit that any header names at its end, e.g. `Shipment - Weight (Oz)`. */
function unitInHeader(key: string, column: ColumnName): Unit | undefined {
  const last = key.split('_').at(-1) ?? ''
  const words = unitWords(columnOf(column).kind)
  return Object.hasOwn(words, last) ? words[last] : undefined
}

export const MANIFEST: FileKind<ColumnName, ManifestPreset> = {
  name: 'manifest',
  row: 'parcel',
  template: 'dray carrier template',
  columns: COLUMNS,
  columnOf,
  matchHeader,
  unitInHeader,
  presets: PRESETS,
  isReadBeside: (key) => statusKind(key)?.vague === false,
  dictionary: DICTIONARY,
  parts: {
    name: { column: 'recipient_name', pairs: NAME_PAIRS },
    street: { column: 'address_line1', numbers: HOUSE_NUMBERS, vague: NUMBER_WORDS },
  },
  vague: new Set(['code', 'customer', 'delivery', 'goods', 'item', 'number', 'order', 'shipment']),
  whole: { by: 'dimensions', parts: SIZES },
  refusals: {
    blamed: {
      missing_reference: 'reference',
      reference_conflict: 'reference',
      destination_not_covered: 'postal_code',
      address_unresolvable: 'address_line1',
      service_level_not_available: 'service_level',
      parcel_limits_exceeded: 'weight_grams',
      hub_not_found: 'hub',
      currency_mismatch: 'currency',
    },
    otherwise: 'reference',
    clash: (row) =>
      `Row ${row} has the same reference and other content. Each parcel needs a reference of its own.`,
    words: {
      invalid_row: 'The row is not valid.',
      missing_reference: 'reference is required.',
      reference_conflict: 'The reference is already used for a parcel with other content.',
      duplicate_in_manifest: 'The same parcel stands in the file more than once.',
      already_exists: 'Created before.',
      cancelled_before: 'Created before and cancelled.',
      ...LEFT_OUT_TEXTS,
    },
  },
}

export type ManifestMapping = Mapping<ColumnName, ManifestPreset>
