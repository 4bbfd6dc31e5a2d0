/** Failures that only come after a change was made: they exit 1 and name the change, so that nobody makes it again. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { afterDone } from '../../../src/cli/calls/done.ts'
import { main } from '../../../src/commands/main.ts'
import { AppError } from '../../../src/core/errors.ts'
import { makeRuntime } from '../../../src/runtime.ts'
import { MANIFEST_COLUMNS, manifestLine } from '../../support/clerk.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'

let home: Home
beforeEach(() => {
  home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z' })
})
afterEach(() => home[Symbol.dispose]())

const PURCHASE = ['food', 'order', 'Lime Street Noodles', '--item', 'Khao Soi', '--fulfillment', 'pickup']
const BUY = [...PURCHASE, '--yes', '--max-total', '50.00']

type Problem = {
  code: string
  detail: string
  hint: string
  exit_code: number
  done: { operation: string; id: string; total: { amount: number } | null }[]
}

type DrayRunResult = { code: number; out: string; err: string; problem: () => Problem }

type DrayOverrides = { write?: () => void; openClient?: ReturnType<typeof embeddedIn> }

/** Runs a whole command line on the home's own sandbox; `write` replaces standard output. */
async function dray(
  argv: readonly string[],
  { write, openClient = embeddedIn(home) }: DrayOverrides = {},
): Promise<DrayRunResult> {
  const io = memoryIo({ env: home.env })
  if (write !== undefined) io.stdout.write = write
  const runtime = { ...makeRuntime(`${import.meta.dirname}/../../..`), ...home, openClient }
  const code = await main(argv, runtime, io)
  return { code, out: io.out(), err: io.err(), problem: () => JSON.parse(io.out()) as Problem }
}

const listed = async (...words: string[]): Promise<Record<string, unknown>[]> =>
  (JSON.parse((await dray([...words, '--json'])).out) as { data: Record<string, unknown>[] }).data

const fullDisk = (): never => {
  throw new AppError('output_failed', 'The result could not be written to standard output: ENOSPC.')
}

describe('a purchase whose answer cannot be shown', () => {
  test('names the order, its price, how to see it, and what repeating it does', async () => {
    const { code, out, err } = await dray([...BUY, '--query', 'length(total.amount)'])
    const [order, ...more] = await listed('food', 'list')
    expect(more).toEqual([])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /^error: --query does not match this result: .*\. Already done: order ord_\w+ for £\d+\.\d\d\.$/m,
    )
    expect(err).toContain(
      `hint: \`dray food show ${String(order?.['order_id'])}\` shows it. Running the same command again would repeat the change.`,
    )
  })

  test('names them in the one document, too', async () => {
    const { code, problem } = await dray([...BUY, '--json', '--query', 'abs(status)'])
    const [order] = await listed('food', 'list')
    expect(code).toBe(1)
    expect(problem()).toMatchObject({
      code: 'failed_after_done',
      exit_code: 1,
      done: [{ operation: 'place_food_order', id: order?.['order_id'], total: order?.['total'] }],
    })
  })

  test('on a full disk is named on standard error', async () => {
    const { code, err } = await dray([...BUY, '--json'], { write: fullDisk })
    expect(code).toBe(1)
    expect(err).toMatch(/ENOSPC\. Already done: order ord_\w+ for £/)
  })

  test('under a key of its own may be repeated, which is said', async () => {
    const keyed = [...BUY, '--idempotency-key', 'lunch']
    expect((await dray([...keyed, '--query', 'abs(status)'])).err).toContain('does nothing twice')
    expect((await dray(keyed)).code).toBe(0)
    expect(await listed('food', 'list')).toHaveLength(1)
  })

  test('whose recording is taken away meanwhile is printed, once, and named', async () => {
    const file = join(home.cwd, 'story.yaml')
    const { code, out, err } = await dray([...BUY, '--json', '--record', 'story.yaml'], {
      openClient: (target) => {
        mkdirSync(file)
        return embeddedIn(home)(target)
      },
    })
    const [order] = await listed('food', 'list')
    expect({ code, id: (JSON.parse(out) as typeof order)?.['order_id'] }).toEqual({
      code: 1,
      id: order?.['order_id'],
    })
    expect(err).toContain(`Already done: order ${String(order?.['order_id'])}`)
  })
})

test('a change of the sandbox is named by its call', async () => {
  const { code, problem } = await dray([
    'sandbox',
    'clock',
    'advance',
    '1h',
    '--json',
    '--query',
    'abs(mode)',
  ])
  expect([code, problem().done]).toEqual([1, [{ operation: 'advance_clock', id: null, total: null }]])
})

test('a change of this machine stays done, too', async () => {
  const add = ['profile', 'add', 'work', '--json']
  const { code, problem } = await dray([...add, '--query', 'abs(name)'])
  expect([code, problem().code, problem().detail]).toEqual([
    1,
    'failed_after_done',
    expect.stringMatching(/^--query does not match .* Changes already made are kept\.$/),
  ])
  expect((await dray(add)).out).toContain('The profile work already exists.')
})

test('a reset whose answer cannot be shown still forgets what was known of the world before', async () => {
  await dray(BUY)
  const recent = join(home.paths.state, 'recent.ndjson')
  expect(readFileSync(recent, 'utf8')).toContain('ord_')
  const { code } = await dray(['sandbox', 'reset', '--confirm', 'sandbox', '--query', 'abs(@)'])
  expect(code).toBe(1)
  expect(existsSync(recent) ? readFileSync(recent, 'utf8') : '').not.toContain('ord_')
})

test('an upload names its parcels, and that the same command makes none twice', async () => {
  writeFileSync(
    join(home.cwd, 'm.csv'),
    [MANIFEST_COLUMNS, manifestLine('A-1'), manifestLine('A-2')].join('\n'),
  )
  const upload = ['carrier', 'upload', join(home.cwd, 'm.csv'), '--yes', '--json']
  const { code, problem } = await dray([...upload, '--query', 'abs(data)'])
  const parcels = await listed('carrier', 'list')
  expect(code).toBe(1)
  expect(new Set(problem().done.map(({ id }) => id))).toEqual(
    new Set(parcels.map((parcel) => parcel['tracking_number'])),
  )
  expect(problem().hint).toContain('Running it again creates nothing twice.')
  expect((await dray(upload)).code).toBe(0)
  expect(await listed('carrier', 'list')).toHaveLength(2)
})

test.each([
  ['update_catalog_item', 'itm_1', '', 'Running the same command again changes nothing.'],
  [
    'accept_business_order',
    'ord_1',
    '`dray business orders show ord_1`',
    'Running the same command again changes nothing.',
  ],
  ['cancel_food_order', 'ord_1', '`dray food show ord_1`', 'Running the same command again changes nothing.'],
  [
    'place_food_order',
    'ord_1',
    '`dray food show ord_1`',
    'Running the same command again would repeat the change.',
  ],
  ['advance_clock', null, 'Running the same', 'Running the same command again would repeat the change.'],
])('after %s the hint says what the same command would do', async (operation, id, look, again) => {
  const calls = [{ operation, id, total: null, isBatch: false }]
  const failure = await afterDone(new AppError('usage', 'No.'), calls, {
    idempotencyKey: undefined,
    errorId: 'e',
  })
  const { hint = '' } = failure as AppError
  expect(hint.endsWith(again)).toBe(true)
  expect(hint).toContain(look)
})
