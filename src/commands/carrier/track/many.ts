/** Many parcels at once: how many are in each state, which are late, and why. */
import { SHIPMENT_STATUSES } from '../../../areas/carrier/states.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { fetchServiceTime } from '../../../cli/moment.ts'
import { toJson } from '../../../cli/output/json.ts'
import { startProgressOf } from '../../../cli/output/progress.ts'
import { stateWords } from '../../../cli/output/state-words.ts'
import { printResult } from '../../../cli/print.ts'
import type { Client } from '../../../client/client.ts'
import type { OperationOutput } from '../../../client/operations.ts'
import { EXIT } from '../../../core/errors.ts'
import type { Column } from '../../../core/operation.ts'
import { type ParcelSetArgs, loadParcelSet } from '../bulk/choose.ts'
import type { NamedParcel } from '../bulk/parcels.ts'
import { type ParcelState, toParcelState } from './attention.ts'

/** A parcel that the service does not have is told among the others. */
type TrackedParcelRow =
  | ParcelState
  | { tracking_number: string; status: null; late: false; attention: string }

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
export async function trackMany(cli: CommandContext, choice: ParcelSetArgs): Promise<number> {
  const client = await cli.client()
  const set = await loadParcelSet(cli, choice)
  const numbers = set.flatMap(({ parcel }) => parcel?.tracking_number ?? [])
  const waited =
    cli.globals.wait && numbers.length > 0
      ? await (await import('../../../cli/track/wait.ts')).waitForEnd(cli, 'create_shipment', numbers)
      : undefined
  const found = await readAll(cli, client, set, waited === undefined)
  await print(cli, found)
  if (waited?.interrupted !== undefined) throw waited.interrupted
  return waited?.code ?? exitCodeOf(found)
}

/** Reads every parcel, except one of a fresh set that came with its scans; as NDJSON, each is printed as it is read. */
async function readAll(
  cli: CommandContext,
  client: Client,
  set: readonly NamedParcel[],
  isFresh: boolean,
): Promise<TrackedParcelRow[]> {
  const { io, runtime } = cli
  const progress = startProgressOf(cli, 'Loading parcels', set.length)
  const signal = runtime.interruption()
  const found: TrackedParcelRow[] = []
  let now: number | undefined
  try {
    for (const named of set) {
      signal.throwIfAborted()
      const { parcel } = named
      const isRead = isFresh && parcel !== undefined && 'scan_history' in parcel
      const standing = isRead
        ? toParcelState(parcel as OperationOutput<'get_shipment'>, (now ??= await fetchServiceTime(client)))
        : await readOne(client, named)
      found.push(standing)
      if (streams(cli)) await io.stdout.write(`${toJson(standing)}\n`)
      progress.update(found.length)
    }
  } finally {
    progress.stop()
  }
  return found
}

function streams({ settings, globals }: CommandContext): boolean {
  return settings.format === 'ndjson' && globals.fields === undefined && globals.query === undefined
}

async function readOne(client: Client, { word, parcel, problem }: NamedParcel): Promise<TrackedParcelRow> {
  if (parcel === undefined)
    return { tracking_number: word, status: null, late: false, attention: problem?.message ?? '' }
  const { tracking_number } = parcel
  const { value, serviceTime } = await client.call('get_shipment', { tracking_number })
  return toParcelState(value, serviceTime.now)
}

/** Late ones first, then those that need attention, then those on their way, then those that have ended. */
async function print(cli: CommandContext, found: readonly TrackedParcelRow[]): Promise<void> {
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

function rankOf({ late, attention, status }: TrackedParcelRow): number {
  if (late) return 0
  if (attention !== null) return 1
  return status === 'delivered' || status === 'cancelled' ? 3 : 2
}

function countsOf(found: readonly TrackedParcelRow[]): Record<string, number> {
  const count = (fits: (each: TrackedParcelRow) => boolean): number => found.filter(fits).length
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
function sumUp(found: readonly TrackedParcelRow[]): string {
  const { total = 0, late = 0, attention: _, ...states } = countsOf(found)
  const parts = Object.entries(states)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${stateWords(status)}`)
  const lateness = late === 0 ? 'None is late.' : late === 1 ? '1 is late.' : `${late} are late.`
  return `${total} ${total === 1 ? 'parcel' : 'parcels'}: ${parts.join(', ')}. ${lateness}`
}

/** 5 when no parcel was found, 9 when only some were. */
function exitCodeOf(found: readonly TrackedParcelRow[]): number {
  const missing = found.filter(({ status }) => status === null).length
  if (missing === 0) return EXIT.ok
  return missing === found.length ? EXIT.not_found : EXIT.partial
}
