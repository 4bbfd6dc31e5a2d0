/** The lines of an order's ticket: the same words on a ticket printer and on the paper of the kitchen page. Pure. */
import { formatGroupedMoney, type Money } from '../../../core/money.ts'
import {
  chargeOf,
  countsAsPaid,
  type PaymentMethod,
  type PaymentStatus,
} from '../../payments/rules/payment.ts'
import { formatAllergens, isAllergy } from './allergens.ts'
import { type KitchenRow, kitchenRows, LINE_DEPARTURE_WORDS } from './kitchen-lines.ts'
import { notesOf } from './waiting.ts'
import { problemNotes } from './wrong-words.ts'

/** The paper of an order: for its cooks, for its bag, or the whole of both. */
export type TicketSlip = 'kitchen' | 'bag' | 'whole'

/** The weight of a line, which each surface shows its own way. */
export type TicketStyle =
  | 'mark'
  | 'store'
  | 'number'
  | 'headline'
  | 'warning'
  | 'dish'
  | 'detail'
  | 'said'
  | 'fact'

export type TicketLine = {
  style: TicketStyle
  text: string
  /** The units of a dish. */
  quantity?: number
  /** True for a dish that is not cooked. Its text says so, too: a line of a thermal printer may be faint. */
  isStruck?: true
  /** True for a line about the dish above it. */
  isBelow?: true
}

export type TicketOrder = Parameters<typeof kitchenRows>[0] &
  Parameters<typeof notesOf>[0] &
  Parameters<typeof problemNotes>[0] &
  Parameters<typeof chargeOf>[0] & {
    display_number: string
    fulfillment_type: string
    customer: { first_name: string }
    placed_at: string
    prep: { accepted_at: string | null; estimated_ready_at: string }
    slot: { starts_at: string } | null
    table: { table_number: string; check?: { status: string } | null } | null
    payment: { method: PaymentMethod; status: PaymentStatus; amount: Money }
    delivery: { courier: { name: string; vehicle_type: string; eta_at: string | null } | null } | null
    /** The station of each line with units to make. An older service sends none. */
    kitchen_lines?: readonly { line_id: string; station: string | null }[]
    /** True if the store's rule accepted it. */
    auto_accepted?: boolean
  }

export type TicketWords = {
  store: string | undefined
  /** Writes the day of a time, such as `Fri 20 Nov`. */
  formatDay(instant: string): string
  /** Writes a time, with its day where that is not today. */
  formatTime(instant: string): string
  /** The station of a kitchen slip: other lines are only counted. */
  station?: string | undefined
}

/** Returns the lines of a ticket, top to bottom. */
export function ticketLines(order: TicketOrder, slip: TicketSlip, words: TicketWords): TicketLine[] {
  const isForKitchen = slip !== 'bag'
  return [
    ...headLines(order, words),
    ...dishLines(order, slip, words),
    ...(isForKitchen ? noteLines(order) : []),
    { style: 'fact', text: formatTicketTimes(order, words) },
    ...courierLine(order, words),
    ...(slip === 'kitchen' ? [] : [{ style: 'fact' as const, text: formatTicketPayment(order) }]),
  ]
}

/** Returns what stands above the dishes of each paper about an order: store and day, number, how and for whom, allergies. */
export function headLines(order: TicketOrder, words: TicketWords): TicketLine[] {
  const { display_number, customer, slot, placed_at } = order
  const day = words.formatDay(slot?.starts_at ?? placed_at)
  const station = words.station === undefined ? [] : [words.station]
  return [
    {
      style: 'store',
      text: [...(words.store === undefined ? [] : [words.store]), ...station, day].join(', '),
    },
    { style: 'number', text: display_number },
    { style: 'headline', text: `${formatTicketFulfillment(order)}, ${customer.first_name}` },
    ...notesOf(order)
      .filter(({ allergy }) => allergy)
      .map(({ text, of }): TicketLine => {
        const on = of === undefined ? '' : `${of}: `
        return { style: 'warning', text: `ALLERGY ${on}${text}` }
      }),
  ]
}

/** `Delivery`, `Dine in`, `Table 4`. */
function formatTicketFulfillment({ fulfillment_type, table }: TicketOrder): string {
  return table === null ? capitalize(fulfillment_type) : `Table ${table.table_number}`
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
}

/** Returns the rows of a station; all rows without one. A row of a line without units to make keeps no station. */
export function rowsOfStation<T extends Pick<KitchenRow, 'line_id'>>(
  { kitchen_lines: lines = [] }: Pick<TicketOrder, 'kitchen_lines'>,
  rows: readonly T[],
  station: string | undefined,
): T[] {
  if (station === undefined) return [...rows]
  const own = new Set(lines.filter((line) => line.station === station).map(({ line_id }) => line_id))
  return rows.filter(({ line_id }) => own.has(line_id))
}

function dishLines(order: TicketOrder, slip: TicketSlip, { station }: TicketWords): TicketLine[] {
  if (slip === 'bag')
    return kitchenRows(order)
      .filter(isCookedRow)
      .flatMap((row) => bagLines(row))
  return [
    ...rowsOfStation(order, kitchenRows(order), station).flatMap((row) => rowLines(row)),
    ...elsewhereLine(order, station),
  ]
}

const isCookedRow = ({ leaving }: KitchenRow): boolean => leaving === undefined

/** A bag is checked dish by dish, with what was chosen for each. */
function bagLines(row: KitchenRow): TicketLine[] {
  return [{ style: 'dish', text: row.name, quantity: row.quantity }, ...modifierLines(row)]
}

export function rowLines(row: KitchenRow): TicketLine[] {
  const { quantity, name, leaving, isReplacement, warning, notes } = row
  const fate = leaving === undefined ? '' : ` ${LINE_DEPARTURE_WORDS[leaving]}`
  const contains = leaving === undefined ? formatAllergens(warning) : undefined
  return [
    {
      style: 'dish',
      text: `${isReplacement ? 'instead: ' : ''}${name}${fate}`,
      quantity,
      ...(leaving !== undefined && leaving !== 'asked' && { isStruck: true }),
    },
    ...modifierLines(row),
    ...(contains === undefined
      ? []
      : [{ style: 'warning' as const, text: contains, isBelow: true as const }]),
    ...(notes === null || isAllergy(notes)
      ? []
      : [{ style: 'said' as const, text: `“${notes}”`, isBelow: true as const }]),
  ]
}

function modifierLines({ modifiers }: Pick<KitchenRow, 'modifiers'>): TicketLine[] {
  return modifiers.map(({ name, quantity }) => ({
    style: 'detail',
    text: quantity > 1 ? `${name} × ${quantity}` : name,
    isBelow: true,
  }))
}

/** `and 2 at Hot, 1 at Bar`: the lines to make that a station waits for. */
function elsewhereLine(
  { kitchen_lines: lines = [] }: TicketOrder,
  station: string | undefined,
): TicketLine[] {
  if (station === undefined) return []
  const others = lines.filter((line) => line.station !== station)
  if (others.length === 0) return []
  const counts = [...Map.groupBy(others, (line) => line.station)].map(([name, at]) =>
    name === null ? `${at.length} at no station` : `${at.length} at ${name}`,
  )
  return [{ style: 'said', text: `and ${counts.join(', ')}` }]
}

function noteLines(order: TicketOrder): TicketLine[] {
  const { notes } = order
  return [
    ...problemNotes(order).map((text): TicketLine => ({ style: 'said', text })),
    ...(notes === null || notes === undefined || isAllergy(notes)
      ? []
      : [{ style: 'said' as const, text: `“${notes}”` }]),
  ]
}

/** `Ordered 12:00, accepted 12:04, ready by 12:30, for Sat 21 Nov 18:00`. */
function formatTicketTimes(
  { placed_at, prep, slot, auto_accepted }: TicketOrder,
  { formatTime }: TicketWords,
): string {
  const accepted =
    prep.accepted_at === null
      ? []
      : [`accepted ${auto_accepted === true ? 'automatically ' : ''}${formatTime(prep.accepted_at)}`]
  return [
    `Ordered ${formatTime(placed_at)}`,
    ...accepted,
    `ready by ${formatTime(prep.estimated_ready_at)}`,
    ...(slot === null ? [] : [`for ${formatTime(slot.starts_at)}`]),
  ].join(', ')
}

function courierLine({ delivery }: TicketOrder, { formatTime }: TicketWords): TicketLine[] {
  const courier = delivery?.courier ?? null
  if (courier === null) return []
  const eta = courier.eta_at === null ? '' : `, here ${formatTime(courier.eta_at)}`
  const vehicle = courier.vehicle_type.replaceAll('_', ' ')
  return [{ style: 'fact', text: `Courier ${courier.name} (${vehicle})${eta}` }]
}

/** `£27.19 Card, paid`, `£12.00 Cash, unpaid`, `£9.00 Pay at table, bill open`. */
function formatTicketPayment(order: TicketOrder): string {
  const { payment, table } = order
  const isOpen = table?.check?.status === 'open'
  const state = isOpen ? 'bill open' : countsAsPaid(payment) ? 'paid' : payment.status.replaceAll('_', ' ')
  return `${formatGroupedMoney(chargeOf(order))} ${capitalize(payment.method)}, ${state}`
}
