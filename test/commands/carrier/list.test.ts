import { expect, test } from 'vitest'
import { unknownCommand } from '../../../src/cli/unknown.ts'
import { carrierList } from '../../../src/commands/carrier/list.command.ts'
import { makeHome } from '../../support/home.ts'
import { makeParcel, makeRows } from '../../support/parcel.ts'
import { runCommand } from '../../support/run-command.ts'
import { makeSandboxClient } from '../../support/world-client.ts'
import { openTestSandbox } from '../../support/world.ts'

async function listed(
  use: (list: (...words: string[]) => ReturnType<typeof runCommand>) => Promise<void>,
): Promise<void> {
  const world = await openTestSandbox()
  const as = 'everything'
  await world.ok('create_shipments_batch', { shipments: makeRows(3), customer: 'Green Cup' }, { as })
  const { tracking_number } = await world.ok('create_shipment', makeParcel({ reference: 'X' }), { as })
  await world.ok('cancel_shipment', { tracking_number }, { as })
  using home = makeHome()
  await use((...words) =>
    runCommand(home, carrierList, words, { openClient: async () => makeSandboxClient(world, as) }),
  )
}

test('a list counts its parcels by status, narrowed by customer and days of creation, in every form of output', () =>
  listed(async (list) => {
    const counts = async (...words: string[]) => {
      const ran = await list('--count', '--fields', 'status,count', ...words)
      return ran.out.split('\n').filter((line) => /[1-9]\d*$/.test(line))
    }
    expect(await counts()).toEqual(['pre_transit\t3', 'cancelled\t1'])
    expect(await counts('--customer', 'Green Cup')).toEqual(['pre_transit\t3'])
    expect(await counts('--without-customer')).toEqual(['cancelled\t1'])
    expect(await counts('--created-to', '2026-11-20')).toEqual([])
    expect(await counts('--created-from', '2026-11-20', '--output', 'csv')).toEqual([
      'pre_transit,3',
      'cancelled,1',
    ])
    const whole = (await list('--count', '--json')).json() as { data: unknown[] }
    expect(whole.data).toHaveLength(10)
    expect(whole.data[0]).toEqual({ status: 'pre_transit', count: 3, more: false })
    const [first] = (await list('--count', '--output', 'ndjson')).out.split('\n')
    expect(JSON.parse(first ?? '')).toEqual({ status: 'pre_transit', count: 3, more: false })
    expect((await list('--count', '--fields', 'help')).out).toBe(
      'status\ncount\nmore\ndata\ndata.status\ndata.count\ndata.more\n',
    )
    expect(((await list('--json')).json() as { data: unknown[] }).data).toHaveLength(4)
  }))

test('a list that counts rejects flags that choose or page parcels, and names each of them', () =>
  listed(async (list) => {
    const refusal = async (...words: string[]) => {
      const { error } = await list('--count', ...words)
      return [error?.code, error?.message]
    }
    const leaveOut = (what: string) => ['usage', `--count counts parcels in each status: leave out ${what}.`]
    expect(await refusal('--limit', '3')).toEqual(leaveOut('--limit'))
    expect(await refusal('--cursor', 'x', '--all')).toEqual(leaveOut('--cursor and --all'))
    expect(await refusal('--status', 'lost', '--delivered-from', 'today')).toEqual(
      leaveOut('--status and --delivered-from'),
    )
    expect(await refusal('A-1', '--manifest', 'm.csv')).toEqual(leaveOut('--manifest and the named parcels'))
    expect((await list('--count', '--customer', 'A', '--without-customer')).error?.code).toBe('usage')
  }))

test('the error for a command that has become a flag names the flag', () => {
  const hint = (...words: string[]) => unknownCommand('carrier', words[0] ?? '', ['carrier', ...words]).hint
  expect(hint('count', '--customer', 'A')).toBe('Did you mean `dray carrier list --count`?')
  expect(hint('manifest', 'mnf_1')).toBe('Did you mean `dray carrier handover --manifest`?')
})
