/** Many parcels at once: how many are in each state, which are late, and why. */
import { SHIPMENT_STATUSES } from '../../../areas/carrier/states.ts'
import type { Cli } from '../../../cli/cli.ts'
import { toJson } from '../../../cli/output/json.ts'
import { startProgressOf } from '../../../cli/output/progress.ts'
import { stateWords } from '../../../cli/output/state-words.ts'
import { printResult } from '../../../cli/print.ts'
import type { Client } from '../../../client/client.ts'
import { readRest } from '../../../client/pages.ts'
import { AppError, EXIT } from '../../../core/errors.ts'
import type { Column } from '../../../core/operation.ts'
import { findParcel } from '../find-parcel.ts'
import { readResults } from '../results-file.ts'
import { type Standing, standingOf } from './attention.ts'

export type Asked = {
  parcel: readonly string[]
  batch: string | undefined
  manifest: string | undefined
}

/** A parcel that the service does not have is told among the others. */
type Found = Standing | { tracking_number: string; status: null; late: false; attention: string }

/** Parcels shown on a terminal; the other forms of output have them all. */
const SHOWN = 40

const COLUMNS: readonly Column[] = [
  { field: 'tracking_number', label: 'Parcel' },
  { field: 'reference', label: 'Reference' },
  { field: 'status', label: 'Status' },
  { field: 'estimated_delivery_date', label: 'Delivery date' },
  { field: 'days_late', label: 'Days late', dropOrder: 2 },
  { field: 'attempts', label: 'Attempts', dropOrder: 1 },
  { field: 'attention', label: 'Reason' },
]

/** Prints how parcels stand now; with `--wait`, how they ended. Returns the exit code. */
export async function trackMany(cli: Cli, asked: Asked): Promise<number> {
  const client = await cli.client()
  const numbers = await numbersOf(cli, client, asked)
  if (numbers.length === 0)
    throw new AppError('shipment_not_found', 'There are no parcels to track.', {
      hint: '`dray carrier list` shows your parcels.',
    })
  const waited = cli.globals.wait
    ? await (await import('../../../cli/track/wait.ts')).waitForEnd(cli, 'create_shipment', numbers)
    : undefined
  const found = await readAll(cli, client, numbers)
  await print(cli, found)
  if (waited?.interrupted !== undefined) throw waited.interrupted
  return waited?.code ?? exitCodeOf(found)
}

/** The numbers of all parcels that were asked for, each once. */
async function numbersOf(cli: Cli, client: Client, { parcel, batch, manifest }: Asked): Promise<string[]> {
  const numbers: string[] = []
  for (const typed of parcel) numbers.push(await findAmong(client, typed))
  if (batch !== undefined) numbers.push(...(await listBatch(client, batch)))
  if (manifest !== undefined) numbers.push(...(await readResults(cli, manifest)))
  return [...new Set(numbers)]
}

/** One that is not found is told among the others, under the name that was typed. */
async function findAmong(client: Client, typed: string): Promise<string> {
  try {
    return await findParcel(client, typed)
  } catch (error) {
    if (error instanceof AppError && error.code === 'shipment_not_found') return typed
    throw error
  }
}

/** Oldest first, in the order of the manifest. Throws AppError('shipment_not_found') for an empty batch. */
async function listBatch(client: Client, batch_id: string): Promise<string[]> {
  const page = async (cursor?: string) =>
    (await client.call('list_shipments', { batch_id, limit: 100, ...(cursor !== undefined && { cursor }) }))
      .value
  const rows = await readRest(await page(), page)
  if (rows.length === 0)
    throw new AppError(
      'shipment_not_found',
      `No parcels in the batch ${JSON.stringify(batch_id.slice(0, 60))}.`,
      {
        hint: '`dray recent` lists the batches uploaded from this machine.',
      },
    )
  return rows.map(({ tracking_number }) => tracking_number).toReversed()
}

/** Reads every parcel; as NDJSON, each is printed as it is read. */
async function readAll(cli: Cli, client: Client, numbers: readonly string[]): Promise<Found[]> {
  const { io, runtime } = cli
  const progress = startProgressOf(cli, 'Loading parcels', numbers.length)
  const signal = runtime.interruption()
  const found: Found[] = []
  try {
    for (const number of numbers) {
      signal.throwIfAborted()
      const standing = await readOne(client, number)
      found.push(standing)
      if (streams(cli)) await io.stdout.write(`${toJson(standing)}\n`)
      progress.update(found.length)
    }
  } finally {
    progress.stop()
  }
  return found
}

function streams({ settings, globals }: Cli): boolean {
  return settings.format === 'ndjson' && globals.fields === undefined && globals.query === undefined
}

async function readOne(client: Client, number: string): Promise<Found> {
  try {
    const { value, serviceTime } = await client.call('get_shipment', { tracking_number: number })
    return standingOf(value, serviceTime.now)
  } catch (error) {
    if (!(error instanceof AppError) || !UNKNOWN.has(error.code)) throw error
    return { tracking_number: number, status: null, late: false, attention: error.message }
  }
}

const UNKNOWN: ReadonlySet<string> = new Set(['shipment_not_found', 'invalid_tracking_number'])

/** Late ones first, then those that need somebody, then those on their way, then those that are over. */
async function print(cli: Cli, found: readonly Found[]): Promise<void> {
  const sorted = found.toSorted((a, b) => rankOf(a) - rankOf(b))
  const isShort = cli.settings.format === 'table' && cli.io.stdout.isTTY
  const shown = isShort ? sorted.slice(0, SHOWN) : sorted
  if (streams(cli)) return cli.say(sumUp(found))
  const rest = sorted.length - shown.length
  await printResult(
    cli,
    { counts: countsOf(found), data: shown, has_more: false, next_cursor: null },
    {
      columns: COLUMNS,
      list: true,
      done: `${rest > 0 ? `… and ${rest} more; --output csv lists all.\n` : ''}${sumUp(found)}`,
    },
  )
}

function rankOf({ late, attention, status }: Found): number {
  if (late) return 0
  if (attention !== null) return 1
  return status === 'delivered' || status === 'cancelled' ? 3 : 2
}

function countsOf(found: readonly Found[]): Record<string, number> {
  const count = (fits: (each: Found) => boolean): number => found.filter(fits).length
  return {
    total: found.length,
    late: count(({ late }) => late),
    attention: count(({ attention }) => attention !== null),
    ...Object.fromEntries(
      SHIPMENT_STATUSES.map((status) => [status, count((each) => each.status === status)]),
    ),
    not_found: count(({ status }) => status === null),
  }
}

/** `12 parcels: 9 delivered, 3 in transit. 1 is late.` */
function sumUp(found: readonly Found[]): string {
  const { total = 0, late = 0, attention: _, ...states } = countsOf(found)
  const parts = Object.entries(states)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${stateWords(status)}`)
  const lateness = late === 0 ? 'None is late.' : late === 1 ? '1 is late.' : `${late} are late.`
  return `${total} ${total === 1 ? 'parcel' : 'parcels'}: ${parts.join(', ')}. ${lateness}`
}

/** 5 when no parcel was found, 9 when only some were. */
function exitCodeOf(found: readonly Found[]): number {
  const missing = found.filter(({ status }) => status === null).length
  if (missing === 0) return EXIT.ok
  return missing === found.length ? EXIT.not_found : EXIT.partial
}
