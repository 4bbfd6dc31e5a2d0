import { describe, expect, test } from 'vitest'
import { businessOrdersWatch } from '../../../../src/commands/business/orders-watch.command.ts'
import { listOpenProblemOrders } from '../../../../src/commands/business/orders/active.ts'
import { loadTakings } from '../../../../src/commands/business/orders/takings.ts'
import { AppError } from '../../../../src/core/errors.ts'
import { makeHome } from '../../../support/home.ts'
import { memoryIo, type MemoryIo } from '../../../support/memory-io.ts'
import { gbp } from '../../../support/money.ts'
import { makeStoreOrder, problemOrder } from '../../../support/orders.ts'
import { runCommand } from '../../../support/run-command.ts'
import { storeClient } from '../../../support/store-client.ts'

const TODAY = { merchantId: undefined, now: Date.parse('2026-11-20') }

test('the takings of a day are the net sales of its statement', async () => {
  const orders = [makeStoreOrder('7K2M'), makeStoreOrder('9XQ4')]
  expect(await loadTakings(storeClient(orders), TODAY)).toEqual({ orders: 2, total: gbp(2 * 2719) })
})

test('today of the board is the business day, which the night before 05:00 ends', async () => {
  const asked: unknown[] = []
  const client = storeClient([])
  const watched: typeof client = {
    ...client,
    call: async (operation, ...rest) => {
      asked.push(rest[0])
      return client.call(operation, ...rest)
    },
  }
  await loadTakings(watched, { merchantId: undefined, now: Date.parse('2026-11-21T02:00:00Z') })
  expect(asked).toEqual([{ from: '2026-11-20T05:00:00.000Z', to: '2026-11-21T02:00:00.001Z' }])
})

test('a service without statements tells no takings', async () => {
  const client = storeClient([])
  const older = {
    ...client,
    call: async () => Promise.reject(new AppError('route_not_found', 'There is no such path.')),
  }
  expect(await loadTakings(older, TODAY)).toBeNull()
  const failing = { ...client, call: async () => Promise.reject(new AppError('network_error', 'gone')) }
  await expect(loadTakings(failing, TODAY)).rejects.toThrow('gone')
})

const ORDERS = [
  makeStoreOrder('9XQ4', { status: 'out_for_delivery', fulfillment_type: 'delivery' }),
  makeStoreOrder('7K2M'),
  makeStoreOrder('C3D5', { status: 'completed' }),
]

test('a user who types commands sees each problem once, and how to answer it', async () => {
  const io = memoryIo({ tty: true, columns: 120 })
  let polls = 0
  using home = makeHome()
  await runCommand(home, businessOrdersWatch, ['--accessible'], {
    openClient: async () => storeClient([problemOrder('C3D5'), makeStoreOrder('7K2M')]),
    io,
    meanwhile: async () => {
      if (++polls > 2) io.type('quit\n')
    },
  })
  expect(io.err().match(/^PROBLEM.*$/gm)).toEqual([
    'PROBLEM: C3D5, 1 × Pad Thai (missing), £11.07: `dray business orders answer C3D5`',
  ])
})

test('a user who reads the board line by line sees removed units once, before anything is paid', async () => {
  const cash = { payment: { method: 'cash', status: 'unpaid', amount: gbp(2719) } } as const
  const client = storeClient([makeStoreOrder('7K2M', cash)])
  const removed = { line_id: '2', quantity: 1, amount: gbp(395), goods: gbp(395), replacement: null }
  let polls = 0
  using home = makeHome()
  const { out } = await runCommand(home, businessOrdersWatch, ['--timeout', '10s'], {
    openClient: async () => client,
    meanwhile: async () => {
      polls += 1
      const adjustments = [{ kind: 'removed', lines: [removed], amount: gbp(395), refund_id: null } as const]
      if (polls === 1) client.put(makeStoreOrder('7K2M', { ...cash, adjustments }))
    },
  })
  expect(polls).toBeGreaterThan(2)
  expect(
    out
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[5]),
  ).toEqual(['2 × Pad Thai, Spring rolls', '2 × Pad Thai'])
})

test('a service from before there were problems tells of none', async () => {
  const client = storeClient([problemOrder('C3D5')])
  const older = {
    ...client,
    call: async () => Promise.reject(new AppError('invalid_request', 'problem is unknown.')),
  }
  const { signal } = new AbortController()
  expect(await listOpenProblemOrders(client, { merchantId: undefined, signal })).toHaveLength(1)
  expect(await listOpenProblemOrders(older, { merchantId: undefined, signal })).toEqual([])
})

async function watch(words: readonly string[], io?: MemoryIo) {
  using home = makeHome()
  return await runCommand(home, businessOrdersWatch, words, {
    openClient: async () => storeClient(ORDERS, { frozen: true }),
    ...(io !== undefined && { io }),
  })
}

describe('on a clock that stands still', () => {
  test('a pipe gets the active orders, oldest first, a line each', async () => {
    const ran = await watch([])
    expect(ran.out.split('\n').map((line) => line.split('\t').slice(1, 5))).toEqual([
      ['7K2M', 'ord_7k2m', 'placed', 'pickup'],
      ['9XQ4', 'ord_9xq4', 'out_for_delivery', 'delivery'],
      [],
    ])
    expect(ran.code).toBe(8)
    expect(ran.err).toContain(
      '2 active orders, and the sandbox clock is frozen: `dray sandbox clock advance 1m`',
    )
  })

  test('--output ndjson gives them as objects, --json once as one document, csv as a table', async () => {
    const lines = (await watch(['--output', 'ndjson'])).out.trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { display_number: string }).display_number)).toEqual([
      '7K2M',
      '9XQ4',
    ])
    const whole = (await watch(['--json'])).json() as { data: unknown[] }
    expect(whole.data).toHaveLength(2)
    expect((await watch(['--output', 'csv', '--fields', 'display_number'])).out).toContain('9XQ4')
  })

  test('a terminal without keys gets words instead of a board', async () => {
    const io = memoryIo({ tty: true, columns: 120 })
    expect((await watch(['--no-input'], io)).code).toBe(8)
    expect(io.out()).toContain('9XQ4  ord_9xq4  out for delivery  delivery')
    expect(io.out()).not.toContain('\x1b')
  })
})
