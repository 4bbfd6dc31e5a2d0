/** What is known of a paper once a printer took it, tells nothing, or falls silent. */
import { expect, test } from 'vitest'
import { sendToPrinter } from '../../../../../src/commands/business/tickets/connection/connection.ts'
import { parsePrinterAddress } from '../../../../../src/commands/business/tickets/printer-address.ts'
import { encodeReceipt } from '../../../../../src/rendering/receipt.ts'
import { type PrinterMood, startTicketPrinter } from '../../../../support/ticket-printer.ts'

/** Short, because a silent printer stays silent however long one waits. */
const LIMITS = { connectMs: 5000, stateMs: 50, printMs: 200 }
const LINES = Array.from({ length: 12 }, (_, at) => ({ text: `Dish number ${at + 1}, with rice and peas` }))

async function sendOne(language: 'escpos' | 'starprnt', mood: PrinterMood) {
  const printer = await startTicketPrinter({ language })
  printer.setMood(mood)
  const address = parsePrinterAddress(printer.address, () => '/')
  const format = { language, paper: '80', cut: 'full', buzzer: 'pulse' } as const
  const { bytes } = await encodeReceipt(LINES, format)
  let isSent = false
  const result = await sendToPrinter(address, bytes, {
    language,
    limits: LIMITS,
    onSend: () => void (isSent = true),
  })
  return { result, isSent, printer }
}

test.each(['escpos', 'starprnt'] as const)(
  'a printer that falls silent within a paper leaves it open: %s',
  async (language) => {
    const { result, isSent, printer } = await sendOne(language, 'half')
    expect({ result, isSent }).toEqual({
      result: { outcome: 'unknown', why: 'it did not say that the ticket is printed' },
      isSent: true,
    })
    expect(printer.papers.map(({ isTorn }) => isTorn)).toEqual([true])
  },
)

test.each(['escpos', 'starprnt'] as const)(
  'a printer that tells nothing of itself gets the paper once: %s',
  async (language) => {
    const { result, printer } = await sendOne(language, 'mute')
    expect(result).toEqual({ outcome: 'printed' })
    await expect.poll(() => printer.papers.length).toBe(1)
    expect(printer.papers[0]?.pulses).toBe(1)
  },
)

test.each(['paper_out', 'cover_open'] as const)('nothing is sent to a printer with %s', async (mood) => {
  for (const language of ['escpos', 'starprnt'] as const) {
    const { result, isSent, printer } = await sendOne(language, mood)
    expect(result).toEqual({ outcome: 'absent', why: mood === 'paper_out' ? 'out of paper' : 'cover open' })
    expect({ isSent, papers: printer.papers.length }).toEqual({ isSent: false, papers: 0 })
  }
})

test.each([
  ['tcp://Kitchen.local', 'tcp://kitchen.local:9100'],
  ['tcp://10.0.0.7:9101/', 'tcp://10.0.0.7:9101'],
  ['tcp://[::1]:9100', 'tcp://[::1]:9100'],
  ['/dev/usb/lp0', '/dev/usb/lp0'],
  ['./lp0', '/work/lp0'],
  ['exec: lp -o raw', 'exec:lp -o raw'],
])('the address %s has the one name %s', (given, name) => {
  expect(parsePrinterAddress(given, () => '/work').name).toBe(name)
})
