/**
 * `--wait`: follows the resources that a call created or changed to their end. stdout stays free for the one result.
 */
import { PRESENTERS } from '../../areas/presenters.ts'
import type { CallResult, Client } from '../../client/client.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { type ProgressView, presentResource, type PresentableResource } from '../../core/presenter.ts'
import { toTimestamp } from '../../core/time.ts'
import type { CommandContext } from '../cli.ts'
import { InterruptedError } from '../io.ts'
import { renderOptionsOf } from '../output/render-options-of.ts'
import { shellQuote } from '../output/shell.ts'
import { stateWords } from '../output/state-words.ts'
import { formatTargetFlags } from '../print.ts'
import { clearTyped } from './clear-typed.ts'
import { changeLine, listTrackingChanges, newsOf } from './journey.ts'
import { mayMend } from './may-mend.ts'
import { POLL_MS, pollUntilOver, type Round } from './poll.ts'
import { type WaitableResource, findWaitable } from './tracking-stages.ts'

/** The final or latest states of the resources. */
export type WaitResult = {
  /** The latest response about each resource, by its id. */
  values: ReadonlyMap<string, unknown>
  /** The latest state of each resource, by its id. */
  statuses: ReadonlyMap<string, string>
  /**
   * The exit code: 0 for success, 7 for an end without success, 8 when it is not over; 9 for successes and failures
   * among several.
   */
  code: number
  /** The signal that ended the wait, if any. */
  interrupted: InterruptedError | undefined
}

type Thing = { id: string; value: unknown; progress: ProgressView | undefined; now: number }

/** The pause grows with the number of resources: at most ten reads a second. */
const PAUSE_PER_THING_MS = 100

/**
 * Waits for the end of the resources that a call created or changed, and prints each change on stderr. Retries a
 * failed read, because the call itself is done. Never throws `Interrupted`; the caller prints first.
 */
export async function waitForEnd(
  cli: CommandContext,
  operation: string,
  ids: readonly string[],
): Promise<WaitResult> {
  return waitFor(cli, knownLife(operation), ids)
}

function knownLife(operation: string): WaitableResource {
  const life = findWaitable(operation)
  if (life === undefined) throw new Error(`nothing of ${operation} can be waited for`)
  return life
}

async function waitFor(
  cli: CommandContext,
  life: WaitableResource,
  ids: readonly string[],
): Promise<WaitResult> {
  const things = [...new Set(ids)].map((id): Thing => ({ id, value: undefined, progress: undefined, now: 0 }))
  const outcome = await follow(cli, life, things).catch((error: unknown) => {
    if (error instanceof InterruptedError || error instanceof AppError) return error
    throw error
  })
  if (outcome instanceof InterruptedError) await clearTyped(cli)
  await cli.say(closing(cli, life, things, outcome))
  return {
    values: new Map(things.flatMap(({ id, value }) => (value === undefined ? [] : [[id, value]]))),
    statuses: new Map(things.flatMap(({ id, progress }) => (progress ? [[id, progress.status]] : []))),
    code: outcome instanceof AppError ? outcome.exitCode : codeOf(life, things),
    interrupted: outcome instanceof InterruptedError ? outcome : undefined,
  }
}

/** Waits for the resource in a response and prints its end. Throws `Interrupted` after printing. */
export async function waitAndPrint(
  cli: CommandContext,
  operation: string,
  { value }: Pick<CallResult, 'value'>,
  print: (value: unknown) => Promise<void>,
): Promise<number> {
  const life = knownLife(operation)
  const waited = await waitFor(cli, life, idsIn(life, value))
  await print(withEnds(life, value, waited))
  if (waited.interrupted !== undefined) throw waited.interrupted
  return waited.code
}

/** Returns the ids of the resources that a call created or changed: the response itself, or the rows of a batch. */
function idsIn({ id: member }: WaitableResource, answer: unknown): string[] {
  return rowsOf(answer).flatMap((row) => (typeof row[member] === 'string' ? [row[member]] : []))
}

type Row = Readonly<Record<string, unknown>>

function rowsOf(answer: unknown): Row[] {
  const { results } = answer as { results?: unknown }
  return Array.isArray(results) ? (results as Row[]) : [answer as Row]
}

/** Returns the response with the final state; for a batch, with that of each row. */
function withEnds(
  { id: member }: WaitableResource,
  answer: unknown,
  { values, statuses }: WaitResult,
): unknown {
  const idOf = (row: Row): string => String(row[member])
  const { results } = answer as { results?: unknown }
  if (!Array.isArray(results)) return values.get(idOf(answer as Row)) ?? answer
  return {
    ...(answer as Row),
    results: rowsOf(answer).map((row) => {
      const status = statuses.get(idOf(row))
      return status === undefined ? row : { ...row, status }
    }),
  }
}

async function follow(
  cli: CommandContext,
  life: WaitableResource,
  things: readonly Thing[],
): Promise<'over' | 'frozen' | 'late'> {
  const client = await cli.client()
  const story = await PRESENTERS[life.kind]()
  let silent = false
  const read = async (signal: AbortSignal): Promise<Round> => {
    let frozen = false
    for (const thing of things) {
      if (thing.progress?.isFinal === true) continue
      const { value, serviceTime } = await readOne(client, life, thing, signal)
      const { now } = serviceTime
      const progress = presentResource(story, value as PresentableResource, now)
      await printChanges(cli, thing, { progress, now, several: things.length > 1 })
      Object.assign(thing, { value, progress, now })
      frozen = serviceTime.frozen
    }
    silent = false
    if (things.every(({ progress }) => progress?.isFinal === true)) return 'over'
    return frozen ? 'frozen' : 'open'
  }
  return pollUntilOver(
    cli,
    async (signal) => {
      try {
        return await read(signal)
      } catch (error) {
        if (signal.aborted || !mayMend(error)) throw error
        if (!silent) await cli.say(`${error.message} The change was made; checking its status again.`)
        silent = true
        return 'open'
      }
    },
    Math.max(POLL_MS, things.length * PAUSE_PER_THING_MS),
  )
}

function readOne(client: Client, { read, id: member }: WaitableResource, { id }: Thing, signal: AbortSignal) {
  return client.call(read, { [member]: id }, { signal })
}

/** Prints the first state, then each change; with several resources, also the name. */
async function printChanges(
  cli: CommandContext,
  { progress: before }: Thing,
  { progress, now, several }: { progress: ProgressView; now: number; several: boolean },
): Promise<void> {
  if (cli.globals.quiet) return
  const renderOptions = renderOptionsOf(cli, 'stderr')
  const seen = before?.history.length ?? Math.max(0, progress.history.length - 1)
  const changes = listTrackingChanges(
    progress,
    seen,
    before === undefined ? null : newsOf(before),
    toTimestamp(now),
  )
  for (const change of changes) {
    const name = several ? `${progress.name}${renderOptions.tty ? '  ' : '\t'}` : ''
    await cli.io.stderr.write(`${name}${changeLine(change, renderOptions)}\n`)
  }
}

function codeOf({ success }: WaitableResource, things: readonly Thing[]): number {
  if (things.some(({ progress }) => progress?.isFinal !== true)) return EXIT.pending
  const good = things.filter(({ progress }) => progress?.status === success).length
  if (good === things.length) return EXIT.ok
  return good === 0 ? EXIT.conflict : EXIT.partial
}

/** Returns one sentence on the end, or how to continue following. */
function closing(
  cli: CommandContext,
  life: WaitableResource,
  things: readonly Thing[],
  outcome: 'over' | 'frozen' | 'late' | AppError | InterruptedError,
): string {
  const [only, ...more] = things
  if (only === undefined) return 'There is nothing to wait for.'
  if (outcome === 'over') return more.length === 0 ? endOf(life, only) : countOf(life, things)
  const open = things.filter(({ progress }) => progress?.isFinal !== true)
  const state = only.progress === undefined ? 'under way' : stateWords(only.progress.status)
  const about =
    more.length === 0
      ? `${only.progress?.name ?? only.id} is ${state}`
      : `${open.length} of ${things.length} have not ended`
  const goOn = `\`${life.track} ${shellQuote(open[0]?.id ?? only.id)}${formatTargetFlags(cli.globals)}\` continues tracking ${more.length === 0 ? 'it' : 'the first'}.`
  if (outcome === 'frozen')
    return `${about}, and the sandbox clock is frozen. \`dray sandbox clock advance ${life.suggestedAdvance}\` advances it; ${goOn}`
  if (outcome === 'late') return `${about}, and the --timeout has passed. ${goOn}`
  if (outcome instanceof InterruptedError) return `${about}. Only the wait was stopped. ${goOn}`
  return `${about}. ${outcome.message} ${goOn}`
}

function endOf({ success }: WaitableResource, { id, progress }: Thing): string {
  const name = progress?.name ?? id
  const state = stateWords(progress?.status ?? '')
  return progress?.status === success ? `${name} is ${state}.` : `${name} ended without success: ${state}.`
}

function countOf({ success }: WaitableResource, things: readonly Thing[]): string {
  const states = Map.groupBy(things, ({ progress }) => progress?.status ?? '')
  const parts = [...states]
    .toSorted(([a], [b]) => Number(b === success) - Number(a === success))
    .map(([status, group]) => `${group.length} ${stateWords(status)}`)
  return `All have ended: ${parts.join(', ')}.`
}
