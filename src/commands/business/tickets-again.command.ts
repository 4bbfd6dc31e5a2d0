import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { addPaperRequest, makePrinterFolder } from '../../local-state/printers.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'
import type { TicketRun } from './tickets/print.ts'
import { CHOICE_FLAGS, FORMAT_FLAGS, PRINTER_FLAG } from './tickets/settings.ts'

const [SLIP_FLAG] = CHOICE_FLAGS

/** `dray business tickets again ORDER`. */
export const businessTicketsAgain = defineCommand({
  words: 'business tickets again',
  summary: 'Print the ticket of an order again, marked COPY',
  description:
    'The process that prints to this printer prints it, with its own settings. Without one this command prints it, with the settings of the last one.',
  positionals: [{ name: 'order', description: 'order ID or number', required: true }],
  flags: [PRINTER_FLAG, SLIP_FLAG, ...FORMAT_FLAGS, { ...MERCHANT_FLAG, field: 'merchant_id' }],
  answer: { fields: ['order_id', 'printer', 'printed'] },
  examples: ['dray business tickets again 7K2M', 'dray business tickets again 7K2M --slip bag'],
  async run(cli, { order, merchant, ...flags }) {
    const [{ choosePrinter, readTicketSettings }, { resolveStoreOrder }] = await Promise.all([
      import('./tickets/settings.ts'),
      import('./orders/find.ts'),
    ])
    const { address, entry } = choosePrinter(cli, flags.printer)
    const settings = readTicketSettings(flags, entry?.settings)
    const word = order ?? (await (await import('./orders/choose.ts')).chooseOrder(cli, '<order>'))
    const orderId = await resolveStoreOrder(cli, word, merchant)
    makePrinterFolder(cli.runtime, address.name)
    for (const slip of settings.slips) addPaperRequest(cli.runtime, address.name, { order_id: orderId, slip })
    const isPrinted = await printNow(cli, { address, settings, merchantId: merchant })
    const { printResult } = await import('../../cli/print.ts')
    const done = isPrinted ? 'Printed.' : 'The process that prints to this printer prints it next.'
    await printResult(cli, { order_id: orderId, printer: address.name, printed: isPrinted }, { done })
    return EXIT.ok
  },
})

/** Returns false where another process prints it. Throws AppError('printer_unavailable'). */
async function printNow(cli: CommandContext, run: Omit<TicketRun, 'isOnce'>): Promise<boolean> {
  try {
    await (await import('./tickets/print.ts')).printWanted(cli, run)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'printer_in_use') return false
    throw error
  }
}
