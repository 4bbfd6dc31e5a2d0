import { describe, expect, test } from 'vitest'
import type { Command } from '../../../../src/cli/define-command.ts'
import { businessOrdersAccept } from '../../../../src/commands/business/orders-accept.command.ts'
import { businessOrdersReject } from '../../../../src/commands/business/orders-reject.command.ts'
import { AppError } from '../../../../src/core/errors.ts'
import { makeHome } from '../../../support/home.ts'
import { memoryIo, type MemoryIo } from '../../../support/memory-io.ts'
import { makeStoreOrder } from '../../../support/orders.ts'
import { runCommand } from '../../../support/run-command.ts'
import { type StoreClient, storeClient } from '../../../support/store-client.ts'

async function run(client: StoreClient, command: Command, words: readonly string[], io?: MemoryIo) {
  using home = makeHome()
  return await runCommand(home, command, words, {
    openClient: async () => client,
    ...(io !== undefined && { io }),
  })
}

const accept = (client: StoreClient, ...words: string[]) => run(client, businessOrdersAccept, words)
const reject = (client: StoreClient, ...words: string[]) => run(client, businessOrdersReject, words)

type Document = {
  counts: Record<string, number>
  data: { order_id: string; result: string; status: string; problem: { code: string } | null }[]
}

const resultsOf = (document: unknown) => (document as Document).data.map(({ result }) => result)

const unpaid = () => new AppError('payment_required', 'The payment is not settled.')

test('a word that names no order is rejected before any other is sent', async () => {
  const client = storeClient([makeStoreOrder('7K2M'), makeStoreOrder('9XQ4')])
  for (const words of [['ord_7k2m', '9XQ4', 'table 4'], ['nonsense-form'], ['ord-7k2m', '7K2M']]) {
    const { error } = await accept(client, ...words)
    expect(error).toMatchObject({ code: 'usage', exitCode: 2 })
    expect(error?.message).toMatch(/^Unknown order: "(?:table 4|nonsense-form|ord-7k2m)"\.$/)
  }
  expect(client.sent).toEqual([])
})

test('--fields is judged by how many orders are named', async () => {
  const client = storeClient([makeStoreOrder('7K2M'), makeStoreOrder('9XQ4')])
  const one = await accept(client, '7K2M', '--fields', 'result')
  const several = await accept(client, '7K2M', '9XQ4', '--fields', 'lines')
  expect([one.error?.exitCode, several.error?.exitCode, client.sent]).toEqual([2, 2, []])
  expect((await accept(client, '7K2M', '#9xq4', '--fields', 'result,order.total.amount')).code).toBe(0)
})

describe('one order', () => {
  test('is printed as it now is', async () => {
    const ran = await accept(storeClient([makeStoreOrder('7K2M')]), 'ord_7k2m', '--json')
    expect(ran.json()).toMatchObject({ order_id: 'ord_7k2m', status: 'accepted' })
    expect(ran.code).toBe(0)
  })

  test('fails with the code of the response', async () => {
    const client = storeClient([makeStoreOrder('7K2M')])
    client.fail('ord_7k2m', unpaid())
    expect((await accept(client, 'ord_7k2m')).error).toMatchObject({ code: 'payment_required', exitCode: 6 })
    expect((await accept(client, 'ord_gone')).error).toMatchObject({ exitCode: 5 })
  })

  test('may be named by its number, however that is written', async () => {
    const client = storeClient([makeStoreOrder('7K2M'), makeStoreOrder('9XQ4')])
    await accept(client, '7k2m')
    expect(client.sent.map(({ orderId }) => orderId)).toEqual(['ord_7k2m'])
  })

  test('is not found by a number that none has', async () => {
    const client = storeClient([makeStoreOrder('7K2M', { status: 'completed' })])
    const { error } = await accept(client, '9XQ4')
    expect(error?.message).toBe('No order has the number 9XQ4.')
    expect(client.sent).toEqual([])
  })

  test('that has ended says what became of it, without a question', async () => {
    const rejected = makeStoreOrder('7K2M', {
      status: 'rejected',
      status_history: [
        {
          status: 'rejected',
          at: '2026-11-20T12:03:00.000Z',
          by: 'store',
          reason: 'item_unavailable',
          note: 'No noodles',
        },
      ],
    })
    for (const act of [accept, reject]) {
      const { error } = await act(storeClient([rejected]), '7k2m')
      expect(error).toMatchObject({ code: 'invalid_state', exitCode: 7 })
      expect(error?.message).toMatch(
        /^Order 7K2M was rejected by the store at .*12:03.*: item unavailable, "No noodles"\.$/,
      )
      expect(error?.hint).toBe('`dray business orders show 7k2m` shows its history.')
    }
  })

  test('has the key that was given', async () => {
    const client = storeClient([makeStoreOrder('7K2M')])
    await accept(client, '7K2M', '--idempotency-key', 'k')
    expect(client.sent[0]?.key).toBe('k')
  })
})

describe('several orders', () => {
  test('have a result each, in the order given, and one that is rejected stops none', async () => {
    const client = storeClient([
      makeStoreOrder('7K2M'),
      makeStoreOrder('9XQ4'),
      makeStoreOrder('A1B2', { status: 'ready' }),
    ])
    client.fail('ord_7k2m', unpaid())
    const ran = await accept(client, 'ord_7k2m', 'A1B2', '9XQ4', 'ZZZZ', '--json')
    expect(ran.json()).toMatchObject({
      counts: { total: 4, done: 1, failed: 3, not_sent: 0 },
      data: [
        { order_id: 'ord_7k2m', result: 'failed', problem: { code: 'payment_required', exit_code: 6 } },
        { display_number: 'A1B2', result: 'failed', status: 'ready', problem: { code: 'invalid_state' } },
        { display_number: '9XQ4', result: 'done', status: 'accepted', order: { order_id: 'ord_9xq4' } },
        { order_id: null, display_number: 'ZZZZ', problem: { code: 'order_not_found' } },
      ],
    })
    expect(ran.code).toBe(9)
  })

  test('that all fail alike have the code of that failure, and 6 when each has its own', async () => {
    const ready = [makeStoreOrder('7K2M', { status: 'ready' }), makeStoreOrder('9XQ4', { status: 'ready' })]
    expect((await accept(storeClient(ready), '7K2M', '9XQ4')).code).toBe(7)
    expect((await accept(storeClient(ready), '7K2M', 'ord_gone')).code).toBe(6)
    expect(
      (await accept(storeClient([makeStoreOrder('7K2M'), makeStoreOrder('9XQ4')]), '7K2M', '9XQ4')).code,
    ).toBe(0)
  })

  test('have each a key of their own, made of the one that was given', async () => {
    const client = storeClient([makeStoreOrder('7K2M'), makeStoreOrder('9XQ4')])
    await accept(client, '7K2M', '9XQ4', '--idempotency-key', 'k')
    expect(client.sent.map(({ key }) => key)).toEqual(['k-ord_7k2m', 'k-ord_9xq4'])
  })

  test('are done once when one is named twice', async () => {
    const client = storeClient([makeStoreOrder('7K2M'), makeStoreOrder('9XQ4')])
    const ran = await accept(client, '7K2M', 'ord_7k2m', '9XQ4', '7k2m', '--json')
    expect(resultsOf(ran.json())).toEqual(['done', 'done'])
    expect(client.sent).toHaveLength(2)
  })

  test('are not sent any more when the service cannot be reached, and say so', async () => {
    const client = storeClient([makeStoreOrder('7K2M'), makeStoreOrder('9XQ4'), makeStoreOrder('A1B2')])
    client.fail('ord_9xq4', new AppError('network_error', 'Cannot reach the server.'))
    const ran = await accept(client, '7K2M', '9XQ4', 'A1B2', '--json')
    expect(resultsOf(ran.json())).toEqual(['done', 'failed', 'not_sent'])
    expect(ran.code).toBe(11)
    expect(client.sent).toHaveLength(2)
  })

  test('with one number that two have are not sent at all', async () => {
    const twin = { ...makeStoreOrder('7K2M'), order_id: 'ord_twin' }
    const client = storeClient([makeStoreOrder('7K2M'), twin, makeStoreOrder('9XQ4')])
    const { error } = await accept(client, '9XQ4', '7K2M')
    expect(error?.exitCode).toBe(2)
    expect(error?.message).toBe(
      'Several orders have the number 7K2M: ord_7k2m of 2026-11-20 (placed, Ana, £27.19); ord_twin of 2026-11-20 (placed, Ana, £27.19).',
    )
    expect(client.sent).toEqual([])
  })

  test('tell people how many were done and why others were not', async () => {
    const client = storeClient([makeStoreOrder('7K2M'), makeStoreOrder('9XQ4')])
    client.fail('ord_9xq4', unpaid())
    const { out, err } = await accept(client, '7K2M', '9XQ4')
    expect(out).toContain('9XQ4\tord_9xq4\tfailed\tplaced\tpayment_required')
    expect(err).toBe('1 accepted, 1 failed.\n  9XQ4: The payment is not settled.\n')
  })

  test('are only shown with --dry-run', async () => {
    const client = storeClient([makeStoreOrder('7K2M'), makeStoreOrder('9XQ4')])
    const ran = await accept(client, '7K2M', '9XQ4', '--prep-time', '20', '--dry-run')
    expect(ran.out).toBe(
      'operation\tinput.order_id\tinput.prep_time_minutes\naccept_business_order\tord_7k2m\t20\naccept_business_order\tord_9xq4\t20\n',
    )
    expect(client.sent).toEqual([])
  })
})

describe('a rejection', () => {
  const two = () => storeClient([makeStoreOrder('7K2M'), makeStoreOrder('9XQ4')])

  test('is confirmed by the order as it was named', async () => {
    const client = two()
    expect((await reject(client, '7K2M', '--yes')).error?.hint).toContain('--confirm 7K2M')
    expect((await reject(client, '7K2M', '--confirm', '9XQ4', '--reason', 'too_busy')).code).toBe(3)
    expect(client.sent).toEqual([])
    expect((await reject(client, '7K2M', '--confirm', '7K2M', '--reason', 'too_busy')).code).toBe(0)
    expect(client.sent[0]?.body).toEqual({ reason_code: 'too_busy' })
  })

  test('of several is confirmed by their count', async () => {
    const client = two()
    const both = ['7K2M', '9XQ4', '--reason', 'store_closed']
    expect((await reject(client, ...both, '--confirm', '7K2M')).code).toBe(3)
    expect((await reject(client, ...both, '--confirm', '3')).code).toBe(3)
    expect(client.sent).toEqual([])
    expect((await reject(client, ...both, '--confirm', '2')).code).toBe(0)
    expect(client.sent).toHaveLength(2)
  })

  test('needs a reason from a script, because the customer sees it', async () => {
    const client = two()
    const { error } = await reject(client, '7K2M', '--confirm', '7K2M', '--note', 'Sorry')
    expect(error).toMatchObject({ exitCode: 2, message: 'Missing: --reason.' })
    expect(error?.hint).toMatch(/reject 7K2M --confirm 7K2M --note Sorry --reason REASON$/)
    expect(client.sent).toEqual([])
  })

  test('says to people what it is about before they type', async () => {
    const client = two()
    const io = memoryIo({ tty: true, env: {} })
    const ran = run(client, businessOrdersReject, ['7K2M', '--reason', 'too_busy', '--accessible'], io)
    io.type('no\n')
    expect((await ran).code).toBe(3)
    expect(io.asked()).toContain(
      '2 × Pad Thai, Spring rolls; £27.19 (card, paid). £27.19 will be refunded to the customer.',
    )
    expect(client.sent).toEqual([])
  })

  test('takes items off sale that have run out', async () => {
    const client = two()
    await reject(
      client,
      '7K2M',
      '--reason',
      'item_unavailable',
      '--item',
      'itm_1,itm_2',
      '--mark-unavailable',
      '--confirm',
      '7K2M',
    )
    expect(client.sent[0]?.body).toEqual({
      reason_code: 'item_unavailable',
      item_ids: ['itm_1', 'itm_2'],
      mark_unavailable: true,
    })
  })
})

test('a time that is no number, and no order at all, are said before anything is sent', async () => {
  const client = storeClient([makeStoreOrder('7K2M')])
  expect((await accept(client, '7K2M', '--prep-time', 'soon')).error?.message).toContain(
    '--prep-time must be',
  )
  expect((await accept(client)).error?.message).toContain('Which order?')
  expect(client.sent).toEqual([])
})
