import type { Cli } from '../cli.ts'
import { pollUntilOver } from './poll.ts'

/**
 * Reads again and again until `show` says that it is over, the clock stands still, or `--timeout` has run out. Throws
 * `Interrupted`.
 */
export async function readUntilOver<T>(
  cli: Cli,
  operation: string,
  input: Record<string, unknown>,
  show: (value: T, now: number) => Promise<boolean>,
): Promise<{ value: T; now: number; frozen: boolean }> {
  const client = await cli.client()
  let last: { value: T; now: number; frozen: boolean } | undefined
  await pollUntilOver(cli, async () => {
    const { value, serviceTime } = await client.call(operation, input)
    last = { value: value as T, ...serviceTime }
    if (await show(last.value, last.now)) return 'over'
    return last.frozen ? 'frozen' : 'open'
  })
  if (last === undefined) throw new Error(`${operation} was never read`)
  return last
}
