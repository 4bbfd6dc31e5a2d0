import { expect } from 'vitest'
import type { PrintedFailure, Shipment, Shipments } from '../support/answers.ts'
import { createCommand } from '../support/clerk.ts'
import { acceptanceTest } from '../support/story.ts'

acceptanceTest('the same key gives the same answer, whatever happened since', async (told) => {
  const command = createCommand('A-1', '--idempotency-key order-1 --json')
  const first = await told.dray(command)
  await told.advance('23h')
  const moved = (
    await told.dray(`carrier show ${first.json<Shipment>().tracking_number} --json`)
  ).json<Shipment>()
  expect(moved.status).not.toBe(first.json<Shipment>().status)
  const again = await told.dray(command)
  expect(again.stdout).toBe(first.stdout)
  expect((await told.dray('carrier list --json')).json<Shipments>().data).toHaveLength(1)
})

acceptanceTest('a repeat with a key is said to people', async (told) => {
  const command = createCommand('A-1', '--idempotency-key order-1')
  expect((await told.dray(command)).stderr).not.toContain('nothing was repeated')
  expect((await told.dray(command)).stderr).toContain('nothing was repeated')
})

acceptanceTest('the same key with other content is refused, and creates nothing', async (told) => {
  await told.dray(createCommand('A-1', '--idempotency-key order-1 --json'))
  const other = await told.dray(createCommand('A-2', '--idempotency-key order-1 --json'), { exit: 7 })
  expect(other.json<PrintedFailure>()).toMatchObject({ code: 'idempotency_key_reused', exit_code: 7 })
  expect((await told.dray('carrier list --json')).json<Shipments>().data).toHaveLength(1)
})

acceptanceTest('after a day a key is new again', async (told) => {
  const first = await told.dray(createCommand('A-1', '--idempotency-key order-1 --json'))
  await told.advance('24h')
  const next = await told.dray(createCommand('A-2', '--idempotency-key order-1 --json'))
  expect(next.json<Shipment>().tracking_number).not.toBe(first.json<Shipment>().tracking_number)
})

acceptanceTest('a refusal is remembered with its key too', async (told) => {
  const command = createCommand('A-1', '--idempotency-key late --json')
  const made = await told.dray(createCommand('A-1', '--json'))
  const refused = await told.dray(command, { exit: 7 })
  const { tracking_number: number } = made.json<Shipment>()
  await told.dray(`carrier cancel ${number} --confirm ${number} --json`)
  expect((await told.dray(command, { exit: 7 })).stdout).toBe(refused.stdout)
  expect((await told.dray(createCommand('A-1', '--json'))).exitCode).toBe(0)
})

acceptanceTest('two accounts may use the same key', async (told) => {
  const mine = (await told.dray(createCommand('A-1', '--idempotency-key k --json'))).json<Shipment>()
  const theirs = (
    await told.dray(createCommand('A-1', '--idempotency-key k --as shipper --json'))
  ).json<Shipment>()
  expect(theirs.tracking_number).not.toBe(mine.tracking_number)
  expect(theirs.sender.company).toBe('Thames Books')
})

acceptanceTest('a key that cannot be one is refused', async (told) => {
  for (const key of ['""', '"two words"', `${'k'.repeat(256)}`]) {
    const ran = await told.dray(createCommand('A-1', `--json --idempotency-key=${key}`), { exit: 2 })
    expect(ran.json<PrintedFailure>().detail).toMatch(/^--idempotency-key must be 1 to 255 visible ASCII/)
  }
  expect((await told.dray('carrier list --json')).json<Shipments>().data).toEqual([])
})

/** A purchase of each kind, priced by the command itself. */
const PURCHASES: Readonly<Record<string, string>> = {
  'food order': '"Forno Santa Rosa" --item Margherita --fulfillment pickup --yes --max-total 40',
  'rides request': '--from kings-cross --to bank --tier economy --yes --max-total 30',
  'delivery request':
    '--from kings-cross --to shoreditch --what Keys --from-name Ana --to-name Ravi --yes --max-total 20',
  'services book':
    '"Bright Corner" --service regular_clean --to shoreditch --name Ana --at "tomorrow 14:00" --yes --max-total 40',
  'tasks create':
    'shelf_audit --to spitalfields --require "store_name=Goosefoot" --require "products=Milk" --yes --max-total 40',
}

acceptanceTest(
  'a purchase that is typed again with its key is the first one, and is paid once',
  async (told) => {
    for (const [words, flags] of Object.entries(PURCHASES)) {
      const command = `${words} ${flags} --idempotency-key ours`
      const first = await told.dray(`${command} --json`)
      const again = await told.dray(`${command} --json`)
      expect(again.stdout, words).toBe(first.stdout)
    }
    const order = `food order ${PURCHASES['food order']} --idempotency-key ours`
    await told.advance('20m')
    expect((await told.dray(order)).stderr).toContain('nothing was repeated')
    const other = order.replace('Margherita', '"Margherita x2"')
    const refused = await told.dray(`${other} --json`, { exit: 7 })
    expect(refused.json<PrintedFailure>().code).toBe('idempotency_key_reused')
    const { data } = (await told.dray('food list --json')).json<{ data: unknown[] }>()
    expect(data).toHaveLength(1)
  },
)
