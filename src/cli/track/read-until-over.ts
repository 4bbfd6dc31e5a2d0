import type { AnswerOf, InputOf } from '../../client/operations.ts'
import type { CommandContext } from '../cli.ts'
import { InterruptedError } from '../io.ts'
import { shellQuote } from '../output/shell.ts'
import { formatTargetFlags } from '../print.ts'
import { clearTyped } from './clear-typed.ts'
import { pollUntilOver, type Round } from './poll.ts'

type ResourceReading<N extends string> = { value: AnswerOf<N>; now: number; frozen: boolean }

/**
 * Reads repeatedly until `show` returns that it has ended, the clock stands still, or `--timeout` has passed. Throws
 * `Interrupted`.
 */
export async function readUntilOver<N extends string>(
  cli: CommandContext,
  operation: N,
  input: InputOf<N>,
  show: (value: AnswerOf<N>, now: number) => Promise<boolean>,
): Promise<ResourceReading<N>> {
  const client = await cli.client()
  let last: ResourceReading<N> | undefined
  let isTold = false
  const round = async (): Promise<Round> => {
    const { value, serviceTime } = await client.call(operation, input)
    last = { value, ...serviceTime }
    if (await show(last.value, last.now)) return 'over'
    if (last.frozen) return 'frozen'
    if (!isTold && !cli.io.stdout.isTTY) await printTrackingNotice(cli, Object.values(input))
    isTold = true
    return 'open'
  }
  await pollUntilOver(cli, round).catch(async (error: unknown) => {
    if (error instanceof InterruptedError) await printResumeHint(cli, Object.values(input))
    throw error
  })
  if (last === undefined) throw new Error(`${operation} was never read`)
  return last
}

/** Says why nothing comes: a script may want the state of now, which `show` of the same area prints. */
async function printTrackingNotice(
  { spec, globals, say }: CommandContext,
  [id]: readonly unknown[],
): Promise<void> {
  const about = `${shellQuote(String(id))}${formatTargetFlags(globals)}`
  const show = spec.words.replace(/ track$/, ' show')
  await say(
    `Tracking ${String(id)} until it ends. \`dray ${show} ${about}\` prints its current status; --timeout 10m limits the wait.`,
  )
}

/** Says on a line of its own how to follow it again. The id is the only field of the input. */
async function printResumeHint(cli: CommandContext, [id]: readonly unknown[]): Promise<void> {
  await clearTyped(cli)
  await cli.say(
    `\`dray ${cli.spec.words} ${shellQuote(String(id))}${formatTargetFlags(cli.globals)}\` continues tracking it.`,
  )
}
