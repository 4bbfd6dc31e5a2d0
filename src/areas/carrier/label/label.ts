/** The label of a parcel: what is on it, and where. */
import type { ShipmentParty } from '../../../core/address.ts'
import type { DrawingBox, DrawingItem, TextItem } from '../../../core/drawing.ts'
import { formatGroupedMoney } from '../../../core/money.ts'
import { addDays } from '../../../core/time.ts'
import { SERVICE_LEVELS } from '../rules/rates.ts'
import { RETURN_DAYS } from '../rules/returns.ts'
import type { ShipmentSummary } from '../views.ts'
import { addressLines, countryLine } from './address.ts'

/** The fields of a parcel that stand on its label. */
export type LabelFields = Pick<
  ShipmentSummary,
  | 'tracking_number'
  | 'reference'
  | 'status'
  | 'service_level'
  | 'sender'
  | 'recipient'
  | 'parcel'
  | 'options'
  | 'estimated_delivery_date'
  | 'created_at'
  | 'return_of'
> & { label: Pick<ShipmentSummary['label'], 'barcode' | 'route_code'> }

/** The size of what is rendered, without the margins of the paper: it fits 4 × 6 inches and A6. */
export const LABEL = { width: 96, height: 142 } as const

const HAIR = 0.25
const LINE = 0.5
/** The space between a line and the text beside it. */
const PAD = 2

/** Short forms for the corner, where a sorter looks first. */
const MARKS = { same_day: 'SD', next_day: '24', two_day: '48', economy: 'EC' } as const

/** A cancelled parcel is not sent, so nothing may be stuck on it. */
export function hasLabel({ status }: Pick<LabelFields, 'status'>): boolean {
  return status !== 'cancelled'
}

/** True while a link to the parcel gives its label: the recipient sends it back. */
export function isLabelShared({
  status,
  return_of,
}: Partial<Pick<LabelFields, 'status' | 'return_of'>>): boolean {
  return return_of?.label === 'link' && status === 'pre_transit'
}

/** Returns the label of a parcel, with its top left corner at the origin. */
export function renderLabel(shipment: LabelFields): DrawingItem[] {
  return [
    { kind: 'frame', x: 0, y: 0, ...LABEL, line: LINE },
    ...head(shipment),
    ...recipient(shipment),
    ...facts(shipment),
    ...barcode(shipment),
    ...foot(shipment),
  ]
}

/** The service, in white on black, and the way through the hubs. */
function head(shipment: LabelFields): DrawingItem[] {
  const { service_level: code, label } = shipment
  const name = SERVICE_LEVELS.find((level) => level.code === code)?.name ?? code
  const route = label.route_code.split('-')
  return [
    { kind: 'fill', x: 0, y: 0, width: 22, height: 22 },
    text([MARKS[code]], { x: 1, y: 0.5, width: 20, height: 21 }, 44, {
      bold: true,
      white: true,
      ...MIDDLE,
    }),
    text([name.toUpperCase()], { x: 22 + PAD, y: 1.5, width: 70, height: 10 }, 24, { bold: true }),
    text([deadline(shipment)], inside(22, 12.5, 74, 7), 12),
    rule(0, 22, LABEL.width),
    text([route.slice(0, 3).join(' ')], inside(0, 23.5, 72, 13), 34, { bold: true, stands: 'middle' }),
    text([route.slice(3).join(' ')], { x: 74, y: 24, width: 20, height: 12 }, 26, { bold: true, ...MIDDLE }),
    upright(72, 22, 16),
    rule(0, 38, LABEL.width),
  ]
}

/** The day by which it is delivered; a return has the day by which it must be sent, because the other is unknown. */
function deadline({ return_of, created_at, estimated_delivery_date }: LabelFields): string {
  if (return_of === undefined) return `Deliver by ${formatLabelDay(estimated_delivery_date)}`
  return `Return: send by ${formatLabelDay(addDays(created_at.slice(0, 10), RETURN_DAYS))}`
}

/** Letters of a name that fit beside each other in its largest size. */
const SHORT_NAME = 24

const MIDDLE = { align: 'centre', stands: 'middle' } as const

function recipient(shipment: LabelFields): DrawingItem[] {
  const { recipient: to, sender } = shipment
  const names = [to.contact.name, ...(to.company === undefined ? [] : [to.company])]
  const { country_code: country } = to.address
  // A name in Latin letters needs no more than its line; a company, or a long name, gets another one.
  const below = names.length === 1 && to.contact.name.length <= SHORT_NAME ? 51 : 56
  const marks = marksOf(shipment.options)
  const notes = notesOf(shipment)
  const notesTop = 84 - heightOf(notes)
  const marksTop = marks.length === 0 ? notesTop : notesTop - 6
  return [
    text(['DELIVER TO'], inside(0, 39, 40, 4), 7),
    text(names, inside(0, 43, 96, below - 43), 17, { bold: true, least: 5, country }),
    text(addressOf(to, sender), inside(0, below, 96, marksTop - 0.5 - below), 14, { least: 5, country }),
    ...(marks.length === 0
      ? []
      : [text([marks.join(' · ')], inside(0, marksTop, 96, 6), 12, { bold: true })]),
    ...(notes.length === 0 ? [] : [text(notes, inside(0, notesTop, 96, 84 - notesTop), 9)]),
    rule(0, 84.5, LABEL.width),
  ]
}

/** The conditions of the handover, which a driver must not miss. */
function marksOf({
  signature_required,
  cash_on_delivery,
  not_before_date,
}: LabelFields['options']): string[] {
  return [
    ...(signature_required === true ? ['SIGNATURE'] : []),
    ...(cash_on_delivery === undefined ? [] : [`COLLECT ${formatGroupedMoney(cash_on_delivery)}`]),
    ...(not_before_date === undefined ? [] : [`NOT BEFORE ${formatLabelDay(not_before_date).toUpperCase()}`]),
  ]
}

/** The safe place and the instructions to the driver. A signature excludes a safe place: no recipient signs there. */
function notesOf({ options, recipient: to }: LabelFields): string[] {
  const { signature_required, leave_safe_place } = options
  const { access_notes } = to.address
  return [
    ...(leave_safe_place === undefined || signature_required === true
      ? []
      : [`Safe place: ${leave_safe_place}`]),
    ...(access_notes === undefined ? [] : [access_notes]),
  ]
}

/** Letters of a note that fit beside each other in its largest size. */
const SHORT_NOTE = 55

/** Long notes take from the address, which fits in less: they are read at the door, without a way to look them up. */
function heightOf(notes: readonly string[]): number {
  const lines = notes.reduce((sum, note) => sum + Math.ceil(note.length / SHORT_NOTE), 0)
  return Math.min(lines * 4, 12)
}

function addressOf({ address }: ShipmentParty, from: ShipmentParty): string[] {
  const abroad = address.country_code !== from.address.country_code
  return [...addressLines(address), ...(abroad ? [countryLine(address.country_code)] : [])]
}

/** The facts that the sender and the driver compare: reference, weight, size, and the day on which it was made. */
function facts({ reference: own, return_of, parcel, created_at }: LabelFields): DrawingItem[] {
  const reference = own ?? return_of?.reference
  const { weight_grams, length_mm, width_mm, height_mm } = parcel
  const cells: [title: string, value: string, width: number][] = [
    ['REFERENCE', reference ?? '–', 36],
    ['WEIGHT', formatWeight(weight_grams), 16],
    ['SIZE', `${[length_mm, width_mm, height_mm].map(formatCentimetres).join(' × ')} cm`, 24],
    ['MADE', formatLabelDate(created_at.slice(0, 10)), 20],
  ]
  const items: DrawingItem[] = []
  let x = 0
  for (const [title, value, width] of cells) {
    if (x > 0) items.push(upright(x, 84.5, 10.5))
    items.push(text([title], inside(x, 85.2, width, 3), 6))
    items.push(
      text([value], inside(x, 88.3, width, 6), x === 0 ? 11 : 9, {
        bold: true,
        least: 4.5,
        stands: 'middle',
      }),
    )
    x += width
  }
  return [...items, rule(0, 95, LABEL.width)]
}

function barcode({ tracking_number: number, label }: LabelFields): DrawingItem[] {
  const { value } = label.barcode
  return [
    { kind: 'code128', x: PAD, y: 97, width: LABEL.width - 2 * PAD, height: 20, value },
    text([formatTrackingNumber(number)], inside(0, 117.5, 96, 6.5), 15, { bold: true, ...MIDDLE }),
    rule(0, 124.5, LABEL.width),
  ]
}

/** The code for scanners that read a square, and where a parcel goes that cannot be delivered. */
function foot({ label, recipient: to, sender: from }: LabelFields): DrawingItem[] {
  const { country_code, postal_code } = to.address
  // ASCII alone: it takes half the space, and every scanner reads it.
  const value = [label.barcode.value, label.route_code, country_code, postal_code].join('|')
  const names = [...(from.company === undefined ? [] : [from.company]), from.contact.name]
  const lines = [...names, ...addressLines(from.address)]
  return [
    { kind: 'datamatrix', x: 0.4, y: 124.9, width: 16.7, height: 16.7, value: value.replace(/[^ -~]/g, '') },
    upright(17.5, 124.5, 17.5),
    text(['IF UNDELIVERED, RETURN TO'], inside(17.5, 125, 60, 3), 6),
    text(lines, inside(17.5, 128.3, 78.5, 13), 8, { least: 4, country: from.address.country_code }),
  ]
}

type Style = Partial<Omit<TextItem, 'kind' | 'lines' | 'size' | keyof DrawingBox>>

function text(lines: readonly string[], box: DrawingBox, size: number, style: Style = {}): TextItem {
  return { kind: 'text', ...box, lines, size, least: size / 2, ...style }
}

/** Returns a box between lines, with space at its left and right. */
function inside(x: number, y: number, width: number, height: number): DrawingBox {
  return { x: x + PAD, y, width: width - 2 * PAD, height }
}

function rule(x: number, y: number, width: number): DrawingItem {
  return { kind: 'fill', x, y: y - LINE / 2, width, height: LINE }
}

function upright(x: number, y: number, height: number): DrawingItem {
  return { kind: 'fill', x: x - HAIR / 2, y, width: HAIR, height }
}

/** Returns `ZC 9680 4337 0 GB`: people read groups. */
function formatTrackingNumber(number: string): string {
  const [, kind, first, second, check, country] =
    /^([A-Z]{2})(\d{4})(\d{4})(\d)([A-Z]{2})$/.exec(number) ?? []
  return kind === undefined ? number : [kind, first, second, check, country].join(' ')
}

export function formatWeight(grams: number): string {
  return grams < 1000 ? `${grams} g` : `${Number((grams / 1000).toFixed(2))} kg`
}

function formatCentimetres(mm: number): string {
  return String(Number((mm / 10).toFixed(1)))
}

/** Returns `Fri 21 Nov` of `2026-11-21`. */
function formatLabelDay(date: string): string {
  const [weekday = '', day, month] = new Date(`${date}T00:00:00Z`).toUTCString().replace(',', '').split(' ')
  return `${weekday} ${Number(day)} ${month}`
}

/** Returns `21 Nov 2026` of `2026-11-21`. */
export function formatLabelDate(date: string): string {
  return new Date(`${date}T00:00:00Z`).toUTCString().slice(5, 16).replace(/^0/, '')
}
