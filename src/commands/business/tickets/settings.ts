/** The flags of ticket printing, and what they mean. */
import { TICKET_STARTS, type TicketStart } from '../../../areas/orders/rules/ticket-paper.ts'
import type { TicketSlip } from '../../../areas/orders/rules/ticket.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import type { Flag, FlagValues } from '../../../cli/command.ts'
import { AppError } from '../../../core/errors.ts'
import { listPrinters, type PrinterEntry } from '../../../local-state/printers.ts'
import {
  BUZZERS,
  PAPER_CUTS,
  PAPER_WIDTHS_MM,
  PRINTER_LANGUAGES,
  type ReceiptFormat,
} from '../../../rendering/receipt-format.ts'
import { parsePrinterAddress, type PrinterAddress } from './printer-address.ts'

export type TicketSettings = ReceiptFormat & {
  slips: readonly Exclude<TicketSlip, 'whole'>[]
  /** The station whose lines are printed; null for all lines. */
  station: string | null
  start: TicketStart
  copies: number
}

/** The words of `--slip`, and the papers of an order that each of them is. */
const SLIPS = { kitchen: ['kitchen'], bag: ['bag'], both: ['kitchen', 'bag'] } as const
const MAX_COPIES = 9

export const PRINTER_FLAG = {
  flag: 'printer',
  kind: 'text',
  value: 'tcp://HOST:9100|DEVICE|exec:COMMAND',
  description: 'printer: a port of the network, a device file, or a command that reads standard input',
} as const satisfies Flag

export const FORMAT_FLAGS = [
  {
    flag: 'paper',
    kind: 'enum',
    choices: PAPER_WIDTHS_MM,
    description: 'paper width in millimetres. Default: 80',
  },
  {
    flag: 'language',
    kind: 'enum',
    choices: PRINTER_LANGUAGES,
    description: 'language of the printer: starprnt for Star printers. Default: escpos',
  },
  { flag: 'cut', kind: 'enum', choices: PAPER_CUTS, description: 'cut after each ticket. Default: partial' },
  {
    flag: 'buzzer',
    kind: 'enum',
    choices: BUZZERS,
    description:
      'sound of each ticket: beep of the printer, or pulse to a bell at its drawer port. Default: none',
  },
  {
    flag: 'copies',
    kind: 'integer',
    value: 'N',
    description: `copies of each ticket, at most ${MAX_COPIES}. Default: 1`,
  },
] as const satisfies readonly Flag[]

export const CHOICE_FLAGS = [
  {
    flag: 'slip',
    kind: 'enum',
    choices: ['kitchen', 'bag', 'both'],
    description: 'ticket for the cooks, for the bag with the payment, or one of each. Default: kitchen',
  },
  {
    flag: 'station',
    kind: 'text',
    value: 'NAME',
    description: 'only the lines of this station; other lines are counted',
  },
  {
    flag: 'on',
    kind: 'enum',
    choices: TICKET_STARTS,
    description: 'event that prints the ticket of an order. Default: accepted',
  },
] as const satisfies readonly Flag[]

type SettingFlags = FlagValues<typeof FORMAT_FLAGS> & FlagValues<typeof CHOICE_FLAGS>

/** Returns the settings of the flags, and for the others those of the printer's last run. Throws AppError('usage'). */
export function readTicketSettings(flags: SettingFlags, last: PrinterEntry['settings'] = {}): TicketSettings {
  const { slip, station, on, paper, language, cut, buzzer } = flags
  const isBag = slip === 'bag'
  if (isBag && station !== undefined)
    throw new AppError('usage', '--station goes with kitchen slips: a bag has the lines of all stations.')
  const chosen = <T extends string>(given: T | undefined, name: string, usual: T): T =>
    given ?? ((last[name] ?? usual) as T)
  return {
    slips: SLIPS[chosen(slip, 'slip', 'kitchen') as keyof typeof SLIPS],
    station: station ?? ((last['station'] ?? null) as string | null),
    start: chosen(on, 'on', 'accepted'),
    paper: chosen(paper, 'paper', '80'),
    language: chosen(language, 'language', 'escpos'),
    cut: chosen(cut, 'cut', 'partial'),
    buzzer: chosen(buzzer, 'buzzer', 'none'),
    copies: readCopies(flags.copies ?? String(last['copies'] ?? 1)),
  }
}

function readCopies(typed: string): number {
  if (/^[1-9]$/.test(typed)) return Number(typed)
  throw new AppError('usage', `--copies must be a number from 1 to ${MAX_COPIES}.`)
}

/** Returns settings as the folder of the printer has them. */
export function toSavedSettings(settings: TicketSettings): PrinterEntry['settings'] {
  const { slips, station, start, paper, language, cut, buzzer, copies } = settings
  return {
    slip: slips.length > 1 ? 'both' : (slips[0] ?? 'kitchen'),
    station,
    on: start,
    paper,
    language,
    cut,
    buzzer,
    copies,
  }
}

export type KnownPrinter = { address: PrinterAddress; entry: PrinterEntry | undefined }

/** Returns the printer that was named, or the only one that this machine printed to. Throws AppError('usage'). */
export function choosePrinter(
  { runtime }: Pick<CommandContext, 'runtime'>,
  typed: string | undefined,
): KnownPrinter {
  const known = listPrinters(runtime)
  const [only, second] = known
  if (typed === undefined && only !== undefined && second === undefined)
    return { address: parsePrinterAddress(only.printer, () => runtime.cwd), entry: only }
  if (typed === undefined) {
    const names = known.map(({ printer }) => printer).join(', ')
    throw new AppError('usage', '--printer must name the printer.', {
      hint:
        known.length === 0
          ? 'For example: --printer tcp://192.168.1.50:9100.'
          : `This machine knows ${names}.`,
    })
  }
  const address = parsePrinterAddress(typed, () => runtime.cwd)
  return { address, entry: known.find(({ printer }) => printer === address.name) }
}
