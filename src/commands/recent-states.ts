/** How the things that were created from here are now: read where that can be done quickly, else as last seen. */
import { placeOf } from '../cli/calls/created.ts'
import type { Cli } from '../cli/cli.ts'
import type { Progress } from '../cli/track/journey.ts'
import type { Life } from '../cli/track/life.ts'
import type { CallOptions, Client } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import { type Created, keepStates, lastStates, nameOf, type SeenState } from '../journal/recent.ts'
import { lifeOf } from './lives.ts'

/** The list is there to be looked at: it waits no longer, whatever the service does. */
const BUDGET_MS = 3000
/** The newest things that are still open; a list of 200 must not become 200 calls. */
const READ_AT_MOST = 50
const AT_ONCE = 6

export type WithState = Created & {
  /** As last read; what it was when created where it was never read, null where it has none. */
  state: string | null
  /** Nothing follows any more. */
  is_over: boolean
  /** Read just now, or final. */
  is_current: boolean
}

/** Gives the entries with their states, and why some could not be read. */
export async function withStates(
  cli: Cli,
  entries: readonly Created[],
): Promise<{ rows: WithState[]; problem: string | undefined }> {
  const states = lastStates(cli.runtime)
  const open = entries.filter((entry) => isOpen(entry, states) && isHere(cli, entry)).slice(0, READ_AT_MOST)
  const { seen, problem } = await readAll(cli, open)
  keepStates(
    cli.runtime,
    seen.filter((now) => states.get(nameOf(now))?.state !== now.state),
  )
  const current = new Map(seen.map((now) => [nameOf(now), now]))
  const rows = entries.map((entry): WithState => {
    const name = nameOf(entry)
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

/** A file of parcels has no life of its own: each parcel has. */
function lifeOfEntry({ operation, upload }: Created): Life | undefined {
  return upload === undefined ? lifeOf(operation) : undefined
}

function isOpen(entry: Created, states: ReadonlyMap<string, SeenState>): boolean {
  return lifeOfEntry(entry) !== undefined && states.get(nameOf(entry))?.over !== true
}

/** A store can be asked as any of its accounts, a service elsewhere only as the one that is logged in. */
function isHere(cli: Cli, { service, account }: Created): boolean {
  const here = placeOf(cli)
  return service === here.service && (cli.settings.target.kind === 'embedded' || account === here.account)
}

/** In a store each thing is read as the account that created it. */
function asItself(cli: Cli, { account }: Created): Pick<CallOptions, 'as'> {
  return cli.settings.target.kind === 'remote' || account === null ? {} : { as: account }
}

/** Several at a time, until all are read, one fails or the time is over. */
async function readAll(
  cli: Cli,
  entries: readonly Created[],
): Promise<{ seen: SeenState[]; problem: string | undefined }> {
  const seen: SeenState[] = []
  let problem: string | undefined
  if (entries.length === 0) return { seen, problem }
  const signal = AbortSignal.timeout(BUDGET_MS)
  const left = entries.values()
  const work = async (client: Client): Promise<void> => {
    for (const entry of left) {
      if (problem !== undefined) return
      const state = await readOne(client, entry, { signal, ...asItself(cli, entry) })
      if (state !== undefined) seen.push(state)
    }
  }
  try {
    const client = await cli.client()
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(client)))
  } catch (error) {
    if (!(error instanceof AppError) && !signal.aborted) throw error
    problem = signal.aborted ? 'The service did not answer in time.' : (error as AppError).message
  }
  return { seen, problem }
}

/** Undefined for what the service no longer has, or does not show to this caller. */
async function readOne(
  client: Client,
  { id, service, operation }: Created,
  options: CallOptions,
): Promise<SeenState | undefined> {
  const life = lifeOf(operation)
  if (life === undefined) return undefined
  try {
    const { value, serviceTime } = await client.call(life.read, { [life.id]: id }, options)
    const { status, over } = await progressOf(life, value, serviceTime.now)
    return { service, id, state: status, over }
  } catch (error) {
    if (error instanceof AppError && isOfThisOne(error)) return undefined
    throw error
  }
}

/** Whether the next thing may still be read. */
function isOfThisOne({ code, entry }: AppError): boolean {
  return code === 'insufficient_scope' || ['not_found', 'rejected', 'conflict'].includes(entry.exit)
}

async function progressOf(life: Life, value: unknown, now: number): Promise<Progress> {
  const toProgress = (await life.load()) as (answer: unknown, now: number) => Progress
  return toProgress(value, now)
}
