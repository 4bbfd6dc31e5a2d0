/** Reads what `dray status` shows: some facts of the service, and the journals of this machine. */
import { existsSync } from 'node:fs'
import { SHIPMENT_STATUSES, type ShipmentStatus } from '../../areas/carrier/states.ts'
import { targetKey } from '../../cli/calls/created.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { shownTarget } from '../../cli/explain.ts'
import { findWaitable } from '../../cli/track/tracking-stages.ts'
import type { Client } from '../../client/client.ts'
import { AppError, type ErrorCode } from '../../core/errors.ts'
import type { Money } from '../../core/money.ts'
import { isPostgresUrl } from '../../core/network.ts'
import { toTimestamp } from '../../core/time.ts'
import { listPendingCalls } from '../../local-state/pending-calls.ts'
import { lastStates, listCreatedResources, toResourceKey } from '../../local-state/recent.ts'
import { isLive } from '../live.ts'
import { withStates } from '../recent-states.ts'

/** Something that was created from here and is not over. */
export type Underway = {
  id: string
  operation: string
  state: string | null
  total: Money | null
  /** The command that follows it. */
  command: string | null
}

/** Null for what the service does not tell, or what cannot be requested. */
export type StatusReport = {
  profile: string
  kind: 'embedded' | 'remote'
  address: string
  environment: 'sandbox' | 'live' | null
  account: string | null
  account_id: string | null
  clock: { now: string; mode: 'running' | 'frozen'; next_due_at: string | null } | null
  /** Calls of ended processes with an unknown outcome. */
  open_calls: number
  /** The newest of them, and how many more there are. */
  on_its_way: Underway[]
  more_on_its_way: number
  /** Parcels of the account by status, without those that arrived; `more` when there are too many to count. */
  parcels: { counts: Partial<Record<ShipmentStatus, number>>; more: boolean } | null
  /** The reason why a part could not be read; the states are then those that were seen last. */
  problem: { code: ErrorCode; detail: string; hint: string | null } | null
}

type StatusResult = { status: StatusReport; error: AppError | undefined }

/** The newest entries of the journal that are looked at: a status is no list. */
const MAX_READ_ENTRIES = 40
const SHOWN = 10
const PAGE = 100

const OVER: readonly ShipmentStatus[] = ['delivered', 'returned', 'lost', 'cancelled']
const MOVING = SHIPMENT_STATUSES.filter((status) => !OVER.includes(status))

/** Reads the status. With the error of a service that does not answer, it holds what this machine knows. */
export async function readStatus(cli: CommandContext): Promise<StatusResult> {
  const { target, profile } = cli.settings
  const status: StatusReport = {
    profile,
    ...shownTarget(target),
    environment: target.kind === 'embedded' || !(await isLive(cli, target)) ? 'sandbox' : 'live',
    account: target.account ?? null,
    account_id: null,
    clock: null,
    open_calls: openCalls(cli),
    ...newest([]),
    parcels: null,
    problem: null,
  }
  if (!hasStore(cli)) return { status, error: undefined }
  try {
    const client = await cli.client()
    const { account, accountId } = await client.whoAmI()
    const [clock, parcels, { rows, problem }] = await Promise.all([
      readClock(client),
      countParcels(client),
      withStates(cli, ours(cli)),
    ])
    const read: StatusReport = {
      ...status,
      account: account ?? status.account,
      account_id: accountId ?? null,
      environment: client.latestFacts()?.environment ?? status.environment,
      clock,
      parcels,
      ...newest(rows.filter(({ is_over }) => !is_over).map(toUnderway)),
    }
    const error = problem === undefined ? undefined : new AppError('network_error', problem)
    return { status: { ...read, ...(error && { problem: toProblem(error) }) }, error }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { status: { ...status, ...newest(lastKnown(cli)), problem: toProblem(error) }, error }
  }
}

/** Returns whether there is a service to ask: a status makes no store. */
function hasStore({ settings: { target } }: CommandContext): boolean {
  if (target.kind === 'remote' || isPostgresUrl(target.store)) return true
  return target.store !== ':memory:' && existsSync(target.store)
}

function openCalls(cli: CommandContext): number {
  const { service } = targetKey(cli.settings)
  return listPendingCalls(cli.runtime).filter(
    ({ intent, running }) => intent.service === service && running === undefined,
  ).length
}

/** Reads the clock. When the next event is due is known only where the control plane may be used. */
async function readClock(client: Client): Promise<StatusReport['clock']> {
  try {
    const { now, mode, next_due_at } = await client.control('get_clock', {})
    return { now, mode: mode === 'frozen' ? 'frozen' : 'running', next_due_at }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { now, frozen } = await client.serviceTime()
    return { now: toTimestamp(now), mode: frozen ? 'frozen' : 'running', next_due_at: null }
  }
}

async function countParcels(client: Client): Promise<StatusReport['parcels']> {
  try {
    const { value } = await client.call('list_shipments', { status: [...MOVING], limit: PAGE })
    const counts: Partial<Record<ShipmentStatus, number>> = {}
    for (const { status } of value.data) counts[status] = (counts[status] ?? 0) + 1
    return { counts, more: value.has_more }
  } catch (error) {
    // An account without an agreement has no parcels.
    if (error instanceof AppError && ['rejected', 'auth'].includes(error.entry.exit)) return null
    throw error
  }
}

/** Returns what was not over when it was seen last. */
function lastKnown(cli: CommandContext): Underway[] {
  const states = lastStates(cli.runtime)
  return ours(cli).flatMap((entry) => {
    const seen = states.get(toResourceKey(entry))
    return seen?.over === true ? [] : [toUnderway({ ...entry, state: seen?.state ?? entry.status })]
  })
}

function newest(underway: readonly Underway[]): Pick<StatusReport, 'on_its_way' | 'more_on_its_way'> {
  return { on_its_way: underway.slice(0, SHOWN), more_on_its_way: Math.max(0, underway.length - SHOWN) }
}

/** Returns the entries of this service and account. Parcels are counted, not listed. */
function ours(cli: CommandContext): ReturnType<typeof listCreatedResources> {
  const { service, account } = targetKey(cli.settings)
  return listCreatedResources(cli.runtime)
    .filter(
      (entry) =>
        entry.service === service &&
        (entry.account === account || cli.settings.target.kind === 'embedded') &&
        entry.upload === undefined &&
        !entry.operation.startsWith('create_shipment') &&
        findWaitable(entry.operation) !== undefined,
    )
    .slice(0, MAX_READ_ENTRIES)
}

function toUnderway({ id, operation, state, total }: Omit<Underway, 'command'>): Underway {
  const track = findWaitable(operation)?.track
  return { id, operation, state, total, command: track === undefined ? null : `${track} ${id}` }
}

function toProblem({ code, message, hint }: AppError): NonNullable<StatusReport['problem']> {
  return { code, detail: message, hint: hint ?? null }
}
