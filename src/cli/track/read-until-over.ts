import type { AnswerOf, InputOf } from '../../client/operations.ts'
import type { Cli } from '../cli.ts'
import { pollUntilOver } from './poll.ts'

type Read<N extends string> = { value: AnswerOf<N>; now: number; frozen: boolean }

/**
 * Reads repeatedly until `show` returns that it is over, the clock stands still, or `--timeout` has passed. Throws
 * `Interrupted`.
 */
export async function readUntilOver<N extends string>(
  cli: Cli,
  operation: N,
  input: InputOf<N>,
  show: (value: AnswerOf<N>, now: number) => Promise<boolean>,
): Promise<Read<N>> {
  const client = await cli.client()
  let last: Read<N> | undefined
  await pollUntilOver(cli, async () => {
    const { value, serviceTime } = await client.call(operation, input)
    last = { value, ...serviceTime }
    if (await show(last.value, last.now)) return 'over'
    return last.frozen ? 'frozen' : 'open'
  })
  if (last === undefined) throw new Error(`${operation} was never read`)
  return last
}
