import type { Cli } from '../cli.ts'

export const POLL_MS = 2000

/** How far a round of reads found things: all over, still under way, or on a clock that stands still. */
export type Round = 'over' | 'open' | 'frozen'

/**
 * Reads in rounds until all is over, the clock stands still, or `--timeout` has run out. The last round comes when the
 * time is over. Throws `Interrupted`, and what a round throws.
 */
export async function pollUntilOver(
  { runtime, settings }: Pick<Cli, 'runtime' | 'settings'>,
  round: (signal: AbortSignal) => Promise<Round>,
  pauseMs = POLL_MS,
): Promise<'over' | 'frozen' | 'late'> {
  const deadline = runtime.elapsed() + (settings.timeoutMs ?? Infinity)
  const signal = runtime.interruption()
  for (;;) {
    const found = await round(signal).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
    signal.throwIfAborted()
    if (found !== 'open') return found
    const left = deadline - runtime.elapsed()
    if (left <= 0) return 'late'
    await runtime.sleep(Math.min(pauseMs, left), signal)
    signal.throwIfAborted()
  }
}
