import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { EXIT } from '../../core/errors.ts'
import { FORMAT_FLAGS, PRINTER_FLAG } from './tickets/settings.ts'

/** `dray business tickets test`. */
export const businessTicketsTest = defineCommand({
  words: 'business tickets test',
  summary: 'Print a test ticket',
  description:
    'Shows whether paper width, language, letters, cut and buzzer fit the printer. It needs no order.',
  flags: [PRINTER_FLAG, ...FORMAT_FLAGS],
  answer: { fields: ['printer', 'printed'] },
  examples: [
    'dray business tickets test --printer tcp://192.168.1.50:9100',
    'dray business tickets test --printer /dev/usb/lp0 --paper 58 --language starprnt --buzzer beep',
  ],
  async run(cli, flags) {
    const { choosePrinter, readTicketSettings } = await import('./tickets/settings.ts')
    const { address, entry } = choosePrinter(cli, flags.printer)
    const settings = readTicketSettings(flags, entry?.settings)
    await (
      await import('./tickets/print.ts')
    ).printTestTicket(cli, { address, settings, merchantId: undefined })
    await printResult(cli, { printer: address.name, printed: true }, { done: 'Printed.' })
    return EXIT.ok
  },
})
