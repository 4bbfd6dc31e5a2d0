import type { CommandContext } from '../cli.ts'

export const POLL_MS = 2000

/** The result of a round of reads: all over, some still open, or a clock that stands still. */
export type Round = 'over' | 'open' | 'frozen'

/**
 * Reads in rounds until all has ended, the clock stands still, or `--timeout` has passed. The last round is at the
 * timeout. Throws `Interrupted`, and the errors of a round.
 */
export async function pollUntilOver(
  { runtime, settings }: Pick<CommandContext, 'runtime' | 'settings'>,
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
