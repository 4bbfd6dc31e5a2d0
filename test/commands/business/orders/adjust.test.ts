/** `dray business orders adjust`: lines as people name them, the sum before the question, and once however often it is typed. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../../../src/client/client.ts'
import type { OperationOutput } from '../../../../src/client/operations.ts'
import { businessOrdersAdjust } from '../../../../src/commands/business/orders-adjust.command.ts'
import { businessOrdersAnswer } from '../../../../src/commands/business/orders-answer.command.ts'
import { listOpenProblemOrders } from '../../../../src/commands/business/orders/active.ts'
import { foodAnswer } from '../../../../src/commands/food/answer.command.ts'
import { foodProblem } from '../../../../src/commands/food/problem.command.ts'
import { foodShow } from '../../../../src/commands/food/show.command.ts'
import { embeddedIn } from '../../../support/embedded-client.ts'
import { makeHome } from '../../../support/home.ts'
import { memoryIo } from '../../../support/memory-io.ts'
import { runCommand } from '../../../support/run-command.ts'

const home = makeHome()
let client: Client

type Order = OperationOutput<'get_business_order'>

beforeAll(async () => {
  client = await embeddedIn(home)({
    kind: 'embedded',
    store: `${home.paths.data}/store.db`,
    account: 'everything',
  })
  return async () => {
    await client.close()
    home[Symbol.dispose]()
  }
})

async function sell(over: Record<string, unknown> = {}): Promise<Order> {
  const { data } = (await client.call('list_catalog_items', { q: 'Focaccia' })).value
  const [item] = data
  const basket = {
    merchant_id: item?.merchant_id ?? '',
    fulfillment_type: 'pickup' as const,
    items: [{ item_id: item?.item_id ?? '', quantity: 3 }],
  }
  const { quote_id } = (await client.call('quote_food_order', basket)).value
  const payment = { method: 'card' as const, payment_token: 'tok_ok' }
  const options = { idempotencyKey: quote_id, scenario: 'store_manual' }
  const { order_id } = (await client.call('place_food_order', { quote_id, payment, ...over }, options)).value
  return (await client.call('get_business_order', { order_id })).value
}

const adjust = (...words: string[]) =>
  runCommand(home, businessOrdersAdjust, words, {
    // The command closes its client, and the test goes on with it.
    openClient: async () => ({ ...client, close: async () => undefined }),
  })

describe('a line', () => {
  test.each([
    ['its number', '1=1'],
    ['its item', 'focaccia=1'],
    ['its ID', 'line_1=1'],
    ['an amount', '1=4.45'],
  ])('is named by %s', async (_, line) => {
    const { order_id, display_number: number } = await sell()
    const ran = await adjust(order_id, '--refund', line, '--reason', 'missing', '--confirm', number, '--json')
    expect(ran.json()).toMatchObject({ refund: { amount: { amount: 445 } } })
  })

  test.each(['2', 'Pizza', '1=x', '1=0', '1=-1', '=1'])('that is typed as %s is rejected', async (line) => {
    const { order_id, display_number: number } = await sell()
    const { error } = await adjust(order_id, '--refund', line, '--reason', 'missing', '--confirm', number)
    expect(error).toMatchObject({ exitCode: 2 })
    expect((await client.call('get_business_order', { order_id })).value.adjustments).toEqual([])
  })
})

test('a script gets the amount and the flags that confirm it, and nothing is refunded', async () => {
  const { order_id, display_number: number } = await sell()
  const { error } = await adjust(order_id, '--remove', '1=1', '--reason', 'out_of_stock')
  expect(error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
  expect(error?.message).toContain(`Take off 1 × Focaccia of order ${number}? £4.45 goes back`)
  expect(error?.hint).toContain(`--confirm ${number}`)
  const all = await adjust(order_id, '--remove', '1', '--reason', 'out_of_stock')
  expect(all.error).toMatchObject({
    code: 'adjustment_not_allowed',
    hint: expect.stringContaining(`orders reject ${number}`) as string,
  })
  const unnamed = await adjust(order_id, '--reason', 'missing', '--confirm', number)
  expect(unnamed.error).toMatchObject({ code: 'usage' })
})

test('with a key of one’s own the same words give the first answer again', async () => {
  const { order_id, display_number: number } = await sell()
  const words = [
    '--refund',
    '1',
    '--reason',
    'quality',
    '--confirm',
    number,
    '--idempotency-key',
    `k${number}`,
  ]
  for (let run = 0; run < 2; run++) expect((await adjust(order_id, ...words)).code).toBe(0)
  expect((await client.call('get_business_order', { order_id })).value.adjustments).toHaveLength(1)
})

test('a reported problem is answered for the only one that is open, with the amount confirmed', async () => {
  const { order_id, display_number: number } = await sell()
  for (const operation of ['accept_business_order', 'complete_business_order'] as const)
    await client.call(operation, { order_id })
  const open = { openClient: async () => ({ ...client, close: async () => undefined }) }
  const report = (...words: string[]) => runCommand(home, foodProblem, [order_id, ...words], open)
  const answer = (...words: string[]) => runCommand(home, businessOrdersAnswer, [order_id, ...words], open)
  expect((await report('--line', '1=2.00', '--reason', 'wrong')).error).toMatchObject({ code: 'usage' })
  expect((await answer('--accept', 'full')).error).toMatchObject({ code: 'problem_not_found' })
  expect((await report('--line', 'focaccia=2', '--reason', 'missing')).code).toBe(0)
  const asked = await answer('--accept', 'part', '--line', '1=1')
  expect(asked.error?.message).toContain(`Refund 1 × Focaccia of order ${number}? £4.45 goes back`)
  const answered = await answer('--accept', 'part', '--line', '1=1', '--confirm', number, '--json')
  expect(answered.json()).toMatchObject({
    problems: [{ status: 'accepted' }],
    refund: { amount: { amount: 445 } },
  })
})

test('an appeal against a decline finds its problem, says how it was decided, and is made once', async () => {
  const { order_id, display_number: number } = await sell()
  for (const operation of ['accept_business_order', 'complete_business_order'] as const)
    await client.call(operation, { order_id })
  const open = { openClient: async () => ({ ...client, close: async () => undefined }) }
  const problem = (...words: string[]) => runCommand(home, foodProblem, [order_id, ...words], open)
  expect((await problem('--appeal')).error).toMatchObject({ code: 'problem_not_found' })
  expect((await problem('--appeal', '--line', '1')).error).toMatchObject({ code: 'usage' })
  expect((await problem('--problem', 'prb_1')).error).toMatchObject({ code: 'usage' })
  expect((await problem('--line', '1=1', '--reason', 'quality')).code).toBe(0)
  const decline = ['--accept', 'none', '--note', 'It was hot', '--confirm', number]
  expect((await runCommand(home, businessOrdersAnswer, [order_id, ...decline], open)).code).toBe(0)
  const dry = await problem('--appeal', '--dry-run', '--json')
  expect(dry.json()).toMatchObject({ operation: 'appeal_order_problem', input: { order_id } })
  const appealed = await problem('--appeal')
  expect(appealed.code).toBe(0)
  expect(appealed.err).toContain(`The decline stands: the records of order ${number} do not say otherwise.`)
  const { problems } = (await client.call('get_food_order', { order_id })).value
  expect(problems).toMatchObject([{ status: 'declined', appeal: { accept: false } }])
})

test('a missing dish is replaced by its name: the customer sees the question, and answers once', async () => {
  const { order_id, display_number: number } = await sell({ substitutions: 'ask' })
  const replace = (...words: string[]) => adjust(order_id, '--replace', ...words, '--reason', 'out_of_stock')
  expect((await replace('1=1')).error).toMatchObject({ code: 'usage' })
  expect((await replace('1=1: Unicorn')).error).toMatchObject({
    code: 'usage',
    message: expect.stringContaining('menu'),
  })
  const { error } = await replace('1=1: Burrata')
  expect(error?.message).toContain(`Replace 1 × Focaccia by Burrata of order ${number}?`)
  expect(error?.message).toContain('Else: £4.45 goes back to the customer by card.')
  expect(await replace('1=1: Burrata', '--confirm', number)).toMatchObject({
    code: 0,
    err: expect.stringContaining('Asked the customer') as string,
  })
  const open = { openClient: async () => ({ ...client, close: async () => undefined }) }
  const answer = (...words: string[]) => runCommand(home, foodAnswer, words, open)
  const asked = await answer(number)
  expect(asked.error).toMatchObject({ code: 'usage' })
  expect(JSON.stringify(asked.error)).toContain(
    'Replace 1 × Focaccia by Burrata, at the same price, contains milk?',
  )
  expect((await answer(number, '--accept', '--decline')).error).toMatchObject({ code: 'usage' })
  expect((await answer(number, '--accept')).code).toBe(0)
  expect((await answer(number, '--decline')).error).toMatchObject({ code: 'adjustment_not_found' })
  expect((await client.call('get_food_order', { order_id })).value).toMatchObject({
    adjustments: [{ kind: 'replaced', answer: { by: 'customer', accept: true } }],
  })
})

test('an item that came as a replacement is named by its item or its number, by the store and by the customer', async () => {
  const { order_id, display_number: number } = await sell({ substitutions: 'replace' })
  const sure = ['--reason', 'missing', '--confirm', number, '--json']
  expect((await adjust(order_id, '--replace', '1=2: Burrata', ...sure)).code).toBe(0)
  const ambiguous = await adjust(order_id, '--remove', 'a=1', ...sure)
  expect(ambiguous.error?.message).toBe('"a" may be several lines; use a number: 1 Focaccia, 1.1 Burrata.')
  const unknown = await adjust(order_id, '--remove', '1.2', ...sure)
  expect(unknown.error?.message).toBe('"1.2" is no line of the order: 1 Focaccia, 1.1 Burrata.')
  expect((await adjust(order_id, '--replace', 'burrata=1: Focaccia', ...sure)).code).toBe(0)
  // Its name is that of the line as ordered, too.
  expect((await adjust(order_id, '--remove', 'focaccia', ...sure)).error?.message).toContain('1.2 Focaccia')
  expect((await adjust(order_id, '--remove', '1.2', ...sure)).code).toBe(0)
  for (const operation of ['accept_business_order', 'complete_business_order'] as const)
    await client.call(operation, { order_id })
  const open = { openClient: async () => ({ ...client, close: async () => undefined }) }
  const reported = await runCommand(
    home,
    foodProblem,
    [order_id, '--line', 'Burrata', '--reason', 'wrong'],
    open,
  )
  expect(reported.code).toBe(0)
  const accepted = ['--accept', 'part', '--line', '1.1=1', '--confirm', number, '--json']
  const answered = await runCommand(home, businessOrdersAnswer, [order_id, ...accepted], open)
  expect(answered.json()).toMatchObject({
    problems: [{ lines: [{ line_id: 'line_1.1', quantity: 1 }], status: 'accepted' }],
    refund: { amount: { amount: 445 } },
  })
  expect((await adjust(order_id, '--refund', 'line_1=0.50', ...sure)).json()).toMatchObject({
    refund: { amount: { amount: 50 } },
  })
})

test('the amount before an answer is what goes back: of the reported units, and less what the store refunded meanwhile', async () => {
  const { order_id, display_number: number } = await sell()
  for (const operation of ['accept_business_order', 'complete_business_order'] as const)
    await client.call(operation, { order_id })
  const open = { openClient: async () => ({ ...client, close: async () => undefined }) }
  const report = ['--line', '1=2', '--reason', 'missing']
  expect((await runCommand(home, foodProblem, [order_id, ...report], open)).code).toBe(0)
  const answer = (...words: string[]) => runCommand(home, businessOrdersAnswer, [order_id, ...words], open)
  const waiting = await listOpenProblemOrders(client, {
    merchantId: undefined,
    signal: new AbortController().signal,
  })
  expect(waiting.map((order) => order.order_id)).toContain(order_id)
  const part = await answer('--accept', 'part', '--line', '1')
  expect(part.error?.message).toContain(`Refund 2 × Focaccia of order ${number}? £8.91 goes back`)
  const sure = ['--reason', 'missing', '--confirm', number]
  expect((await adjust(order_id, '--refund', '1=2', ...sure)).code).toBe(0)
  const full = await answer('--accept', 'full')
  expect(full.error?.message).toContain(`Refund 1 × Focaccia of order ${number}? £4.45 goes back`)
  const answered = await answer('--accept', 'full', '--confirm', number, '--json')
  expect(answered.json()).toMatchObject({
    refund: { amount: { amount: 445 } },
    problems: [{ status: 'accepted' }],
  })
})

test('an order with two refunds tells their sum, and each of them once', async () => {
  const { order_id, display_number: number } = await sell()
  for (const operation of ['accept_business_order', 'complete_business_order'] as const)
    await client.call(operation, { order_id })
  const sure = ['--reason', 'missing', '--confirm', number]
  for (const line of ['1=1', '1=0.50'])
    expect((await adjust(order_id, '--refund', line, ...sure)).code).toBe(0)
  const show = (io = memoryIo({ env: home.env })) =>
    runCommand(home, foodShow, [order_id], {
      io,
      openClient: async () => ({ ...client, close: async () => undefined }),
    })
  const { out } = await show(memoryIo({ env: { ...home.env, NO_COLOR: '1' }, tty: true, columns: 100 }))
  expect(out).toMatch(/Refunded +£4\.95\n/)
  expect(out.match(/£4\.45/g)).toHaveLength(1)
  expect(out).toMatch(/Refund to your card +-£0\.50/)
  expect(out).not.toContain('Refund status')
  expect((await show()).out).toContain('refunded\t4.95 GBP\n')
})
