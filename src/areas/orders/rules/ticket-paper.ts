/**
 * The papers that a ticket printer still has to print of an order: a ticket, its changes, or its cancellation. They follow from the
 * order and from its earlier papers. Pure.
 */
import { isOrderOver, type OrderStatus } from '../states.ts'
import { cookedRows, kitchenRows, LINE_DEPARTURE_WORDS } from './kitchen-lines.ts'
import { formatLossReason, lossReasonOf } from './losses.ts'
import {
  headLines,
  rowLines,
  rowsOfStation,
  type TicketLine,
  ticketLines,
  type TicketOrder,
  type TicketSlip,
  type TicketWords,
} from './ticket.ts'

/** The units of each line that a paper says are to be made, by the line's id. */
export type TicketUnits = Readonly<Record<string, { name: string; quantity: number }>>

export type PaperKind = 'ticket' | 'change' | 'cancelled'

/** The event after which a ticket is printed. */
export const TICKET_STARTS = ['accepted', 'placed'] as const
export type TicketStart = (typeof TICKET_STARTS)[number]

export type PaperOrder = TicketOrder & {
  status: OrderStatus
  rejection: Parameters<typeof lossReasonOf>[0]['rejection']
}

/** Returns what a paper of an order would say now; of a station, its lines only. */
export function ticketUnits(order: PaperOrder, station: string | undefined): TicketUnits {
  const rows = rowsOfStation(order, cookedRows(order), station)
  return Object.fromEntries(rows.map(({ line_id, name, quantity }) => [line_id, { name, quantity }]))
}

type PaperState = {
  /** The units on the paper; null without a paper. */
  printed: TicketUnits | null
  /** True if a paper was sent, and whether it was printed is unknown. */
  isUnsure: boolean
}

export type PaperRule = { slip: TicketSlip; station: string | undefined; start: TicketStart }

/**
 * Returns the paper that an order needs next: undefined if none for now, `never` if none any more. What was cooked meanwhile, or
 * was cancelled before its kitchen had a paper, needs none.
 */
export function nextPaper(
  order: PaperOrder,
  { printed, isUnsure }: PaperState,
  { slip, station, start }: PaperRule,
): PaperKind | 'never' | undefined {
  const isOnPaper = printed !== null || isUnsure
  // An order that failed on its way had been made.
  if (lossReasonOf(order) !== undefined) return isOnPaper && order.status !== 'failed' ? 'cancelled' : 'never'
  if (isOrderOver(order.status)) return 'never'
  if (order.status === 'placed' && start === 'accepted') return undefined
  if (!STATUSES_ON_PAPER[slip].has(order.status)) return isOnPaper && !isUnsure ? undefined : 'never'
  return paperOfUnits(ticketUnits(order, station), { printed, isUnsure })
}

/** Returns the paper of an order that is made, by the units to make. */
function paperOfUnits(
  units: TicketUnits,
  { printed, isUnsure }: PaperState,
): 'ticket' | 'change' | undefined {
  if (printed !== null && listChangedUnits(printed, units).length > 0) return 'change'
  // An unsure paper without a change had one that was taken back.
  const isFirst = printed === null && Object.keys(units).length > 0
  return isUnsure || isFirst ? 'ticket' : undefined
}

/** The statuses in which an order is still to be made, or its bag still to be filled. */
const STATUSES_ON_PAPER: Readonly<Record<TicketSlip, ReadonlySet<OrderStatus>>> = {
  kitchen: new Set(['placed', 'accepted', 'preparing']),
  bag: new Set(['placed', 'accepted', 'preparing', 'ready']),
  whole: new Set(['placed', 'accepted', 'preparing', 'ready']),
}

type ChangedUnits = { lineId: string; name: string; more: number }

/** Returns the lines of which there are more or fewer units than before, fewer ones first. */
function listChangedUnits(before: TicketUnits, after: TicketUnits): ChangedUnits[] {
  return Object.entries({ ...before, ...after })
    .map(([lineId, { name }]) => ({
      lineId,
      name,
      more: (after[lineId]?.quantity ?? 0) - (before[lineId]?.quantity ?? 0),
    }))
    .filter(({ more }) => more !== 0)
    .toSorted((a, b) => Math.sign(a.more) - Math.sign(b.more))
}

export type PaperContent = {
  kind: PaperKind
  slip: TicketSlip
  words: TicketWords
  /** The units on an earlier paper; null without one. */
  printed: TicketUnits | null
  /** The number of the paper at its printer. */
  number: number
  /** `maybe`: an earlier attempt may have printed it; `wanted`: a user wants it again. */
  copy?: 'maybe' | 'wanted' | undefined
  /** The time of printing, where that is late. */
  lateAt?: string | undefined
}

/** Returns all lines of a paper. Its last line has its number, by which a kitchen knows a copy. */
export function paperLines(order: PaperOrder, content: PaperContent): TicketLine[] {
  const { kind, slip, words, printed, number, copy, lateAt } = content
  const lines =
    kind === 'ticket'
      ? ticketLines(order, slip, words)
      : [...headLines(order, words), ...(kind === 'change' ? changeLines : lostLines)(order, words, printed)]
  return [
    ...(kind === 'ticket' ? [] : [mark(kind === 'change' ? 'CHANGE' : 'CANCELLED')]),
    ...(copy === undefined ? [] : [mark(copy === 'maybe' ? 'COPY?' : 'COPY')]),
    ...(lateAt === undefined || kind !== 'ticket' ? [] : [mark('LATE'), lateLine(order, lateAt, words)]),
    ...lines,
    { style: 'fact', text: `Ticket ${number}${COPY_WORDS[copy ?? 'none']}` },
  ]
}

const COPY_WORDS = {
  none: '',
  wanted: ', copy',
  maybe: ', copy? The same number may have been printed before.',
} as const

function mark(text: string): TicketLine {
  return { style: 'mark', text }
}

function lateLine({ prep, placed_at }: PaperOrder, lateAt: string, { formatTime }: TicketWords): TicketLine {
  const since =
    prep.accepted_at === null
      ? `ordered ${formatTime(placed_at)}`
      : `accepted ${formatTime(prep.accepted_at)}`
  return { style: 'warning', text: `${since}, printed ${formatTime(lateAt)}` }
}

/** `- 1 Summer Rolls, taken off`, `+ 1 Water`, and what is to be made after that. */
function changeLines(order: PaperOrder, { station }: TicketWords, printed: TicketUnits | null): TicketLine[] {
  const rows = kitchenRows(order)
  const changes = listChangedUnits(printed ?? {}, ticketUnits(order, station))
  const left = rowsOfStation(order, cookedRows(order), station).map(
    ({ quantity, name }) => `${quantity} × ${name}`,
  )
  return [
    ...changes.flatMap(({ lineId, name, more }): TicketLine[] => {
      if (more < 0) {
        const fate = rows.find(({ line_id, leaving }) => line_id === lineId && leaving !== undefined)?.leaving
        const why =
          fate === undefined
            ? []
            : [{ style: 'detail' as const, text: LINE_DEPARTURE_WORDS[fate], isBelow: true as const }]
        return [{ style: 'dish', text: `- ${-more} ${name}` }, ...why]
      }
      const row = rows.find(({ line_id, leaving }) => line_id === lineId && leaving === undefined)
      return [
        { style: 'dish', text: `+ ${more} ${name}` },
        ...(row === undefined ? [] : rowLines(row).slice(1)),
      ]
    }),
    {
      style: 'fact',
      text: left.length === 0 ? 'Now nothing is to be made.' : `Now to make: ${left.join(', ')}`,
    },
  ]
}

function lostLines(order: PaperOrder, _: TicketWords, printed: TicketUnits | null): TicketLine[] {
  const why = formatLossReason(order) ?? 'rejected by the store'
  return [
    ...Object.values(printed ?? {}).map(({ name, quantity }): TicketLine => ({
      style: 'dish',
      text: `- ${quantity} ${name}`,
    })),
    { style: 'fact', text: `Do not make it: ${why}` },
  ]
}
