import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Command } from '../../../src/cli/define-command.ts'
import { carrierCancel } from '../../../src/commands/carrier/cancel.command.ts'
import { carrierLabel } from '../../../src/commands/carrier/label.command.ts'
import { carrierList } from '../../../src/commands/carrier/list.command.ts'
import { carrierRedirect } from '../../../src/commands/carrier/redirect.command.ts'
import { carrierReturn } from '../../../src/commands/carrier/return.command.ts'
import { carrierToday } from '../../../src/commands/carrier/today.command.ts'
import { carrierTrack } from '../../../src/commands/carrier/track.command.ts'
import { carrierUpload } from '../../../src/commands/carrier/upload.command.ts'
import { toStorePath } from '../../support/agent.ts'
import { makeManifestCsv } from '../../support/clerk.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { makeParcel } from '../../support/parcel.ts'
import { runCommand } from '../../support/run-command.ts'

type Row = {
  tracking_number: string | null
  reference: string
  result: string
  status: string
  problem: { code: string } | null
}
type Answer = { counts: Record<string, number>; data: Row[]; problems: { parcel: string; code: string }[] }

/** Returns a home with parcels `R-0001` and so on, and functions that run commands there. */
async function clerkWith(home: Home, count: number) {
  const file = (name: string) => join(home.cwd, name)
  const run = async (command: Command, ...words: string[]) => {
    const ran = await runCommand(home, command, words, { openClient: embeddedIn(home) })
    return { ...ran, answer: () => ran.json() as Answer }
  }
  writeFileSync(file('m.csv'), makeManifestCsv(count))
  const sent = await run(carrierUpload, file('m.csv'), '--yes', '--json')
  const numbers = sent.answer().data.map(({ tracking_number }) => tracking_number ?? '')
  const client = () => embeddedIn(home)({ kind: 'embedded', store: toStorePath(home), account: 'everything' })
  return {
    run,
    file,
    numbers,
    client,
    results: file('m.results.csv'),
    batch: (sent.json() as { batch_ids: string[] }).batch_ids[0] ?? '',
  }
}

test('one command and one question, with their number and the sum that is not billed, cancel twenty parcels', async () => {
  using home = makeHome()
  const { run, results } = await clerkWith(home, 20)
  const asked = await run(carrierCancel, '--manifest', results, '--reason', 'order_cancelled')
  expect(asked.code).toBe(3)
  expect(asked.error?.message).toMatch(
    /^Cancel 20 parcels: R-0001, R-0002, R-0003, 17 more\. 20 not collected yet: £[\d.]+ will not be billed\. /,
  )
  expect(asked.error?.hint).toContain('--confirm 20')
  expect((await run(carrierCancel, '--manifest', results, '--confirm', '19')).code).toBe(3)
  const planned = await run(carrierCancel, '--manifest', results, '--dry-run', '--json')
  expect(planned.answer().data).toHaveLength(20)
  const done = await run(carrierCancel, '--manifest', results, '--confirm', '20', '--json')
  expect([done.code, done.answer().counts]).toEqual([
    0,
    { total: 20, done: 20, failed: 0, not_sent: 0, unchanged: 0 },
  ])
  expect(done.answer().data.every(({ status }) => status === 'cancelled')).toBe(true)
  const again = await run(carrierCancel, '--manifest', results, '--json')
  expect([again.code, again.answer().counts['unchanged']]).toEqual([0, 20])
})

test('a set of which some are delivered, cancelled or unknown has a result for each, and exit 9', async () => {
  using home = makeHome()
  const { run, numbers, batch, client } = await clerkWith(home, 4)
  const service = await client()
  await service.call('cancel_shipment', { tracking_number: numbers[1] ?? '' })
  await service.control('advance_clock', { by: '6d' })
  const delivered = (await service.call('list_shipments', { status: ['delivered'] })).value.data
  await service.close()
  expect(delivered).toHaveLength(3)
  const fresh = await run(
    carrierUpload,
    join(home.cwd, 'm.csv'),
    '--yes',
    '--json',
    '--recreate-cancelled',
    '--idempotency-key',
    'again',
  )
  expect(fresh.code).toBe(0)
  const words = ['R-0001', 'R-0002', numbers[1] ?? '', 'NOPE']
  const ran = await run(carrierCancel, ...words, '--confirm', '1', '--json')
  expect(ran.code).toBe(9)
  expect(
    ran.answer().data.map(({ reference, result, problem }) => [reference, result, problem?.code]),
  ).toEqual([
    ['R-0001', 'failed', 'not_cancellable'],
    ['R-0002', 'done', undefined],
    ['R-0002', 'unchanged', undefined],
    ['NOPE', 'failed', 'shipment_not_found'],
  ])
  const all = await run(carrierCancel, '--batch', batch, '--status', 'delivered', '--json')
  expect([all.code, all.answer().counts]).toMatchObject([7, { total: 3, failed: 3 }])
})

test('a parcel that was cancelled and made again is meant by its reference, alone and among many', async () => {
  using home = makeHome()
  const { run, file, numbers } = await clerkWith(home, 3)
  expect((await run(carrierCancel, 'R-0002', '--confirm', 'R-0002')).code).toBe(0)
  const again = [file('m.csv'), '--yes', '--json', '--recreate-cancelled', '--idempotency-key', 'second']
  const made = (await run(carrierUpload, ...again)).answer().data[1]?.tracking_number
  expect(made).not.toBe(numbers[1])
  const tracked = await run(carrierTrack, 'R-0001', 'R-0002', '--json')
  expect(tracked.code).toBe(0)
  expect(tracked.answer().data.map(({ tracking_number }) => tracking_number)).toEqual([numbers[0], made])
  const labels = await run(carrierLabel, 'R-0002', 'R-0003', 'NOPE', '--out', file('l.zpl'), '--json')
  expect(labels.code).toBe(9)
  expect(labels.json()).toMatchObject({
    tracking_numbers: [made, numbers[2]],
    problems: [{ parcel: 'NOPE', code: 'shipment_not_found', exit_code: 5 }],
  })
  expect(readFileSync(file('l.zpl'), 'utf8').match(/\^XA/g)).toHaveLength(2)
})

test('one question for the returns of a set has their number and price, and they are created once', async () => {
  using home = makeHome()
  const { run, numbers } = await clerkWith(home, 3)
  const words = ['R-0001', 'R-0002', 'R-0003', 'NOPE']
  const asked = await run(carrierReturn, ...words)
  expect(asked).toMatchObject({ code: 3, error: { code: 'not_confirmed' } })
  expect(asked.error?.message).toMatch(/^Buy the returns of 4 parcels\?/)
  const low = await run(carrierReturn, ...words, '--yes', '--max-total', '0.50')
  expect(low.error?.code).toBe('price_above_limit')
  const first = await run(carrierReturn, 'R-0002', '--yes', '--max-total', '20', '--json')
  const { tracking_number } = first.json() as { tracking_number: string }
  const made = await run(carrierReturn, ...words, '--yes', '--max-total', '60', '--json')
  expect([made.code, made.answer().data.map(({ result }) => result)]).toEqual([
    9,
    ['done', 'unchanged', 'done', 'failed'],
  ])
  expect((made.answer().data[1] as { return_number?: string }).return_number).toBe(tracking_number)
  const again = await run(carrierReturn, ...numbers, '--yes', '--max-total', '60', '--json')
  expect([again.code, again.answer().counts]).toMatchObject([0, { done: 0, unchanged: 3 }])
  expect((await run(carrierList, '--json')).answer().data).toHaveLength(6)
})

test('an upload with return labels writes both labels of each row, and creates none twice', async () => {
  using home = makeHome()
  const { run, file, results } = await clerkWith(home, 2)
  const out = ['--labels', file('l.zpl'), '--with-return-labels', '--yes', '--json']
  const low = await run(carrierUpload, file('m.csv'), ...out, '--max-total', '1.00')
  expect(low.error?.code).toBe('price_above_limit')
  expect(readFileSync(results, 'utf8')).toMatch(/,reason,return_number\r\n.*,\r\n/)
  const codes: number[] = []
  for (let again = 0; again < 2; again += 1) {
    const made = await run(carrierUpload, file('m.csv'), ...out, '--force')
    codes.push(made.code)
    const written = readFileSync(results, 'utf8').trim().split('\r\n')
    const told = made.answer().data as { return_number?: string }[]
    expect(written.map((line) => line.split(',').at(-1))).toEqual([
      'return_number',
      ...told.map(({ return_number: number }) => number),
    ])
    const labels = readFileSync(file('l.zpl'), 'utf8')
    expect(labels.match(/\^XA/g)).toHaveLength(4)
    const { data } = (await run(carrierList, '--json')).answer() as unknown as {
      data: { tracking_number: string; return_number?: string; return_of?: object }[]
    }
    expect(data).toHaveLength(4)
    const inOrder = data.filter(({ return_of }) => return_of === undefined).toReversed()
    const places = inOrder.flatMap(({ tracking_number, return_number = '' }) =>
      [tracking_number, return_number].map((number) => labels.indexOf(number)),
    )
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  }
  expect(codes).toEqual([0, 0])
})

test('a set is redirected after one question with its number, and without a sum; a repeat changes nothing', async () => {
  using home = makeHome()
  const { run, results, client, numbers } = await clerkWith(home, 4)
  const service = await client()
  await service.call('cancel_shipment', { tracking_number: numbers[3] ?? '' })
  await service.close()
  const way = ['--manifest', results, '--hub', 'lon1']
  const asked = await run(carrierRedirect, ...way)
  expect([asked.code, asked.error?.message]).toEqual([
    3,
    expect.stringMatching(
      /^Redirect 3 parcels: R-0001, R-0002, R-0003\. New hub: "lon1"\. The price stays\. /,
    ),
  ])
  const done = await run(carrierRedirect, ...way, '--yes', '--json')
  expect([done.code, done.answer().data.map(({ result, problem }) => problem?.code ?? result)]).toEqual([
    9,
    ['done', 'done', 'done', 'invalid_state'],
  ])
  const again = await run(carrierRedirect, 'R-0001', 'R-0002', '--hub', 'LON1', '--json')
  expect([again.code, again.answer().counts]).toMatchObject([0, { done: 0, unchanged: 2 }])
  for (const flags of [[], ['--date', '2026-11-27', '--safe-place', 'Porch']])
    expect((await run(carrierRedirect, 'R-0001', 'R-0002', ...flags)).error?.code).toBe('usage')
  expect((await run(carrierRedirect, 'R-0001', 'R-0002', '--hub', 'NOPE')).error?.code).toBe('hub_not_found')
})

test('named parcels are listed as a list shows them, in their order', async () => {
  using home = makeHome()
  const { run, numbers, results } = await clerkWith(home, 3)
  const all = (await run(carrierList, '--json')).answer().data
  const named = await run(carrierList, numbers[2] ?? '', 'R-0001', 'R-0001', '--json')
  expect([named.code, named.answer().data]).toEqual([0, [all[0], all[2]]])
  expect((await run(carrierList, '--manifest', results, '--json')).answer().data).toEqual(all.toReversed())
  const some = await run(carrierList, 'R-0001', 'NOPE', '--json')
  expect([some.code, some.answer().problems.map(({ parcel }) => parcel)]).toEqual([9, ['NOPE']])
  expect((await run(carrierList, 'NOPE')).code).toBe(5)
  expect((await run(carrierList, 'R-0001', '--status', 'lost')).error?.code).toBe('usage')
})

test('the parcels of today are those of the service’s day, whatever day it is on this machine', async () => {
  using home = makeHome()
  const { run, file, numbers, client } = await clerkWith(home, 2)
  const service = await client()
  await service.control('advance_clock', { by: '3d' })
  await service.close()
  writeFileSync(file('later.csv'), makeManifestCsv(3).replaceAll('R-', 'L-'))
  const sent = await run(carrierUpload, file('later.csv'), '--yes', '--json')
  const later = sent.answer().data.map(({ tracking_number }) => tracking_number)
  const listed = await run(carrierCancel, '--created-today', '--dry-run', '--json')
  const planned = listed.json() as { data: { input: { tracking_number: string } }[] }
  expect(planned.data.map(({ input }) => input.tracking_number)).toEqual(later)
  const done = await run(carrierCancel, '--created-today', '--confirm', '3', '--json')
  expect([done.code, done.answer().counts['done']]).toEqual([0, 3])
  const kept = await run(carrierList, numbers[0] ?? '', numbers[1] ?? '', '--json')
  expect(kept.answer().data.every(({ status }) => status !== 'cancelled')).toBe(true)
})

test('names beside a filter are rejected before anything is cancelled', async () => {
  using home = makeHome()
  const { error } = await runCommand(home, carrierCancel, ['R-0001', '--status', 'pre_transit'])
  expect([error?.code, error?.exitCode]).toEqual(['usage', 2])
})

test('the morning’s list names what needs a decision, the most urgent first, each with its command', async () => {
  using home = makeHome()
  const client = await embeddedIn(home)({ kind: 'embedded', store: toStorePath(home), account: 'everything' })
  const made: Record<string, string> = {}
  for (const scenario of [
    'attempt_fails;times=3',
    'damaged',
    'attempt_fails;reason=refused',
    'delayed;hours=300',
    'happy',
  ]) {
    const { value } = await client.call('create_shipment', makeParcel() as never, { scenario })
    made[scenario] = value.tracking_number
  }
  const today = async () =>
    (await runCommand(home, carrierToday, ['--json'], { openClient: embeddedIn(home) })).json() as {
      data: { tracking_number: string; reason: string; days_late: number; command: string }[]
    }
  expect((await today()).data).toEqual([])
  await client.control('advance_clock', { by: '6d' })
  await client.close()
  const { data } = await today()
  const [attempted, damaged, held] = [
    made['attempt_fails;times=3'],
    made['damaged'],
    made['delayed;hours=300'],
  ]
  expect(data.map(({ reason }) => reason)).toEqual(
    data.map(({ reason }) => reason).toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)),
  )
  expect(data.map(({ tracking_number }) => tracking_number)).toEqual([attempted, damaged, held])
  expect(data.map(({ command }) => command)).toEqual([
    `dray carrier redirect ${attempted}`,
    `dray carrier claim ${damaged}`,
    `dray carrier track ${held}`,
  ])
  expect(data.map(({ days_late }) => days_late > 0)).toEqual([true, false, true])
  const listed = await runCommand(home, carrierList, ['--output', 'table'], { openClient: embeddedIn(home) })
  expect(listed.err).toMatch(new RegExp(`Late: ${held} \\(\\d days\\), ${attempted} \\(\\d days\\)\\.`))
})

const ORDER = ['delivery_attempted', 'waits_for_recipient', 'claim', 'held', 'not_collected', 'late']
