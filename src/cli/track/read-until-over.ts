import type { Cli } from '../cli.ts'

const POLL_MS = 2000

/**
 * Reads again and again until `show` says that it is over, the world stands still, or `--timeout` has run out. Throws
 * `Interrupted`.
 */
export async function readUntilOver<T>(
  cli: Cli,
  operation: string,
  input: Record<string, unknown>,
  show: (value: T, now: number) => Promise<boolean>,
): Promise<{ value: T; now: number; frozen: boolean }> {
  const client = await cli.client()
  const started = cli.runtime.elapsed()
  const signal = cli.runtime.interruption()
  for (;;) {
    const { value, serviceTime } = await client.call(operation, input)
    const over = await show(value as T, serviceTime.now)
    const late = cli.runtime.elapsed() - started >= (cli.settings.timeoutMs ?? Infinity)
    if (over || serviceTime.frozen || late || signal.aborted) {
      signal.throwIfAborted()
      return { value: value as T, ...serviceTime }
    }
    await cli.runtime.sleep(POLL_MS, signal)
  }
}
