/** One printer in the hands of this process: its lock, its papers and its state. */
import {
  paperLines,
  type PaperContent,
  type PaperKind,
  type PaperOrder,
  ticketUnits,
} from '../../../areas/orders/rules/ticket-paper.ts'
import type { TicketSlip } from '../../../areas/orders/rules/ticket.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { shownTarget } from '../../../cli/explain.ts'
import { commandLine } from '../../../cli/output/shell.ts'
import { AppError } from '../../../core/errors.ts'
import { toTimestamp } from '../../../core/time.ts'
import {
  makePrinterFolder,
  openPapers,
  type PaperLog,
  type PaperRecord,
  type PrinterEntry,
  writePrinter,
} from '../../../local-state/printers.ts'
import { encodeReceipt } from '../../../rendering/receipt.ts'
import type { BusinessOrderOutput } from '../orders/order.ts'
import { timeOrDay } from '../orders/words.ts'
import { sendToPrinter } from './connection/connection.ts'
import { PRINTER_LIMITS, type PrintResult } from './connection/print-result.ts'
import { toReceiptLines } from './layout.ts'
import type { PrinterAddress } from './printer-address.ts'
import { type TicketSettings, toSavedSettings } from './settings.ts'

/** An order from the service, with what its ticket needs. */
export type PrintableOrder = BusinessOrderOutput & PaperOrder

export type PrinterDesk = {
  readonly address: PrinterAddress
  readonly settings: TicketSettings
  readonly service: string
  readonly papers: PaperLog
  /** The name of the store; undefined while it is not known. */
  store: string | undefined
  /** Sends the next paper of an order, and records it before and after. */
  print(order: PrintableOrder, paper: NextPaper): Promise<PrintedPaper>
  /** Sends lines that are about no order. */
  printLines(lines: Parameters<typeof toReceiptLines>[0]): Promise<PrintResult>
  /** Asks the printer whether it can print. `printed` means that it can. */
  probe(): Promise<PrintResult>
  /** Records the state of the printer, and says when it changes. */
  report(result: PrintResult | undefined): Promise<void>
  close(): void
}

export type NextPaper = {
  record: PaperRecord
  kind: PaperKind
  slip: TicketSlip
  /** The time of the service in milliseconds. */
  now: number
  /** True for a paper that a user wants again. */
  isWanted?: boolean
}

export type PrintedPaper = { result: PrintResult; record: PaperRecord }

/** Takes the printer. Throws AppError('printer_in_use') while another process has it. */
export async function openDesk(
  cli: CommandContext,
  address: PrinterAddress,
  { settings, merchantId }: { settings: TicketSettings; merchantId: string | undefined },
): Promise<PrinterDesk> {
  const { runtime } = cli
  const release = await runtime.tryLock(makePrinterFolder(runtime, address.name))
  if (release === undefined)
    throw new AppError('printer_in_use', `Another process prints to ${address.name}.`, {
      hint: `End it first. \`${commandLine(['dray', 'business', 'tickets', 'list', '--printer', address.name])}\` shows its tickets.`,
    })
  try {
    const papers = openPapers(runtime, address.name)
    const state = makePrinterState(cli, address, { settings, merchantId, papers })
    const desk: PrinterDesk = {
      address,
      settings,
      service: shownTarget(cli.settings.target).address,
      papers,
      store: undefined,
      print: (order, paper) => printPaper(cli, desk, order, paper),
      printLines: (lines) => sendLines(cli, desk, lines, () => undefined),
      probe: () =>
        sendToPrinter(
          address,
          new Uint8Array(),
          toSending(settings, () => undefined),
        ),
      report: (result) => state.report(result),
      close() {
        state.end()
        release()
      },
    }
    await desk.report(undefined)
    return desk
  } catch (error) {
    release()
    throw error
  }
}

/** A ticket that is printed so long after its order was accepted says so. */
const LATE_MS = 120_000

async function printPaper(
  cli: CommandContext,
  desk: PrinterDesk,
  order: PrintableOrder,
  paper: NextPaper,
): Promise<PrintedPaper> {
  const { papers } = desk
  const { record, kind, isWanted = false } = paper
  const number = numberOf(desk, paper)
  const sent: PaperRecord = { ...record, status: 'unsure', kind, number, at: cli.runtime.now() }
  let isSent = false
  const result = await sendLines(cli, desk, paperLines(order, toContent(desk, order, paper, number)), () => {
    papers.save(sent)
    isSent = true
  })
  // The earlier record holds again: no byte of the paper came to the printer.
  if (result.outcome === 'absent' && isSent) papers.save(record)
  if (result.outcome === 'absent') return { result, record }
  if (result.outcome === 'unknown') return { result, record: sent }
  const done: PaperRecord = {
    ...sent,
    status: kind === 'cancelled' || isWanted ? 'over' : 'printed',
    printed: ticketUnits(order, findSlipStation(desk, paper.slip)),
    at: cli.runtime.now(),
  }
  papers.save(done)
  return { result, record: done }
}

/** Returns the number of a paper. One that may be a copy has that of the first attempt, by which a kitchen knows both. */
function numberOf({ papers }: PrinterDesk, { record, kind }: NextPaper): number {
  const isSame = record.status === 'unsure' && record.kind === kind
  return (isSame ? record.number : null) ?? papers.nextNumber()
}

/** Returns the station of a slip; undefined if it has the lines of all. */
export function findSlipStation(
  { settings }: Pick<PrinterDesk, 'settings'>,
  slip: TicketSlip,
): string | undefined {
  return slip === 'bag' ? undefined : (settings.station ?? undefined)
}

function toContent(desk: PrinterDesk, order: PrintableOrder, paper: NextPaper, number: number): PaperContent {
  const { record, kind, slip, now, isWanted = false } = paper
  return {
    kind,
    slip,
    number,
    printed: record.printed,
    words: { store: desk.store, station: findSlipStation(desk, slip), ...timeWords(order, now) },
    copy: record.status === 'unsure' ? 'maybe' : isWanted ? 'wanted' : undefined,
    lateAt: isWanted || !isLate(order, now) ? undefined : toTimestamp(now),
  }
}

function isLate({ prep, placed_at }: PrintableOrder, now: number): boolean {
  return now - Date.parse(prep.accepted_at ?? placed_at) > LATE_MS
}

/** Writes times by the clock of the store. */
function timeWords({ timezone = 'UTC' }: PrintableOrder, now: number) {
  const day = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: timezone,
  })
  return {
    formatDay: (instant: string) => day.format(Date.parse(instant)).replace(',', ''),
    formatTime: (instant: string) => timeOrDay(instant, now, timezone),
  }
}

async function sendLines(
  cli: CommandContext,
  { address, settings }: PrinterDesk,
  lines: Parameters<typeof toReceiptLines>[0],
  onSend: () => void,
): Promise<PrintResult> {
  const receipts: Uint8Array[] = []
  for (let copy = 1; copy <= settings.copies; copy++) {
    const marked =
      copy === 1 ? lines : [...lines, { style: 'fact' as const, text: `Copy ${copy} of ${settings.copies}` }]
    // One sound calls for all copies.
    const format = copy === 1 ? settings : { ...settings, buzzer: 'none' as const }
    const { bytes, problem } = await encodeReceipt(toReceiptLines(marked), format)
    if (problem !== undefined && copy === 1) await cli.say(`${problem.message} ${problem.hint ?? ''}`)
    receipts.push(bytes)
  }
  return sendToPrinter(address, Buffer.concat(receipts), toSending(settings, onSend))
}

function toSending({ language }: TicketSettings, onSend: () => void) {
  return { language, limits: PRINTER_LIMITS, onSend }
}

type StateParts = { settings: TicketSettings; merchantId: string | undefined; papers: PaperLog }

/** Keeps the state file of the printer, which `doctor` and the kitchen page read. */
function makePrinterState(
  cli: CommandContext,
  address: PrinterAddress,
  { settings, merchantId, papers }: StateParts,
) {
  const { runtime } = cli
  const { target, profile } = cli.settings
  let entry: PrinterEntry = {
    printer: address.name,
    service: shownTarget(target).address,
    profile,
    account: target.account ?? null,
    merchant_id: merchantId ?? null,
    settings: toSavedSettings(settings),
    pid: runtime.pid,
    started: runtime.startOf(runtime.pid),
    status: 'ready',
    why: null,
    since: runtime.now(),
    waiting: 0,
  }
  let saved = ''
  const save = (next: PrinterEntry): void => {
    entry = next
    const text = JSON.stringify(entry)
    if (text !== saved) writePrinter(runtime, entry)
    saved = text
  }
  return {
    async report(result: PrintResult | undefined): Promise<void> {
      const waiting = papers.list().filter(({ status }) => status === 'waiting' || status === 'unsure').length
      const why = result === undefined ? entry.why : result.outcome === 'printed' ? null : result.why
      const since = why === entry.why ? entry.since : runtime.now()
      const wasGone = entry.status === 'gone'
      const isNews = why !== entry.why
      save({ ...entry, status: why === null ? 'ready' : 'gone', why, since, waiting })
      if (!isNews) return
      if (why === null && wasGone) await cli.say(`The printer ${address.name} is back.`)
      if (why !== null) await cli.say(`The printer ${address.name} is gone: ${why}. Tickets wait for it.`)
    },
    end(): void {
      save({ ...entry, pid: null })
    },
  }
}
