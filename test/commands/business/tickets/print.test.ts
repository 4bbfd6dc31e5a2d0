/** `dray business tickets`: what comes out of the printer, whatever happens to printer, order and process. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { businessTicketsAgain } from '../../../../src/commands/business/tickets-again.command.ts'
import { businessTicketsList } from '../../../../src/commands/business/tickets-list.command.ts'
import { businessTicketsTest } from '../../../../src/commands/business/tickets-test.command.ts'
import { doctor } from '../../../../src/commands/doctor/doctor.command.ts'
import { embeddedIn } from '../../../support/embedded-client.ts'
import { expectPrinted, type KitchenStore, openKitchenStore } from '../../../support/kitchen-store.ts'
import { runCommand } from '../../../support/run-command.ts'
import { saveTicketPictures, startTicketPrinter } from '../../../support/ticket-printer.ts'

/** Runs another command on the store. */
function run({ home }: KitchenStore, command: Parameters<typeof runCommand>[1], ...argv: string[]) {
  return runCommand(home, command, argv, { openClient: embeddedIn(home) })
}

test('an accepted order is printed once, with store, day, dishes and the number of its ticket', async () => {
  await using store = await openKitchenStore()
  const printer = await startTicketPrinter()
  await store.place()
  expect(expectPrinted(await store.printOnce('--printer', printer.address))).toEqual([])
  const { display_number } = await store.accept({ items: { Focaccia: 2, Tiramisù: 1 }, notes: 'Ring twice' })
  const [line] = expectPrinted(await store.printOnce('--printer', printer.address))
  expect(line).toBe(`2026-11-20T09:00:00.000+00:00\t${display_number}\tkitchen\tticket\tticket 1`)
  expect(expectPrinted(await store.printOnce('--printer', printer.address))).toEqual([])
  expect(printer.texts()).toEqual([
    [
      'Forno Santa Rosa, Fri 20 Nov',
      display_number,
      'Pickup, Alex',
      '-'.repeat(42),
      '2 Focaccia',
      '1 Tiramisù',
      '“Ring twice”',
      '-'.repeat(42),
      'Ordered 09:00, accepted 09:00, ready by',
      '09:18',
      'Ticket 1',
    ].join('\n'),
  ])
  await saveTicketPictures(printer, 'first')
})

test('a change and a cancellation are printed after the ticket, and name what is not to be made', async () => {
  await using store = await openKitchenStore()
  const printer = await startTicketPrinter()
  const print = () => store.printOnce('--printer', printer.address)
  const { order_id } = await store.accept({ items: { Focaccia: 3, Margherita: 1 } })
  expectPrinted(await print())
  await store.change('adjust_business_order', {
    order_id,
    kind: 'removed',
    lines: [{ line_id: 'line_1', quantity: 1 }],
    reason_code: 'out_of_stock',
  })
  expect(expectPrinted(await print())[0]).toContain('\tchange\tticket 2')
  expect(printer.texts()[1]).toMatch(
    /^CHANGE\n[^]*\n- 1 Focaccia\ntaken off\n-+\nNow to make: 2 × Focaccia, 1 × Margherita\nTicket 2$/,
  )
  await store.change('reject_business_order', { order_id, reason_code: 'too_busy' })
  expect(expectPrinted(await print())[0]).toContain('\tcancelled\tticket 3')
  expect(printer.texts()[2]).toMatch(
    /^CANCELLED\n[^]*\n- 2 Focaccia\n- 1 Margherita\n-+\nDo not make it: rejected by the store\nTicket 3$/,
  )
  expect(expectPrinted(await print())).toEqual([])
  await saveTicketPictures(printer, 'change')
})

test('tickets wait for a printer that is gone, and it prints only what is still to be made, with its time', async () => {
  await using store = await openKitchenStore()
  const printer = await startTicketPrinter()
  const print = (...argv: string[]) => store.printOnce('--printer', printer.address, ...argv)
  await printer.switchOff()
  const [ended, cancelled, open] = [await store.accept(), await store.accept(), await store.accept()]
  const gone = await print()
  expect(gone.error?.message).toBe(
    `The printer ${printer.address} is gone: it refuses connections; 3 tickets wait for it.`,
  )
  expect(gone.code).toBe(11)
  // What a person asks meanwhile.
  const { data } = (await run(store, businessTicketsList, '--json')).json() as { data: object[] }
  expect(data).toMatchObject([{ status: 'waiting' }, { status: 'waiting' }, { status: 'waiting' }])
  const found = (await run(store, doctor, '--json')).json() as { data: { check: string; detail: string }[] }
  expect(found.data.find(({ check }) => check === 'Printer')?.detail).toBe(
    `${printer.address} is not in use; 3 tickets wait`,
  )
  await store.change('mark_business_order_ready', { order_id: ended.order_id })
  await store.change('reject_business_order', { order_id: cancelled.order_id, reason_code: 'too_busy' })
  await store.client.control('advance_clock', { by: '12m' } as never)
  await printer.switchOn()
  expect(expectPrinted(await print())).toHaveLength(1)
  const [ticket] = printer.texts()
  expect(ticket).toMatch(
    new RegExp(`^LATE\\naccepted 09:00, printed 09:12\\n[^]*\\n${open.display_number}\\n`),
  )
  expect(printer.papers).toHaveLength(1)
  await saveTicketPictures(printer, 'late')
})

test.each(['escpos', 'starprnt'] as const)(
  'a printer without paper or with an open cover gets nothing, and says why: %s',
  async (language) => {
    await using store = await openKitchenStore()
    const printer = await startTicketPrinter({ language })
    const print = () => store.printOnce('--printer', printer.address, '--language', language)
    await store.accept()
    printer.setMood('paper_out')
    expect((await print()).error?.message).toContain('is gone: out of paper; 1 ticket waits')
    printer.setMood('cover_open')
    expect((await print()).error?.message).toContain('is gone: cover open; 1 ticket waits')
    printer.setMood('ready')
    expect(expectPrinted(await print())).toHaveLength(1)
    expect(printer.texts()[0]).not.toContain('COPY')
    await saveTicketPictures(printer, language)
  },
)

test('a ticket is printed once, through absences and papers that were cut off: a second one has its mark', async () => {
  await using store = await openKitchenStore()
  const printer = await startTicketPrinter()
  const print = () => store.printOnce('--printer', printer.address)
  const numbers: string[] = []
  for (const mood of ['cut', 'paper_out', 'cut', 'ready', 'cover_open', 'cut'] as const) {
    numbers.push((await store.accept()).display_number)
    printer.setMood(mood)
    await print()
  }
  printer.setMood('ready')
  expectPrinted(await print())
  expect(expectPrinted(await print())).toEqual([])
  const whole = printer.papers.flatMap((paper, at) => (paper.isTorn ? [] : (printer.texts()[at] ?? '')))
  expect(printer.papers.filter(({ isTorn }) => isTorn)).toHaveLength(3)
  expect(whole).toHaveLength(numbers.length)
  for (const number of numbers) expect(whole.filter((text) => text.includes(`\n${number}\n`))).toHaveLength(1)
  // The papers that may be second ones say so, with the number of the first.
  const torn = printer.texts().filter((_, at) => printer.papers[at]?.isTorn === true)
  for (const number of numbers) {
    const isTwice = torn.some((text) => text.includes(`\n${number}\n`))
    expect(whole.find((text) => text.includes(`\n${number}\n`))?.includes('COPY?')).toBe(isTwice)
  }
  expect(whole.filter((text) => text.includes('COPY?'))[0]).toContain('Ticket 1, copy? The same number may')
  await saveTicketPictures(printer, 'torn')
})

test('a second process for the same printer is refused', async () => {
  await using store = await openKitchenStore()
  const printer = await startTicketPrinter()
  const { home } = store
  expectPrinted(await store.printOnce('--printer', printer.address))
  const [folder = ''] = readdirSync(join(home.paths.state, 'printers'))
  const release = await home.tryLock(join(home.paths.state, 'printers', folder, 'lock'))
  const { code, error } = await store.printOnce(
    '--printer',
    printer.address.toUpperCase().replace('TCP', 'tcp'),
  )
  expect({ code, message: error?.message }).toEqual({
    code: 7,
    message: `Another process prints to ${printer.address}.`,
  })
  // It gets what others want printed again.
  const { order_id, display_number } = await store.accept()
  const again = await run(store, businessTicketsAgain, display_number, '--json')
  expect(again.json()).toEqual({ order_id, printer: printer.address, printed: false })
  release?.()
  expectPrinted(await store.printOnce('--printer', printer.address))
  expect(printer.texts().map((text) => text.includes('COPY'))).toEqual([false, true])
})

test('a ticket is printed again on request, and a test ticket without any order', async () => {
  await using store = await openKitchenStore()
  const printer = await startTicketPrinter({ dots: 384 })
  const flags = ['--printer', printer.address, '--paper', '58', '--slip', 'both', '--buzzer', 'beep']
  const { display_number } = await store.accept({ fulfillment: 'delivery', notes: 'Severe milk allergy' })
  expect(expectPrinted(await store.printOnce(...flags))).toHaveLength(2)
  const ran = await run(store, businessTicketsAgain, display_number, '--slip', 'bag')
  expect({ code: ran.code, error: ran.error?.message }).toEqual({ code: 0, error: undefined })
  expect((await run(store, businessTicketsTest)).code).toBe(0)
  const [kitchen, bag, copy, trial] = printer.texts()
  expect(kitchen).toMatch(/ALLERGY Severe milk allergy/)
  expect(kitchen).not.toContain('£')
  expect(bag).toMatch(/£[\d.]+ Card, paid\nTicket 2$/)
  expect(copy).toMatch(/^COPY\n[^]*Ticket 4, copy$/)
  // Polish letters are in no table that all printers have.
  expect(trial).toMatch(/^TEST\n[^]*\n2 Crème brûlée\n[^]*\[picture\]/)
  expect(printer.papers.map(({ beeps }) => beeps)).toEqual([3, 3, 3, 3])
  await saveTicketPictures(printer, 'narrow')
})

test('a device file and a command take the same bytes as a printer of the network', async () => {
  await using store = await openKitchenStore()
  const file = join(store.home.cwd, 'lp0')
  await store.accept()
  expect((await store.printOnce('--printer', file)).error?.message).toContain(
    'is gone: there is no such file',
  )
  writeFileSync(file, '')
  expect(expectPrinted(await store.printOnce('--printer', file, '--cut', 'full'))).toHaveLength(1)
  const bytes = readFileSync(file)
  expect(bytes.toString('latin1')).toContain('Focaccia')
  expect(bytes.includes(Uint8Array.of(0x1d, 0x56, 0))).toBe(true)
  const command = `exec:cat > ${join(store.home.cwd, 'taken')}`
  expect(
    expectPrinted(await store.printOnce('--printer', command, '--cut', 'full', '--copies', '2')),
  ).toHaveLength(1)
  const taken = readFileSync(join(store.home.cwd, 'taken')).toString('latin1')
  expect(taken.split('Focaccia')).toHaveLength(3)
  expect(taken).toContain('Copy 2 of 2')
  const failed = await store.printOnce('--printer', 'exec:dray-has-no-such-command')
  expect(failed.error?.message).toContain('1 ticket waits')
})

test('the printer of a station has its lines, and counts the others', async () => {
  await using store = await openKitchenStore()
  const printer = await startTicketPrinter()
  const print = (...argv: string[]) => store.printOnce('--printer', printer.address, ...argv)
  const { data: menu } = (await store.client.call('list_catalog_items', { limit: 100 })).value
  const coffee = menu.find(({ name }) => name === 'Espresso')
  await store.change('set_store_settings', {
    stations: [{ name: 'Bar', item_ids: [coffee?.item_id] }],
  })
  await store.accept({ items: { Focaccia: 1 } })
  await store.accept({ items: { Focaccia: 1, Espresso: 2 } })
  const unknown = await print('--station', 'Hot')
  expect(unknown.error?.message).toBe('--station must be a station of the store, not "Hot".')
  expect(unknown.error?.hint).toBe('Its stations are Bar.')
  // The first order has nothing for the bar.
  expect(expectPrinted(await print('--station', 'bar'))).toHaveLength(1)
  expect(printer.texts()[0]).toMatch(
    /^Forno Santa Rosa, Bar, Fri 20 Nov\n[^]*\n2 Espresso\nSingle\nand 1 at no station\n/,
  )
  await saveTicketPictures(printer, 'station')
})

test('flags and addresses that mean nothing are refused by name', async () => {
  await using store = await openKitchenStore()
  const message = async (...argv: string[]) => (await store.printOnce(...argv)).error?.message
  expect(await message()).toBe('--printer must name the printer.')
  expect(await message('--printer', 'kitchen')).toMatch(/^--printer must be tcp:\/\/HOST:9100, a device file/)
  expect(await message('--printer', 'http://kitchen:9100')).toMatch(/^--printer must be tcp/)
  expect(await message('--printer', 'tcp://kitchen:9100/raw')).toMatch(/^--printer must be tcp/)
  expect(await message('--printer', '/tmp/x', '--copies', '0')).toBe('--copies must be a number from 1 to 9.')
  expect(await message('--printer', '/tmp/x', '--slip', 'bag', '--station', 'Bar')).toMatch(
    /^--station goes with/,
  )
})
