import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { carrierShow } from '../../../src/commands/carrier/show.command.ts'
import { carrierTrack } from '../../../src/commands/carrier/track.command.ts'
import { carrierUpload } from '../../../src/commands/carrier/upload.command.ts'
import { MANIFEST_COLUMNS, manifestLine } from '../../support/clerk.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo, type MemoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'
import { FROZEN } from '../../support/sandbox-commands.ts'

type Parcel = {
  tracking_number: string
  reference: string
  status: string
  late: boolean
  attention: string | null
}
type Document = { counts: Record<string, number>; data: Parcel[]; batch_ids: string[] }

function track(home: Home, words: readonly string[], io?: MemoryIo) {
  return runCommand(home, carrierTrack, words, {
    openClient: embeddedIn(home),
    ...(io !== undefined && { io }),
  })
}

let sent = 0

/** Sends parcels with these references and returns them in order. */
async function send(home: Home, flags: readonly string[], ...references: string[]): Promise<Document> {
  const path = join(home.cwd, 'm.csv')
  const lines = references.map((reference, index) => manifestLine(reference, index))
  writeFileSync(path, [MANIFEST_COLUMNS, ...lines].join('\n'))
  const words = [path, '--yes', '--json', '--idempotency-key', `key-${++sent}`, ...flags]
  const ran = await runCommand(home, carrierUpload, words, { openClient: embeddedIn(home) })
  return ran.json() as Document
}

async function clientOf(home: Home) {
  const store = `${home.paths.data}/default/dray.db`
  return embeddedIn(home)({ kind: 'embedded', store, account: 'everything' })
}

test('one parcel is on a map on a terminal, and nowhere else', async () => {
  using home = makeHome(FROZEN)
  const { data } = await send(home, ['--hub', 'LON1'], 'T-1')
  const screen = async (columns: number, ...words: string[]): Promise<string> => {
    const io = memoryIo({ env: home.env, tty: true, columns })
    expect((await track(home, ['T-1', '--color', 'never', ...words], io)).code).toBe(8)
    expect(io.err()).toContain('is awaiting collection, and the sandbox clock is frozen.')
    return io.out()
  }
  const [number = ''] = data.map(({ tracking_number }) => tracking_number)
  expect(await screen(80)).toMatch(
    /● Expecting the parcel .*\n\nArrives by .*\n\n┌─+┐\n(?:│.{54}│\n)+└.*┘\nA .* {3}B .*\n● Last seen at .*, [\d.]+ km from B\n$/,
  )
  expect((await screen(40)).split('\n')).toSatisfy((lines: string[]) =>
    lines.every((line) => line.length <= 40),
  )
  expect(await screen(80, '--accessible')).not.toMatch(/[┌│●]/)
  const piped = await track(home, [number])
  expect(piped.out).toMatch(/^\S+\tlabel_created\t.*\n$/)
  expect((await track(home, [number, '--json'])).json()).toMatchObject({ tracking_number: number })
})

test('a script learns what it waits for and how not to, a user at a terminal sees it', async () => {
  using home = makeHome()
  const [{ tracking_number: number } = { tracking_number: '' }] = (await send(home, [], 'F-1')).data
  for (const words of [[], ['--json'], ['--output', 'ndjson']]) {
    const piped = await track(home, ['F-1', '--as', 'everything', '--timeout', '5s', ...words])
    expect(piped.code).toBe(8)
    expect(piped.err).toBe(
      `Tracking ${number} until it ends. \`dray carrier show ${number} --as everything\` prints its current status; --timeout 10m limits the wait.\n${number} is still awaiting collection.\n`,
    )
  }
  const quiet = await track(home, ['F-1', '--timeout', '5s', '--quiet'])
  expect(quiet.err).toBe('')
  const io = memoryIo({ tty: true, columns: 80 })
  await track(home, ['F-1', '--timeout', '5s'], io)
  expect(io.err()).not.toContain('Following')
})

test('a parcel that is not named is chosen, and searched for by what is known of it', async () => {
  using home = makeHome(FROZEN)
  const references = Array.from({ length: 12 }, (_, at) => `C-${at + 1}`)
  const { data } = await send(home, ['--hub', 'LON1'], ...references)
  const io = memoryIo({ env: home.env, tty: { stdin: true, stderr: true }, columns: 100 })
  const running = track(home, ['--color', 'never'], io)
  await expect.poll(() => io.asked()).toMatch(/Which parcel\?[^]*type to search/)
  io.type('waiting c-7')
  await expect.poll(() => io.asked()).toMatch(/waiting c-7[^]*❯ \S+, C-7, /)
  io.type('\r')
  expect((await running).code).toBe(8)
  const { tracking_number: number = '' } = data.find(({ reference }) => reference === 'C-7') ?? {}
  expect(io.err()).toContain(`${number} is awaiting collection`)
  const { error } = await track(home, [])
  expect(error?.message).toBe('Missing: at least one parcel. dray carrier track <parcel>...')
})

describe('many parcels', () => {
  test('are named by numbers, references and batches, each once, and summed up', async () => {
    using home = makeHome()
    const { data } = await send(home, [], 'T-1', 'T-3')
    const { batch_ids } = await send(home, [], 'T-2', 'T-4')
    const client = await clientOf(home)
    await client.call('cancel_shipment', { tracking_number: data[1]?.tracking_number ?? '' })
    const words = ['T-1', data[1]?.tracking_number ?? '', 'T-3', '--batch', batch_ids[0] ?? '']
    const ran = await track(home, [...words, '--json'])
    const { counts, data: tracked } = ran.json() as Document
    expect(ran.code).toBe(0)
    expect(counts).toMatchObject({ total: 4, late: 0, attention: 0, pre_transit: 3, cancelled: 1 })
    expect(tracked.map(({ reference }) => reference)).toEqual(['T-1', 'T-2', 'T-4', 'T-3'])
    const io = memoryIo({ tty: true, columns: 120 })
    await track(home, words, io)
    expect(io.out()).toMatch(/Parcel.*Reference.*Status.*Delivery date.*Attempts/)
    expect(io.err()).toContain('4 parcels: 3 awaiting collection, 1 cancelled. None is late.')
  })

  test('may be those of a results file; rows without a parcel are skipped', async () => {
    using home = makeHome()
    await send(home, [], 'T-1', 'T-2')
    const results = join(home.cwd, 'm.results.csv')
    const ran = await track(home, ['--manifest', results, '--output', 'ndjson'])
    expect(
      ran.out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Parcel).reference),
    ).toEqual(['T-1', 'T-2'])
    const other = await track(home, ['--manifest', join(home.cwd, 'm.csv')])
    expect(other.error?.hint).toContain('<name>.results.csv')
  })

  test('are reported among the others if they are missing', async () => {
    using home = makeHome()
    await send(home, [], 'T-1')
    const ran = await track(home, ['T-1', 'T-9', 'ZC473124829GB', '--json'])
    expect(ran.code).toBe(9)
    expect((ran.json() as Document).counts).toMatchObject({ total: 3, pre_transit: 1, not_found: 2 })
    expect((await track(home, ['T-8', 'T-9', '--json'])).code).toBe(5)
  })
})

test('a reference names its parcel; of two that had it, the one that is not cancelled', async () => {
  using home = makeHome()
  const show = (name: string) =>
    runCommand(home, carrierShow, [name, '--json'], { openClient: embeddedIn(home) })
  const { data } = await send(home, [], 'T-1', 'T-2')
  const number = data[0]?.tracking_number
  expect((await show('T-1')).json()).toMatchObject({ tracking_number: number })
  const unknown = await show('T-9')
  expect(unknown.error).toMatchObject({ code: 'shipment_not_found', exitCode: 5 })
  expect(unknown.error?.message).toBe('No parcel with the tracking number or reference "T-9".')
  const { call } = await clientOf(home)
  await call('cancel_shipment', { tracking_number: number ?? '' }, { idempotencyKey: 'cancel' })
  const second = (await send(home, ['--recreate-cancelled'], 'T-1')).data[0]?.tracking_number
  expect((await show('T-1')).json()).toMatchObject({ tracking_number: second })
  await call('cancel_shipment', { tracking_number: second ?? '' }, { idempotencyKey: 'cancel-2' })
  const twice = await show('T-1')
  expect(twice.error).toMatchObject({ code: 'usage', exitCode: 2 })
  expect(twice.error?.message).toBe(
    `Reference "T-1" matches ${second} (cancelled, made on 2026-11-20) and ${number} (cancelled, made on 2026-11-20).`,
  )
})
