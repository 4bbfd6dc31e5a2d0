/**
 * Reads the present statuses of resources that were created on this machine; slow or unreachable ones show the last
 * known.
 */
import { targetKey } from '../cli/calls/created.ts'
import type { CommandContext } from '../cli/cli.ts'
import type { Settings } from '../cli/settings.ts'
import { type WaitableResource, findWaitable } from '../cli/track/tracking-stages.ts'
import type { ClientCallOptions, Client } from '../client/client.ts'
import { forEachConcurrently } from '../client/concurrency.ts'
import { AppError } from '../core/errors.ts'
import {
  type CreatedResource,
  saveStates,
  lastStates,
  toResourceKey,
  type SeenState,
} from '../local-state/recent.ts'

/** The most time that a list waits for the service, in milliseconds. */
const BUDGET_MS = 3000
/** The most open resources that are read, newest first: a list of 200 must not become 200 calls. */
const READ_AT_MOST = 50
const AT_ONCE = 6

export type WithState = CreatedResource & {
  /** The last known status: the first one if it was never read again, null if it has none. */
  state: string | null
  /** No status can follow. */
  is_over: boolean
  /** The status was read just now, or is final. */
  is_current: boolean
}

/** Returns the entries with their statuses, and why some could not be read. */
export async function withStates(
  cli: CommandContext,
  entries: readonly CreatedResource[],
): Promise<{ rows: WithState[]; problem: string | undefined }> {
  const states = lastStates(cli.runtime)
  const open = entries
    .filter((entry) => isOpen(entry, states) && isHere(cli.settings, entry))
    .slice(0, READ_AT_MOST)
  const { seen, problem } = await readAll(cli, open)
  saveStates(
    cli.runtime,
    seen.filter((now) => states.get(toResourceKey(now))?.state !== now.state),
  )
  const current = new Map(seen.map((now) => [toResourceKey(now), now]))
  const rows = entries.map((entry): WithState => {
    const name = toResourceKey(entry)
    const known = current.get(name) ?? states.get(name)
    const isLifeless = lifeOfEntry(entry) === undefined
    return {
      ...entry,
      state: known?.state ?? entry.status,
      is_over: isLifeless || known?.over === true,
      is_current: isLifeless || current.has(name) || known?.over === true,
    }
  })
  return { rows, problem }
}

/** An uploaded file has no status of its own: each parcel has one. */
function lifeOfEntry({ operation, upload }: CreatedResource): WaitableResource | undefined {
  return upload === undefined ? findWaitable(operation) : undefined
}

function isOpen(entry: CreatedResource, states: ReadonlyMap<string, SeenState>): boolean {
  return lifeOfEntry(entry) !== undefined && states.get(toResourceKey(entry))?.over !== true
}

/**
 * Returns whether this command reaches the resource: an embedded store as any account, a remote service only as the
 * login.
 */
function isHere(settings: Settings, { service, account }: CreatedResource): boolean {
  const here = targetKey(settings)
  return service === here.service && (settings.target.kind === 'embedded' || account === here.account)
}

/** Reads each resource of a store as the account that created it. */
function asItself(settings: Settings, { account }: CreatedResource): Pick<ClientCallOptions, 'as'> {
  return settings.target.kind === 'remote' || account === null ? {} : { as: account }
}

/** Reads several at a time, until all are read, one fails or the time has ended. */
async function readAll(
  cli: CommandContext,
  entries: readonly CreatedResource[],
): Promise<{ seen: SeenState[]; problem: string | undefined }> {
  const seen: SeenState[] = []
  let problem: string | undefined
  if (entries.length === 0) return { seen, problem }
  const signal = AbortSignal.timeout(BUDGET_MS)
  try {
    const client = await cli.client()
    await forEachConcurrently(entries, AT_ONCE, async (entry) => {
      const state = await readOne(client, entry, { signal, ...asItself(cli.settings, entry) })
      if (state !== undefined) seen.push(state)
    })
  } catch (error) {
    if (!(error instanceof AppError) && !signal.aborted) throw error
    problem = signal.aborted ? 'The server did not respond in time.' : (error as AppError).message
  }
  return { seen, problem }
}

/** Reads one resource; returns undefined when the service does not have it or does not show it to this caller. */
async function readOne(
  client: Client,
  { id, service, operation }: CreatedResource,
  options: ClientCallOptions,
): Promise<SeenState | undefined> {
  const life = findWaitable(operation)
  if (life === undefined) return undefined
  try {
    const { value } = await client.call(life.read, { [life.id]: id }, options)
    const { status } = value as { status: string }
    const over = life.final.includes(status) && life.changeable?.includes(status) !== true
    return { service, id, state: status, over }
  } catch (error) {
    if (error instanceof AppError && isOfThisOne(error)) return undefined
    throw error
  }
}

/** Returns whether an error concerns this resource only, so that the next one may still be read. */
function isOfThisOne({ code, entry }: AppError): boolean {
  return code === 'insufficient_scope' || ['not_found', 'rejected', 'conflict'].includes(entry.exit)
}
