import { defineCommand } from '../../cli/define-command.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'
import { CHOICE_FLAGS, FORMAT_FLAGS, PRINTER_FLAG } from './tickets/settings.ts'

/** `dray business tickets`: prints the tickets of a store while it runs. */
export const businessTickets = defineCommand({
  words: 'business tickets',
  summary: 'Print a ticket for each order, and again when it changes',
  description:
    'Prints when an order is accepted, and again when it changes (CHANGE) or is cancelled (CANCELLED). While the printer is gone the tickets wait on disk, and orders go on. When it is back, it prints what is still to be made, with the time of acceptance. A ticket that may have been printed before says COPY?, with the same number. One process prints to a printer. It runs until Ctrl-C or --timeout ends.',
  flags: [
    PRINTER_FLAG,
    ...CHOICE_FLAGS,
    ...FORMAT_FLAGS,
    { flag: 'once', kind: 'boolean', description: 'print what is due now, and end' },
    { ...MERCHANT_FLAG, field: 'merchant_id' },
  ],
  answer: {
    fields: ['ticket', 'order_id', 'display_number', 'slip', 'kind', 'maybe_copy', 'at'],
  },
  examples: [
    'dray business tickets --printer tcp://192.168.1.50:9100',
    'dray business tickets --printer /dev/usb/lp0 --paper 58 --slip both',
    "dray business tickets --printer 'exec:lp -d bar -o raw' --station Bar --buzzer beep",
  ],
  async run(cli, { merchant, once = false, ...flags }) {
    const { choosePrinter, readTicketSettings } = await import('./tickets/settings.ts')
    const { address } = choosePrinter(cli, flags.printer)
    const run = { address, settings: readTicketSettings(flags), merchantId: merchant, isOnce: once }
    return (await import('./tickets/print.ts')).printTickets(cli, run)
  },
})
