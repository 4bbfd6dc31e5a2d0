/** Receipts of what was bought: each adds up as it is printed, on the terminal, the page and paper. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PRESENTERS } from '../../../src/areas/presenters.ts'
import { billText } from '../../../src/cli/output/bill.ts'
import { foodShow } from '../../../src/commands/food/show.command.ts'
import { reportDrawing } from '../../../src/commands/receipt/paper.ts'
import { readReceiptOutput } from '../../../src/commands/receipt/receipt.ts'
import { receiptReport } from '../../../src/commands/receipt/report.ts'
import { renderReportPage } from '../../../src/commands/report/page.ts'
import { tasksShow } from '../../../src/commands/tasks/show.command.ts'
import { type Receipt, receiptOf, type PresentableResource } from '../../../src/core/presenter.ts'
import type { LivingName } from '../../../src/generated/resources.ts'
import { renderDocument } from '../../../src/rendering/render.ts'
import { adjustTestOrder, completed, placeTestSale } from '../../support/adjusting.ts'
import { sendRun } from '../../support/deliveries.ts'
import { makeHome } from '../../support/home.ts'
import { FORBIDDEN, HOSTILE } from '../../support/hostile.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { readPdf } from '../../support/paper.ts'
import { requestTestRide, advanceToRideStatus } from '../../support/rides.ts'
import { runCommand } from '../../support/run-command.ts'
import { makeRenderOptions } from '../../support/screens.ts'
import { bookJob } from '../../support/services.ts'
import { createTestTask } from '../../support/tasks.ts'
import { makeSandboxClient } from '../../support/world-client.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

let world: TestSandbox

beforeAll(async () => {
  world = await openTestSandbox()
})

afterAll(() => world.db.close())

async function receiptFor(name: LivingName, resource: PresentableResource): Promise<Receipt> {
  const receipt = receiptOf(await PRESENTERS[name](), resource)
  if (receipt === null) throw new Error(`the ${name} has no receipt`)
  return receipt
}

const showOrder = (order_id: string) => world.ok('get_food_order', { order_id }, { as: 'member' })

/** Returns the printed amounts below a label, in pence. */
function printed(text: string): { label: string; pence: number }[] {
  return text.split('\n').flatMap((line) => {
    const [, label, minus, pounds] = /^(\S.*?|  of which .*?) {2,}(-?)£([\d,]+\.\d\d)$/.exec(line) ?? []
    if (label === undefined || pounds === undefined) return []
    return [{ label, pence: Math.round(Number(pounds.replaceAll(',', '')) * 100) * (minus === '-' ? -1 : 1) }]
  })
}

const sum = (rows: readonly { pence: number }[]) => rows.reduce((all, { pence }) => all + pence, 0)

/** Fails the test unless the lines are the total, and the payment less what went back is what is charged. */
function assertAddsUp(receipt: Receipt): Map<string, number> {
  const rows = printed(billText(receipt, makeRenderOptions(80)))
  const total = rows.findIndex(({ label }) => label === 'Total')
  const above = rows.slice(0, total)
  const subtotal = above.findIndex(({ label }) => label === 'Subtotal')
  expect(sum(above.slice(0, Math.max(0, subtotal)))).toBe(above[subtotal]?.pence ?? 0)
  expect(sum(above.slice(Math.max(0, subtotal)))).toBe(rows[total]?.pence)
  const below = rows.slice(total + 1).filter(({ label }) => !label.startsWith('  of which'))
  const charged = below.findIndex(({ label }) => label === 'Charged in all')
  const paid = below.findIndex(({ label }) => label.startsWith('Paid'))
  expect(sum(charged < 0 ? [] : below.slice(paid, charged))).toBe(below[charged]?.pence ?? 0)
  return new Map(rows.map(({ label, pence }) => [label, pence]))
}

describe('a receipt of food', () => {
  test('has fees, the tip, the discount with its sign, and VAT', async () => {
    const order = await placeTestSale(world, { type: 'delivery', tip: 200, service: 150 })
    const rows = assertAddsUp(await receiptFor('food_order', order))
    expect(rows.get('Tip for the courier')).toBe(200)
    expect(rows.get('Service')).toBe(150)
    expect(rows.get('Member discount (10%)')).toBeLessThan(0)
    expect(rows.get('  of which VAT 20%')).toBe(order.tax_total.amount)
    expect(rows.get('Paid by card')).toBe(order.total.amount)
  })

  test('says what went back of a part, and what is charged in all', async () => {
    const id = await completed(world)
    await adjustTestOrder(world, id)
    const order = await showOrder(id)
    const rows = assertAddsUp(await receiptFor('food_order', order))
    const back = order.refund?.amount.amount ?? 0
    expect(back).toBeGreaterThan(0)
    expect(rows.get('Charged in all')).toBe(order.total.amount - back)
  })

  test('of an unpaid order is a bill: a part that is missing is taken off what is to be paid', async () => {
    const { order_id } = await placeTestSale(world, { type: 'dine_in', method: 'pay_at_table' })
    await world.ok('accept_business_order', { order_id }, { key: 'accept-for-receipt' })
    await adjustTestOrder(world, order_id, { kind: 'removed' })
    const order = await showOrder(order_id)
    const receipt = await receiptFor('food_order', order)
    const rows = assertAddsUp(receipt)
    const off = rows.get('Taken off, missing') ?? 0
    expect(off).toBeLessThan(0)
    expect(rows.get('To pay at the table')).toBe(order.total.amount + off)
    expect(receiptReport(receipt, 'Order').title).toBe('Bill')
  })

  test('of an order that was cancelled unpaid charges nothing', async () => {
    const { order_id } = await placeTestSale(world, { type: 'dine_in', method: 'pay_at_table' })
    const cancelled = await world.ok(
      'cancel_food_order',
      { order_id, reason_code: 'changed_mind' },
      { as: 'member', key: 'cancel-for-receipt' },
    )
    const rows = assertAddsUp(await receiptFor('food_order', cancelled))
    expect(rows.get('Charged')).toBe(0)
    expect([...rows.keys()].join()).not.toMatch(/To pay|Paid/)
  })

  test('paid from the wallet says how to spend what came back', async () => {
    const { order_id } = await placeTestSale(world)
    const cancelled = await world.ok(
      'cancel_food_order',
      { order_id, reason_code: 'changed_mind' },
      { as: 'member', key: 'cancel-to-wallet' },
    )
    const { refund } = cancelled
    expect(refund).not.toBeNull()
    const inWallet = { ...refund, destination: 'platform_wallet', status: 'succeeded' }
    const told = { ...cancelled, refund: inWallet, refunds: [inWallet] } as typeof cancelled
    expect((await receiptFor('food_order', told)).notes).toContain(
      'The refund is in your wallet. The next purchase with --pay wallet spends it.',
    )
    const pending = { ...told, refunds: [{ ...inWallet, status: 'pending' }] } as typeof cancelled
    expect(JSON.stringify((await receiptFor('food_order', pending)).notes)).not.toContain('--pay wallet')
    const failed = { ...told, refunds: [{ ...inWallet, status: 'failed' }] } as typeof cancelled
    expect(assertAddsUp(await receiptFor('food_order', failed)).has('Charged in all')).toBe(false)
  })
})

describe('a receipt of a ride', () => {
  test('has base, distance and time from the request on, and the same when it ends', async () => {
    const requested = await requestTestRide(world)
    const before = assertAddsUp(await receiptFor('ride', requested))
    expect([...before.keys()]).toEqual(expect.arrayContaining(['Base fare', 'Distance', 'Time', 'Total']))
    const done = await advanceToRideStatus(world, requested.ride_id, 'completed')
    expect(assertAddsUp(await receiptFor('ride', done))).toEqual(before)
  })

  test('that was cancelled has the fee alone, and no VAT of the fare', async () => {
    const ride = await requestTestRide(world)
    await advanceToRideStatus(world, ride.ride_id, 'arrived')
    const { ride_id } = ride
    const cancelled = await world.ok(
      'cancel_ride',
      { ride_id, reason_code: 'long_wait' },
      { key: 'cancel-ride' },
    )
    const fee = cancelled.cancellation?.fee.amount ?? 0
    expect(fee).toBeGreaterThan(0)
    const rows = assertAddsUp(await receiptFor('ride', cancelled))
    expect(rows.get('Total')).toBe(fee)
    expect(rows.get('Charged in all')).toBe(fee)
    expect(rows.get('Paid by card')).toBe(cancelled.fare.amount)
    expect([...rows.keys()].join()).not.toContain('VAT')
  })
})

test('deliveries, bookings and tasks have the lines of their quotes', async () => {
  const bought: readonly (readonly [LivingName, PresentableResource, string])[] = [
    ['delivery', await sendRun(world), 'Courier'],
    ['booking', await bookJob(world, {}, {}), 'Labour'],
    ['task', await createTestTask(world), 'Task'],
  ]
  for (const [name, resource, line] of bought) {
    const rows = assertAddsUp(await receiptFor(name, resource))
    expect([...rows.keys()]).toEqual(
      expect.arrayContaining([line, 'Total', '  of which VAT', 'Paid by card']),
    )
    // A purchase of an older store does not know its lines.
    assertAddsUp(await receiptFor(name, { ...resource, lines: [] }))
  }
})

test('the delivery of an order has no receipt of its own', async () => {
  const run = await sendRun(world)
  expect(receiptOf(await PRESENTERS.delivery(), { ...run, payment: null } as PresentableResource)).toBeNull()
})

test('page and paper show each line of a long order, and nothing that others wrote as markup', async () => {
  const order = await placeTestSale(world, { type: 'delivery', tip: 200 })
  const [line] = order.lines
  if (line === undefined) throw new Error('the order has no line')
  const lines = Array.from({ length: 60 }, (_, index) => ({ ...line, name: `<b>Dish ${index + 1}</b>` }))
  const report = receiptReport(
    await receiptFor('food_order', { ...order, lines } as PresentableResource),
    'Order',
  )
  const page = renderReportPage(report)
  expect(page).toContain('&lt;b&gt;Dish 60&lt;/b&gt;')
  expect(page).not.toMatch(/<b>Dish|Compared with/)
  const { bytes, missing } = await renderDocument(reportDrawing(report), { format: 'pdf', dpi: 300 })
  expect(missing).toEqual([])
  const pages = await readPdf(bytes)
  expect(pages.length).toBeGreaterThan(1)
  for (const text of ['Dish 1<', 'Dish 60<', 'Tip for the courier', 'Total', 'Paid by card'])
    expect(pages.join('')).toContain(text)
})

test.each(HOSTILE)('names from elsewhere cannot draw on a receipt: %j', async (hostile) => {
  const task = await createTaskOnce()
  const receipt = await receiptFor('task', { ...task, task_name: hostile, lines: [] } as PresentableResource)
  expect(billText(receipt, makeRenderOptions(80))).not.toMatch(FORBIDDEN)
  expect(receiptReport(receipt, hostile).headline).not.toMatch(FORBIDDEN)
})

let made: ReturnType<typeof createTestTask> | undefined
const createTaskOnce = () => (made ??= createTestTask(world))

describe('the file of a receipt', () => {
  test.each([
    ['receipt.docx', 'does not end with .pdf or .html'],
    ['receipt', 'does not end with .pdf or .html'],
    ['.pdf', 'does not end with .pdf or .html'],
  ])('%s is refused before anything is asked', async (file, message) => {
    using home = makeHome()
    const { error } = await runCommand(home, tasksShow, ['--receipt', file])
    expect(error).toMatchObject({ code: 'usage' })
    expect(error?.message).toContain(message)
  })

  test('--force needs a file, and keeps what another program wrote without it', async () => {
    using home = makeHome()
    expect((await runCommand(home, tasksShow, ['--force'])).error?.message).toBe(
      '--force requires --receipt.',
    )
    expect((await runCommand(home, foodShow, ['--force'])).error?.message).toBe(
      '--force requires --save or --receipt.',
    )
    const path = `${home.paths.data}.html`
    writeFileSync(path, 'mine')
    expect(() => readReceiptOutput({ receipt: path })).toThrow(/was not written by dray/)
    expect(readReceiptOutput({ receipt: path, force: true })).toMatchObject({ isPdf: false })
    expect(readFileSync(path, 'utf8')).toBe('mine')
    expect(existsSync(path)).toBe(true)
  })
})

test('a customer reads below the bill which dish was removed, and why', async () => {
  const { order_id } = await placeTestSale(world)
  await adjustTestOrder(world, order_id, { kind: 'removed', lines: [{ line_id: 'line_1', quantity: 1 }] })
  using home = makeHome({ NO_COLOR: '1' })
  const io = memoryIo({ env: home.env, tty: true })
  const openClient = async () => makeSandboxClient(world, 'member')
  const { out } = await runCommand(home, foodShow, [order_id], { io, openClient })
  expect(out).toMatch(/^Taken off: 1 × Focaccia \(missing\)$/m)
  // The amount of the line stays as quoted, and the line says that it is not all of it.
  expect(out).toMatch(/^3 × Focaccia +£14\.85\n +1 taken off$/m)
})

test('a receipt says what replaced a dish, and how much of that was taken off again', async () => {
  const { order_id } = await placeTestSale(world, { over: { substitutions: 'replace' } })
  const { data } = await world.ok('list_catalog_items', {})
  const rolls = data.find(({ name }) => name === 'Tiramisu') ?? data.find(({ name }) => name !== 'Focaccia')
  const lines = [{ line_id: 'line_1', quantity: 2, replacement: { item_id: rolls?.item_id } }]
  await adjustTestOrder(world, order_id, { kind: 'replaced', lines, reason_code: 'out_of_stock' })
  await adjustTestOrder(world, order_id, { kind: 'removed', lines: [{ line_id: 'line_1.1', quantity: 1 }] })
  const receipt = await receiptFor('food_order', await showOrder(order_id))
  expect(billText(receipt, makeRenderOptions(120))).toMatch(
    new RegExp(`^3 × Focaccia .*\\n +2 replaced by ${rolls?.name} \\(1 taken off\\)$`, 'm'),
  )
})
