/** The papers that a printer still has to print: they follow from the orders of its store and from its earlier papers. */
import { nextPaper } from '../../../areas/orders/rules/ticket-paper.ts'
import type { TicketSlip } from '../../../areas/orders/rules/ticket.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import type { Client } from '../../../client/client.ts'
import { AppError } from '../../../core/errors.ts'
import { type PaperRecord, listPaperRequests } from '../../../local-state/printers.ts'
import { loadActiveOrders, loadOrder } from '../orders/active.ts'
import { findSlipStation, type NextPaper, type PrintableOrder, type PrinterDesk } from './desk.ts'

/** The orders of a store as they were last read. */
export type KnownOrders = { orders: Map<string, PrintableOrder>; now: number }

/** A paper to print, with its order. */
export type DuePaper = NextPaper & { order: PrintableOrder }

/** The end of the slip of a paper that a user wants again: each of them is a paper of its own. */
const AGAIN = ' again '

/** Reads the active orders, and those with an open paper that are active no more. */
export async function readTicketOrders(
  client: Client,
  desk: PrinterDesk,
  { merchantId, signal }: { merchantId: string | undefined; signal: AbortSignal },
): Promise<KnownOrders> {
  const { orders: active, now } = await loadActiveOrders(client, { merchantId, signal })
  const orders = new Map(active.map((order) => [order.order_id, order as PrintableOrder]))
  for (const { order_id } of openPapersOf(desk)) {
    if (orders.has(order_id)) continue
    const order = await loadOrder(client, order_id).catch((error: unknown) => {
      // The store was reset, or replaced by one without it.
      if (error instanceof AppError && error.entry.status === 404) return undefined
      throw error
    })
    if (order !== undefined) orders.set(order_id, order as PrintableOrder)
  }
  return { orders, now }
}

function openPapersOf({ papers, service }: PrinterDesk): PaperRecord[] {
  return papers.list().filter((record) => record.service === service && record.status !== 'over')
}

/** Records the papers that orders need now, and returns them: the one first whose order was accepted first. */
export function listDuePapers(
  cli: CommandContext,
  desk: PrinterDesk,
  { orders, now }: KnownOrders,
): DuePaper[] {
  const { papers, settings } = desk
  for (const order of orders.values())
    for (const slip of settings.slips) {
      const known = papers.find(desk.service, order.order_id, slip)
      const isOther = known !== undefined && known.placed_at !== order.placed_at
      if (known !== undefined && !isOther) continue
      const next = nextPaper(order, { printed: null, isUnsure: false }, ruleOf(desk, slip))
      if (next === 'ticket') papers.save(makePaperRecord(cli, desk, order, slip))
    }
  const due = openPapersOf(desk).flatMap((record) => toDuePaper(cli, desk, record, { orders, now }) ?? [])
  return due.toSorted(
    (a, b) =>
      // A copy comes after the first ones.
      Number(a.isWanted === true) - Number(b.isWanted === true) ||
      Date.parse(startOf(a)) - Date.parse(startOf(b)),
  )
}

const startOf = ({ order }: DuePaper): string => order.prep.accepted_at ?? order.placed_at

function ruleOf(desk: PrinterDesk, slip: TicketSlip) {
  return { slip, station: findSlipStation(desk, slip), start: desk.settings.start }
}

function makePaperRecord(
  { runtime }: Pick<CommandContext, 'runtime'>,
  { service }: Pick<PrinterDesk, 'service'>,
  { order_id, display_number, placed_at, prep }: PrintableOrder,
  slip: string,
): PaperRecord {
  return {
    service,
    order_id,
    display_number,
    slip,
    placed_at,
    accepted_at: prep.accepted_at,
    status: 'waiting',
    kind: 'ticket',
    number: null,
    printed: null,
    at: runtime.now(),
  }
}

/** Returns the next paper of a record; undefined if none. Records what changed of it. */
function toDuePaper(
  cli: CommandContext,
  { papers, settings, service }: PrinterDesk,
  record: PaperRecord,
  { orders, now }: KnownOrders,
): DuePaper | undefined {
  const order = orders.get(record.order_id)
  const isWanted = record.slip.includes(AGAIN)
  const slip = record.slip.split(AGAIN)[0] as 'kitchen' | 'bag'
  if (order === undefined) return undefined
  if (isWanted) return { order, record, kind: 'ticket', slip, now, isWanted }
  if (!settings.slips.includes(slip)) return undefined
  const isUnsure = record.status === 'unsure'
  const next = nextPaper(
    order,
    { printed: record.printed, isUnsure },
    ruleOf({ settings } as PrinterDesk, slip),
  )
  const save = (change: Partial<PaperRecord>): PaperRecord => {
    const changed = { ...record, ...change, at: cli.runtime.now() }
    papers.save(changed)
    return changed
  }
  if (next === 'never') save({ status: 'over' })
  if (next === undefined && record.status === 'waiting' && record.printed !== null)
    save({ status: 'printed' })
  if (next === undefined || next === 'never') return undefined
  const isRecorded = isUnsure || (record.status === 'waiting' && record.kind === next)
  const accepted = { accepted_at: order.prep.accepted_at }
  return {
    order,
    record: isRecorded ? record : save({ ...accepted, service, status: 'waiting', kind: next }),
    kind: next,
    slip,
    now,
  }
}

/** Records the papers that users asked for since the last look. */
export async function recordWantedPapers(
  cli: CommandContext,
  client: Client,
  desk: PrinterDesk,
): Promise<void> {
  for (const { request, remove } of listPaperRequests(cli.runtime, desk.address.name)) {
    const order = (await loadOrder(client, request.order_id)) as PrintableOrder
    const name = `${request.slip}${AGAIN}${desk.papers.nextNumber()}`
    desk.papers.save(makePaperRecord(cli, desk, order, name))
    remove()
  }
}
