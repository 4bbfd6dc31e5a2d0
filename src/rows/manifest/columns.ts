/**
 * The columns of a parcel manifest (`contract.md` E1) as data: what may stand in a header, which field of the body of
 * `create_shipment` each fills, and how its cells are read.
 */
import { FIELDS } from '../../generated/fields/create_shipment.ts'
import { type Column as AnyColumn, defineColumns, type Spec } from '../columns/columns.ts'
import { isUnit } from '../csv/numbers.ts'

const to = (field: string, read: string, part: string, more: Partial<Spec> = {}): Spec => ({
  field: `/recipient/${field}`,
  read,
  part,
  of: 'recipient',
  ...more,
})

/** Headers of an option, with and without the word service: `Service - Nachnahme - Betrag`. */
const option = (part: string): string =>
  `${part}, ${part
    .split(/[,;]/)
    .map((header) => `service ${header.trim()}`)
    .join(', ')}`

/** A column of something that is not offered: a row that asks for it is refused, and never created without it. */
const refused = (part: string): Spec => ({ read: 'refused', part: option(part), helps: true })

/** A column that helps to read others. */
const helper = (part: string, more: Partial<Spec> = {}): Spec => ({
  read: 'text',
  part,
  helps: true,
  ...more,
})

/** Kinds of contents. */
export const KINDS = FIELDS['/parcel/contents_type']?.choices ?? []

const SPECS = {
  reference: {
    field: '/reference',
    read: 'reference',
    code: true,
    required: true,
    part: 'ref, order, order number, order id, order ref, reference number, customer reference, delivery reference',
  },
  recipient_name: to('contact/name', 'text', 'name, full name, recipient, customer, customer name; contact', {
    orElse: 'company',
  }),
  company: to('company', 'text', 'company name, organisation'),
  address_line1: to(
    'address/line1',
    'line',
    'address, street, line, address line, street and number, address and number, street house number, address house number',
    { more: 'address_line2', lines: true },
  ),
  address_line2: to('address/line2', 'line', 'apt, flat number, unit, unit number', {
    lines: true,
  }),
  city: to('address/city', 'text', 'town'),
  region: to('address/region', 'text', 'state; county name, state code'),
  postal_code: to('address/postal_code', 'postcode', 'postcode', { code: true }),
  country_code: to('address/country_code', 'country', 'country, country iso; country name', {
    required: false,
  }),
  phone: to('contact/phone', 'phone', 'telephone, phone number; mobile, mobile number, mobile phone', {
    code: true,
  }),
  email: to('contact/email', 'email', 'e_mail; mail', { code: true }),
  weight_grams: {
    field: '/parcel/weight_grams',
    read: 'weight',
    sample: '1200',
    asked: { name: 'weight', like: '1.2kg' },
    part: 'weight, gross weight, total weight, total gross weight, delivery weight; order weight, order total weight',
  },
  length_mm: {
    field: '/parcel/length_mm',
    read: 'length',
    sample: '300',
    part: 'length, dim length, size length',
  },
  width_mm: {
    field: '/parcel/width_mm',
    read: 'length',
    sample: '200',
    part: 'width, dim width, size width',
  },
  height_mm: {
    field: '/parcel/height_mm',
    read: 'length',
    sample: '100',
    part: 'height, dim height, size height',
  },
  dimensions: {
    field: '/parcel',
    read: 'dimensions',
    required: false,
    sample: '30x20x10cm',
    asked: { name: 'size', like: '30x20x10cm' },
    part: 'dims, length width height, dims length width height',
  },
  service_level: {
    field: '/service_level',
    read: 'service',
    required: false,
    part: 'service, service code, service name, service type, requested service, delivery service, delivery service level, delivery service code, shipping method, delivery type, product',
  },
  hub: { field: '/hub_id', read: 'hub', code: true, part: 'depot, origin, hub code' },
  description: {
    field: '/parcel/description',
    read: 'text',
    part: 'contents, goods, goods description, contents description, designation; items, item name, item description, item designation, product name, product description',
  },
  contents_type: {
    field: '/parcel/contents_type',
    read: 'choice',
    part: 'contents type, goods type, contents',
    holds: (cell) => KINDS.includes(cell.toLowerCase()),
  },
  declared_value: {
    field: '/parcel/declared_value',
    read: 'money',
    capped: 'insured',
    part: 'value, goods value, insured value, insured amount',
  },
  currency: {
    field: '/parcel/declared_value/currency',
    read: 'currency',
    required: false,
    part: 'currency code',
  },
  signature_required: {
    field: '/options/signature_required',
    read: 'boolean',
    part: option('signature, signature requested'),
  },
  leave_safe_place: { field: '/options/leave_safe_place', read: 'place', part: option('safe place') },
  cash_on_delivery: {
    field: '/options/cash_on_delivery',
    read: 'money',
    capped: 'cash_on_delivery',
    part: option('cod, cod amount, cod value'),
  },
  not_before: {
    field: '/options/not_before_date',
    read: 'date',
    part: option('not before date, deliver after, delivery date not before'),
  },
  instructions: {
    field: '/recipient/address/access_notes',
    read: 'text',
    part: 'notes, delivery instructions, special instructions, customer notes',
  },
  parcel_count: refused('number of parcels, quantity of parcels'),
  age_check: refused('age check'),
  dangerous_goods: refused('dangerous goods'),
  saturday_delivery: refused('saturday delivery'),
  deliver_by: refused(
    'deliver by, deliver by date, delivery time, delivery date deliver by, delivery date time',
  ),
  pickup_point: refused('pickup point, pickup point id, pickup point number, pickup point name'),
  in_person: refused('in person, in person required'),
  deliver_on: refused('delivery date, delivery date required'),
  first_name: helper('first name', { of: 'recipient' }),
  last_name: helper('last name', { of: 'recipient' }),
  name_title: helper('recipient title, customer title, delivery title', { of: 'recipient' }),
  house_name: helper('house name', { of: 'recipient' }),
  house_number: helper('house number', { of: 'recipient' }),
  quantity: helper('quantity to ship; quantity, item quantity, product quantity'),
  item_weight: helper('item weight, product weight, unit weight', { read: 'weight' }),
  weight_unit: helper('weight unit, weight uom'),
  length_unit: helper('length unit, length uom, dims unit, dims uom, size unit, size uom'),
  unit: helper('unit, uom', { holds: (cell) => isUnit(cell) }),
} satisfies Record<string, Spec>

/** Those of a parcel, and then those that only help to read it. */
export type ColumnName = keyof typeof SPECS

export type Column = AnyColumn<ColumnName>

export const { columns: COLUMNS, columnOf } = defineColumns<ColumnName>(SPECS, FIELDS)

/** The three that one `dimensions` column replaces. */
export const SIZES = ['length_mm', 'width_mm', 'height_mm'] as const
