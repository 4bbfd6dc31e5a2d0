/** One change for each of several things: a result for each, in the order given. */
import { AppError, EXIT } from '../../core/errors.ts'
import type { CommandContext } from '../cli.ts'
import { InterruptedError } from '../io.ts'
import { partKey } from './part-key.ts'

export type SendOutcome<N, V> = {
  named: N
  /** `unchanged`: it was so before, and no call was made. */
  result: 'done' | 'unchanged' | 'failed' | 'not_sent'
  value?: V
  error?: AppError
}

export type SendResult<N, V> = {
  outcomes: SendOutcome<N, V>[]
  /** The reason why the rest was not sent. */
  stopped: AppError | InterruptedError | undefined
}

/** A thing as the user named it; with a problem nothing can be sent for it. */
type NamedTarget = { problem?: AppError | undefined }

type SendEachOptions<N, V> = {
  /** The word for one of the things: `order`. */
  noun: string
  idOf: (named: N) => string
  send: (cli: CommandContext, named: N) => Promise<V>
  /** True of a thing that needs no call. */
  isDone?: (named: N) => boolean
}

/** Failures that the next thing would meet too. */
const STOPPING: ReadonlySet<string> = new Set(['auth', 'unavailable', 'rate_limited'])

/** Sends one after the other. An error stops none of the others; a lost service and a signal stop them all. */
export async function sendEach<N extends NamedTarget, V>(
  cli: CommandContext,
  things: readonly N[],
  { noun, idOf, send, isDone = () => false }: SendEachOptions<N, V>,
): Promise<SendResult<N, V>> {
  const signal = cli.runtime.interruption()
  const told = () =>
    void cli.say(`Waiting for the response to the current ${noun}; no other ${noun} will be sent.`)
  signal.addEventListener('abort', told)
  const outcomes: SendOutcome<N, V>[] = []
  let stopped: SendResult<N, V>['stopped']
  for (const named of things) {
    if (signal.aborted)
      stopped ??= signal.reason instanceof InterruptedError ? signal.reason : new InterruptedError()
    if (stopped !== undefined) {
      outcomes.push({ named, result: 'not_sent' })
      continue
    }
    if (isDone(named)) {
      outcomes.push({ named, result: 'unchanged' })
      continue
    }
    try {
      if (named.problem !== undefined) throw named.problem
      outcomes.push({ named, result: 'done', value: await send(withOwnKey(cli, idOf(named)), named) })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      outcomes.push({ named, result: 'failed', error })
      if (STOPPING.has(error.entry.exit)) stopped = error
    }
    // Gives a signal that arrived during a call of this process its turn.
    await cli.runtime.sleep(0)
  }
  return { outcomes, stopped }
}

/** One key is one call: of several things each has its own, made of the one that was given. */
function withOwnKey(cli: CommandContext, id: string): CommandContext {
  const { idempotencyKey } = cli.globals
  if (idempotencyKey === undefined) return cli
  return { ...cli, globals: { ...cli.globals, idempotencyKey: partKey(idempotencyKey, id) } }
}

/** Counts outcomes by their results. */
export function countOutcomes(outcomes: readonly Pick<SendOutcome<unknown, unknown>, 'result'>[]) {
  const count = (result: SendOutcome<unknown, unknown>['result']): number =>
    outcomes.filter((outcome) => outcome.result === result).length
  return {
    total: outcomes.length,
    done: count('done'),
    failed: count('failed'),
    not_sent: count('not_sent'),
  }
}

/** 0 when all were done and 9 when some; the one code of failures that are alike, else 6. What stopped it says its own. */
export function exitOfSeveral(
  outcomes: readonly Pick<SendOutcome<unknown, unknown>, 'error'>[],
  stopped: AppError | undefined,
): number {
  if (stopped !== undefined) return stopped.exitCode
  const codes = [...new Set(outcomes.map(({ error }) => error?.exitCode ?? EXIT.ok))]
  const [first = EXIT.ok] = codes
  if (codes.length === 1) return first
  return codes.includes(EXIT.ok) ? EXIT.partial : EXIT.rejected
}
