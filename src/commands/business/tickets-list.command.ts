import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { toTimestamp } from '../../core/time.ts'
import { isPrinterServed, listPapers, listPrinters } from '../../local-state/printers.ts'
import { PRINTER_FLAG } from './tickets/settings.ts'

/** `dray business tickets list`: the tickets of the printers of this machine. */
export const businessTicketsList = defineCommand({
  words: 'business tickets list',
  summary: 'List the tickets of this machine’s printers, those that wait first',
  flags: [PRINTER_FLAG],
  examples: [
    'dray business tickets list',
    'dray business tickets list --printer tcp://192.168.1.50:9100 --json',
  ],
  async run(cli, { printer }) {
    const { choosePrinter } = await import('./tickets/settings.ts')
    const name = printer === undefined ? undefined : choosePrinter(cli, printer).address.name
    const printers = listPrinters(cli.runtime).filter((entry) => name === undefined || entry.printer === name)
    const data = printers.flatMap((entry) => {
      const state = isPrinterServed(cli.runtime, entry) ? entry.status : 'stopped'
      return listPapers(cli.runtime, entry.printer)
        .toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || b.at - a.at)
        .map(({ number, order_id, display_number, slip, kind, status, accepted_at, at }) => ({
          display_number,
          slip,
          kind,
          status,
          ticket: number,
          accepted_at,
          updated_at: toTimestamp(at),
          printer: entry.printer,
          printer_status: state,
          order_id,
        }))
    })
    await printResult(
      cli,
      { data, has_more: false, next_cursor: null },
      {
        list: true,
        columns: [
          'display_number',
          'slip',
          'kind',
          'status',
          'ticket',
          'accepted_at',
          'updated_at',
          'printer',
          'printer_status',
        ].map((field) => ({ field })),
        empty: 'No tickets: `dray business tickets --printer tcp://HOST:9100` prints those of your store.',
      },
    )
    return 0
  },
})

function isOpen({ status }: { status: string }): boolean {
  return status === 'waiting' || status === 'unsure'
}
