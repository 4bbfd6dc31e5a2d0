/** Prints the tickets of a store as its orders come and change, until a signal or `--timeout`. */
import type { PaperKind } from '../../../areas/orders/rules/ticket-paper.ts'
import type { TicketLine } from '../../../areas/orders/rules/ticket.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { cellText } from '../../../cli/output/cell.ts'
import { toJson } from '../../../cli/output/json.ts'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import { printResult } from '../../../cli/print.ts'
import { mayMend } from '../../../cli/track/may-mend.ts'
import { POLL_MS } from '../../../cli/track/poll.ts'
import type { Client } from '../../../client/client.ts'
import { AppError, EXIT } from '../../../core/errors.ts'
import { toTimestamp } from '../../../core/time.ts'
import type { PrintResult } from './connection/print-result.ts'
import { openDesk, type PrinterDesk } from './desk.ts'
import {
  type DuePaper,
  type KnownOrders,
  listDuePapers,
  readTicketOrders,
  recordWantedPapers,
} from './papers.ts'
import type { PrinterAddress } from './printer-address.ts'
import type { TicketSettings } from './settings.ts'
import { loadTicketStore } from './store.ts'

export type TicketRun = {
  address: PrinterAddress
  settings: TicketSettings
  merchantId: string | undefined
  /** True to print what is due now, and end. */
  isOnce: boolean
}

/** A printed paper, as scripts read it. */
type PrintedTicket = {
  ticket: number | null
  order_id: string
  display_number: string
  slip: string
  kind: PaperKind
  /** True if it may have been printed before. */
  maybe_copy: boolean
  at: string
}

/** A printer that took a paper and was silent gets the next try after this time, twice as long after each. */
const FIRST_RETRY_MS = 5000
const MAX_RETRY_MS = 60_000
/** A printer without anything to print is asked now and then whether it could: the next order is too late to notice. */
const PROBE_MS = 30_000

/** Returns the exit code. Throws `printer_in_use`, and with `isOnce` `printer_unavailable` while something waits. */
export async function printTickets(cli: CommandContext, run: TicketRun): Promise<number> {
  const { runtime, settings } = cli
  const signal = runtime.interruption()
  const ends = runtime.elapsed() + (settings.timeoutMs ?? Infinity)
  const client = await cli.client()
  const desk = await openStoreDesk(cli, client, run)
  const printed: PrintedTicket[] = []
  try {
    const look = makeOrderReader(cli, client, desk, { merchantId: run.merchantId, signal })
    const probe = makeProbe(cli, desk)
    const retry = makeRetryTimer(cli)
    for (;;) {
      const known = await look()
      const due = listDuePapers(cli, desk, known)
      const result = retry.isDue()
        ? ((await printDue(cli, desk, due, printed)) ?? (await probe()))
        : undefined
      retry.record(result)
      await desk.report(result)
      if (run.isOnce) assertPrinted(desk, result, due.length)
      signal.throwIfAborted()
      if (run.isOnce || runtime.elapsed() >= ends) break
      await runtime.sleep(POLL_MS, signal)
      signal.throwIfAborted()
    }
    await finish(cli, printed)
    return EXIT.ok
  } finally {
    desk.close()
  }
}

/** Takes the printer for the tickets of a store, whose name and station they have. */
async function openStoreDesk(
  cli: CommandContext,
  client: Client,
  { address, settings, merchantId }: Omit<TicketRun, 'isOnce'>,
): Promise<PrinterDesk> {
  const { name, station } = await loadTicketStore(client, { merchantId, station: settings.station })
  const desk = await openDesk(cli, address, { settings: { ...settings, station }, merchantId })
  desk.store = name
  return desk
}

/** Throws `printer_unavailable` for papers that a printer did not take, or of which it is not known. */
function assertPrinted({ address }: PrinterDesk, result: PrintResult | undefined, waiting: number): void {
  if (waiting === 0 || result === undefined || result.outcome === 'printed') return
  const what = waiting === 1 ? '1 ticket waits' : `${waiting} tickets wait`
  throw new AppError(
    'printer_unavailable',
    `The printer ${address.name} is gone: ${result.why}; ${what} for it.`,
  )
}

/** Spaces the tries of a printer that takes papers and is silent: each may be on paper. */
function makeRetryTimer({ runtime }: CommandContext) {
  let [until, ms] = [0, FIRST_RETRY_MS]
  return {
    isDue: () => runtime.elapsed() >= until,
    record(result: PrintResult | undefined): void {
      if (result?.outcome === 'unknown')
        [until, ms] = [runtime.elapsed() + ms, Math.min(MAX_RETRY_MS, ms * 2)]
      if (result?.outcome === 'printed') ms = FIRST_RETRY_MS
    },
  }
}

/** Reads the orders again and again. A service that is gone does not hold the tickets that wait already. */
function makeOrderReader(
  cli: CommandContext,
  client: Client,
  desk: PrinterDesk,
  options: Parameters<typeof readTicketOrders>[2],
): () => Promise<KnownOrders> {
  let known: KnownOrders | undefined
  let isSilent = false
  return async () => {
    try {
      await recordWantedPapers(cli, client, desk)
      known = await readTicketOrders(client, desk, options)
      if (isSilent) await cli.say('The service answers again.')
      isSilent = false
    } catch (error) {
      options.signal.throwIfAborted()
      if (known === undefined || !mayMend(error)) throw error
      if (!isSilent) await cli.say(`${error.message} Trying again.`)
      isSilent = true
    }
    return known
  }
}

/** Asks the printer now and then whether it can print; undefined in between. */
function makeProbe({ runtime }: CommandContext, desk: PrinterDesk): () => Promise<PrintResult | undefined> {
  let last = -Infinity
  return async () => {
    if (runtime.elapsed() - last < PROBE_MS) return undefined
    last = runtime.elapsed()
    return desk.probe()
  }
}

/** Prints papers until one fails. Returns the last result; undefined without a paper. */
async function printDue(
  cli: CommandContext,
  desk: PrinterDesk,
  due: readonly DuePaper[],
  printed: PrintedTicket[],
): Promise<PrintResult | undefined> {
  let last: PrintResult | undefined
  for (const paper of due) {
    const isCopy = paper.record.status === 'unsure'
    const { result, record } = await desk.print(paper.order, paper)
    last = result
    if (result.outcome !== 'printed') break
    const { number, order_id, display_number } = record
    const ticket: PrintedTicket = {
      ticket: number,
      order_id,
      display_number,
      slip: paper.slip,
      kind: paper.kind,
      maybe_copy: isCopy,
      at: toTimestamp(paper.now),
    }
    printed.push(ticket)
    await printTicketLine(cli, ticket)
  }
  return last
}

async function printTicketLine(cli: CommandContext, ticket: PrintedTicket): Promise<void> {
  const { format } = cli.settings
  const { stdout } = cli.io
  if (format === 'ndjson') await stdout.write(`${toJson(ticket)}\n`)
  if (format !== 'table') return
  const time = cellText(ticket.at, '', { tty: stdout.isTTY, width: 80, colour: false })
  const copy = ticket.maybe_copy ? ', copy?' : ''
  const parts = [
    time,
    sanitizeForTerminal(ticket.display_number),
    ticket.slip,
    ticket.kind,
    `ticket ${ticket.ticket}${copy}`,
  ]
  await stdout.write(`${parts.join(stdout.isTTY ? '  ' : '\t')}\n`)
}

/** Prints the one document of a format that is no stream. */
async function finish(cli: CommandContext, printed: readonly PrintedTicket[]): Promise<void> {
  const { format } = cli.settings
  if (format === 'ndjson' || format === 'table') return
  await printResult(cli, { data: printed, has_more: false, next_cursor: null }, { list: true })
}

/** Prints the papers that users want again. Throws `printer_in_use`, `printer_unavailable`. */
export async function printWanted(cli: CommandContext, run: Omit<TicketRun, 'isOnce'>): Promise<void> {
  const client = await cli.client()
  const desk = await openStoreDesk(cli, client, run)
  try {
    await recordWantedPapers(cli, client, desk)
    const { signal } = new AbortController()
    const known = await readTicketOrders(client, desk, { merchantId: run.merchantId, signal })
    const wanted = listDuePapers(cli, desk, known).filter(({ isWanted }) => isWanted === true)
    for (const paper of wanted) {
      const { result } = await desk.print(paper.order, paper)
      await desk.report(result)
      if (result.outcome === 'printed') continue
      // The user reads the error and decides: the paper does not wait for the printer.
      for (const { record } of wanted) desk.papers.save({ ...record, status: 'over' })
      throw new AppError('printer_unavailable', `The printer ${run.address.name} is gone: ${result.why}.`)
    }
  } finally {
    desk.close()
  }
}

const TEST_TICKET: readonly TicketLine[] = [
  { style: 'mark', text: 'TEST' },
  { style: 'store', text: 'dray' },
  { style: 'number', text: '7K2M' },
  { style: 'headline', text: 'Delivery, Priya' },
  { style: 'warning', text: 'ALLERGY no peanuts' },
  { style: 'dish', text: 'Crème brûlée', quantity: 2 },
  { style: 'detail', text: 'extra sugar × 2', isBelow: true },
  { style: 'dish', text: 'Pierogi ruskie, Łódź', quantity: 1 },
  { style: 'fact', text: '£12.50 · €14.90 · 100 %' },
  { style: 'fact', text: 'The line of dashes fills the paper, and every letter is as on your screen.' },
]

/** Prints a ticket that is about no order. Throws `printer_in_use`, `printer_unavailable`. */
export async function printTestTicket(cli: CommandContext, run: Omit<TicketRun, 'isOnce'>): Promise<void> {
  const desk = await openDesk(cli, run.address, run)
  try {
    const result = await desk.printLines(TEST_TICKET)
    await desk.report(result)
    if (result.outcome !== 'printed')
      throw new AppError('printer_unavailable', `The printer ${run.address.name} is gone: ${result.why}.`)
  } finally {
    desk.close()
  }
}
