import { expect } from 'vitest'
import type { BusinessReport } from '../../src/commands/business/report/load.ts'
import type { PrintedFailure } from '../support/answers.ts'
import { placeOrder } from '../support/customer.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { servedAcceptanceTest, acceptanceTest, type AcceptanceContext } from '../support/story.ts'
import { KEY_BYTES } from '../support/terminal.ts'

type Order = {
  order_id: string
  status: string
  payment: { status: string }
  refund: { amount: { amount: number } } | null
  status_history: { status: string; by: string; reason: string | null }[]
}
type Several = {
  counts: { total: number; done: number; failed: number; not_sent: number }
  data: { order_id: string; result: string; status: string; problem: { code: string } | null }[]
}

async function statusOf(told: AcceptanceContext, order_id: string): Promise<string> {
  return (await told.call('get_business_order', { order_id })).status
}

const resultsOf = ({ data }: Several) => data.map(({ result, status }) => `${result} ${status}`)

acceptanceTest(
  'a store takes several orders from the counter to the hand, each with its own result',
  async (told) => {
    const one = await placeOrder(told)
    const two = await placeOrder(told, { method: 'cash' })
    const both = `${one.display_number} ${two.order_id}`
    const accepted = (await told.dray(`business orders accept ${both} --prep-time 20 --json`)).json<Several>()
    expect(accepted.counts).toEqual({ total: 2, done: 2, failed: 0, not_sent: 0 })
    expect(accepted.data.map(({ order_id }) => order_id)).toEqual([one.order_id, two.order_id])

    const three = await placeOrder(told)
    const again = await told.dray(`business orders accept ${both} --json`, { exit: 7 })
    expect(resultsOf(again.json<Several>())).toEqual(['failed accepted', 'failed accepted'])
    const mixed = await told.dray(
      `business orders accept ${one.display_number} ${three.display_number} --json`,
      {
        exit: 9,
      },
    )
    expect(resultsOf(mixed.json<Several>())).toEqual(['failed accepted', 'done accepted'])
    const shared = await told.dray(`share ${three.display_number} --quiet --query resource_id`)
    expect(shared.stdout.trim()).toBe(three.order_id)

    await told.dray(`business orders prepare ${both}`)
    await told.dray(`business orders ready ${both} --instructions "Side door"`)
    const done = await told.dray(`business orders complete ${both} --collected-by "Ana Bright"`)
    expect(done.stdout).toBe(
      [
        'display_number\torder_id\tresult\tstatus\tproblem.code',
        `${one.display_number}\t${one.order_id}\tdone\tcompleted\t`,
        `${two.display_number}\t${two.order_id}\tdone\tcompleted\t`,
        '',
      ].join('\n'),
    )
    expect(done.stderr).toContain('2 completed.')
    const late = await told.dray(`business orders accept #${one.display_number}`, { exit: 7 })
    expect(late.stderr).toMatch(
      new RegExp(`error: Order ${one.display_number} was completed by the store at 20 Nov 2026 09:00`),
    )
    const shown = (await told.dray(`business orders show ${two.order_id} --json`)).json<Order>()
    expect(shown).toMatchObject({ status: 'completed', payment: { status: 'paid' } })
    expect(shown.status_history.map(({ status }) => status)).toEqual([
      'placed',
      'accepted',
      'preparing',
      'ready',
      'completed',
    ])
  },
)

acceptanceTest('an order that a command leaves out is chosen among those that allow it', async (told) => {
  const piped = await told.dray('business orders accept --json', { exit: 2 })
  expect(piped.json<PrintedFailure>().detail).toBe('Which order? dray business orders accept <order>...')
  const [first, second] = [await placeOrder(told), await placeOrder(told)]
  await told.dray(`business orders accept ${first.order_id}`)
  const terminal = told.terminal('business orders accept')
  const screen = await terminal.shows('❯')
  expect(screen).toMatch(new RegExp(`Which order\\?\n❯ ${second.display_number}, .*placed`))
  expect(screen).not.toContain(first.display_number)
  terminal.type(KEY_BYTES.enter)
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  expect(await statusOf(told, second.order_id)).toBe('accepted')
})

acceptanceTest(
  'an order that is not accepted yet is not ready, and the hint says what comes first',
  async (told) => {
    const { order_id: id, display_number: number } = await placeOrder(told)
    const refused = await told.dray(`business orders ready #${number}`, { exit: 7 })
    expect(refused.stderr).toContain(`hint: Run \`dray business orders accept ${number}\` first.`)
    await told.dray(`business orders accept #${number}`)
    expect(await statusOf(told, id)).toBe('accepted')
  },
)

acceptanceTest(
  'an order whose card is not settled stops no other, and is accepted once it is',
  async (told) => {
    const unpaid = await placeOrder(told, { token: 'tok_pending' })
    const paid = await placeOrder(told)
    const refused = await told.dray(`business orders accept ${unpaid.display_number} --json`, { exit: 6 })
    expect(refused.json<PrintedFailure>()).toMatchObject({ code: 'payment_required', exit_code: 6 })
    const both = await told.dray(`business orders accept ${unpaid.order_id} ${paid.order_id} --json`, {
      exit: 9,
    })
    expect(both.json<Several>().data).toMatchObject([
      { result: 'failed', problem: { code: 'payment_required' } },
      { result: 'done', status: 'accepted' },
    ])
    await told.advance('130s')
    const accepted = await told.dray(`business orders accept ${unpaid.display_number} --json`)
    expect(accepted.json<Order>()).toMatchObject({ status: 'accepted', payment: { status: 'paid' } })
  },
)

acceptanceTest('a rejection is confirmed by name, and pays back', async (told) => {
  const order = await placeOrder(told)
  const number = order.display_number
  const unnamed = await told.dray(`business orders reject ${number} --yes`, { exit: 3 })
  expect(unnamed.stderr).toContain(
    'hint: --reason must be the reason for the customer: item_unavailable, store_closed, too_busy, ',
  )
  const unexplained = await told.dray(`business orders reject ${number} --confirm ${number}`, { exit: 2 })
  expect(unexplained.stderr).toContain(
    'error: Missing: --reason.\n  --reason: must be the reason for the customer: ',
  )
  expect((await told.dray(`business orders show ${number} --json`)).json<Order>().status).toBe('placed')
  const rejected = await told.dray(
    `business orders reject ${number} --reason too_busy --confirm ${number} --json`,
  )
  expect(rejected.json<Order>()).toMatchObject({
    status: 'rejected',
    payment: { status: 'refunded' },
    refund: { amount: order.total },
  })
  const again = await told.dray(
    `business orders reject ${order.order_id} --reason other --confirm ${order.order_id} --json`,
    { exit: 7 },
  )
  expect(again.json<PrintedFailure>()).toMatchObject({ code: 'invalid_state', current_status: 'rejected' })
  const { current, statement } = (await told.dray('business report --json')).json<BusinessReport>()
  expect(current).toMatchObject({
    ordered: { orders: 1 },
    sales: { orders: 0 },
    refunds: { count: 1 },
    rejected: [{ reason_code: 'too_busy', orders: 1 }],
  })
  expect(statement?.lost).toEqual([{ reason: 'rejected', orders: 1, amount: order.subtotal }])
  const month = 'business statement --from 2026-11-01 --to 2026-12-01 --bookkeeping'
  const rows = (await told.dray(month)).stdout.trimEnd().split('\n')
  expect(rows).toEqual([
    'Date,Description,Amount,Reference',
    `20/11/2026,Sale ${number},14.85,${order.order_id}`,
    `20/11/2026,Refund ${number} (too busy),-14.85,${order.order_id}`,
  ])
})

acceptanceTest(
  'the question before a rejection says what goes back, and nothing but the name answers it',
  async (told) => {
    const { order_id: id, display_number: number } = await placeOrder(told)
    const question = new RegExp(`Reject order ${number}\\. 3 × Focaccia; £[\\d.]+ \\(card, paid\\)`)
    for (const [answer, exitCode] of [
      [KEY_BYTES.ctrlC, 130],
      [`yes${KEY_BYTES.enter}`, 3],
      [`${number}${KEY_BYTES.enter}`, 0],
    ] as const) {
      const terminal = told.terminal(`business orders reject ${number} --reason too_busy`, { columns: 120 })
      await terminal.shows(question)
      expect(await statusOf(told, id)).toBe('placed')
      terminal.type(answer)
      expect(await terminal.ended()).toMatchObject({ exitCode })
    }
    expect(await statusOf(told, id)).toBe('rejected')
  },
)

acceptanceTest(
  'a person who rejects is asked which order and why, and told the command without questions',
  async (told) => {
    const { order_id: id, display_number: number } = await placeOrder(told)
    const terminal = told.terminal('business orders reject', { columns: 120 })
    await terminal.shows('Which order?')
    terminal.type(KEY_BYTES.enter)
    await terminal.shows('Reason, shown to the customer?')
    terminal.type(KEY_BYTES.enter)
    await terminal.shows(`Reject order ${number}.`)
    terminal.type(`${number}${KEY_BYTES.enter}`)
    expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
    expect(terminal.screen()).toContain(
      `business orders reject ${number} --reason item_unavailable --confirm ${number}`,
    )
    const shown = (await told.dray(`business orders show ${id} --json`)).json<Order>()
    expect(shown).toMatchObject({ status: 'rejected', rejection: { reason_code: 'item_unavailable' } })
  },
)

acceptanceTest('an order is shown as people read one', async (told) => {
  const { display_number: number } = await placeOrder(told, { notes: 'No onions' })
  const shown = told.terminal(`business orders show ${number}`, { columns: 60 })
  await shown.ended()
  expect(shown.screen()).toMatch(/Order \w{4}: placed\nord_\w+\npickup, for Alex \(first order\)/)
  expect(shown.screen()).toMatch(/3 × Focaccia +£14\.85\n[^]*Total \(card, paid\) +£/)
  expect(shown.screen()).toContain('Note from the customer: "No onions"')
  expect(shown.screen()).toMatch(
    /20 Nov 2026 09:00 GMT {2}placed, by the customer\nNext: dray business orders accept /,
  )
  const piped = await told.dray(`business orders show ${number} --fields status,total`)
  expect(piped.stdout).toMatch(/^status\tplaced\ntotal\t[\d.]+ GBP\n$/)
})

acceptanceTest('a rejected item that ran out becomes unavailable', async (told) => {
  const order = await placeOrder(told, { item: 'Burrata' })
  const shown = (await told.dray(`business orders show ${order.order_id} --json`)).json<{
    lines: { item_id: string }[]
  }>()
  const item = shown.lines[0]?.item_id ?? ''
  await told.dray(
    `business orders reject ${order.order_id} --reason item_unavailable --item ${item} --mark-unavailable --confirm ${order.order_id}`,
  )
  const { data } = await told.call('list_catalog_items', { limit: 100 })
  expect(data.find(({ item_id }) => item_id === item)?.effective_available).toBe(false)
})

acceptanceTest('several orders are rejected together by their count', async (told) => {
  const [one, two] = [await placeOrder(told), await placeOrder(told)]
  const both = `${one.display_number} ${two.display_number}`
  const line = `business orders reject ${both} --reason store_closed`
  await told.dray(`${line} --confirm ${one.display_number}`, { exit: 3 })
  const rejected = await told.dray(`${line} --confirm 2 --json`)
  expect(resultsOf(rejected.json<Several>())).toEqual(['done rejected', 'done rejected'])
})

acceptanceTest('the same command with the same key does nothing twice', async (told) => {
  const [one, two] = [await placeOrder(told), await placeOrder(told)]
  const line = `business orders accept ${one.order_id} ${two.order_id} --idempotency-key lunch --json`
  const first = await told.dray(line)
  expect((await told.dray(line)).stdout).toBe(first.stdout)
})

acceptanceTest('an order at a table is not handed over while its check is open', async (told) => {
  const order = await placeOrder(told, { fulfillment: 'dine_in', method: 'pay_at_table' })
  await told.dray(`business orders accept ${order.display_number}`)
  const refused = await told.dray(`business orders complete ${order.display_number} --json`, { exit: 7 })
  expect(refused.json<PrintedFailure>().code).toBe('table_check_open')
  await told.terminal('business orders list').shows(/ Balance due\n[^\n]+\n.* £\d+\.\d\d\n/)
})

acceptanceTest('a delivery is completed by its courier, not by the store', async (told) => {
  const order = await placeOrder(told, { fulfillment: 'delivery' })
  await told.dray(`business orders accept ${order.display_number}`)
  const refused = await told.dray(`business orders complete ${order.display_number} --json`, { exit: 7 })
  expect(refused.json<PrintedFailure>().code).toBe('fulfillment_type_mismatch')
})

servedAcceptanceTest(
  'Ctrl-C among several orders ends the call under way and sends no other',
  async (told) => {
    const [one, two] = [await placeOrder(told), await placeOrder(told)]
    const proxy = await startFaultProxy(told.url ?? '')
    const env = { DRAY_BASE_URL: proxy.url }
    const held = proxy.holdNext()
    const terminal = told.terminal(`business orders accept ${one.order_id} ${two.order_id}`, { env })
    const { release } = await held
    terminal.type(KEY_BYTES.ctrlC)
    await terminal.shows('Waiting for the response to the current order')
    release()
    expect(await terminal.ended()).toMatchObject({ exitCode: 130 })
    await proxy.close()
    expect(terminal.screen()).toMatch(/done +accepted[^]*not_sent/)
    expect(terminal.screen()).toContain('1 accepted, 1 not sent.')
    expect((await told.dray(`business orders show ${two.order_id} --json`)).json<Order>().status).toBe(
      'placed',
    )
  },
)

servedAcceptanceTest(
  'killed among several orders, the same command goes on with those that are left',
  async (told) => {
    const [one, two] = [await placeOrder(told), await placeOrder(told)]
    const line = `business orders accept ${one.order_id} ${two.order_id} --json`
    const proxy = await startFaultProxy(told.url ?? '')
    const env = { DRAY_BASE_URL: proxy.url }
    const held = proxy.holdNext()
    const command = told.start(line, { env })
    await held
    command.kill('SIGKILL')
    await command.ended
    const again = await told.dray(line, { env })
    await proxy.close()
    expect(again.stderr).toContain('Resuming the call of')
    expect(resultsOf(again.json<Several>())).toEqual(['done accepted', 'done accepted'])
  },
)

acceptanceTest('several stores are told apart by --merchant, which the refusal names', async (told) => {
  const refused = await told.dray('business orders watch --as chain', { exit: 2 })
  expect(refused.stderr).toContain("--merchant 'Goosefoot Grocer Spitalfields'")
  const [, id = ''] = /\((mer_\w+)\)/.exec(refused.stderr) ?? []
  const watched = await told.dray(`business orders watch --as chain --merchant ${id} --json`, { exit: 8 })
  expect(watched.json<Several>().data).toEqual([])
  const unknown = await told.dray(`business orders accept 7K2M --as chain --merchant ${id}`, { exit: 5 })
  expect(unknown.stderr).toContain(
    `hint: \`dray business orders list --active --as chain --merchant ${id}\` lists active orders`,
  )
  const foreign = await told.dray(`business orders show ord_01m7vkystgf7vtyybg4s0p9p1s --as chain`, {
    exit: 5,
  })
  expect(foreign.stderr).toContain('hint: `dray business orders list --as chain` shows your orders.')
})
