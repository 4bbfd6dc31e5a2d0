/** Applies due events in the background, so that watchers see changes that no request triggers. */

const PERIOD_MS = 1000

/**
 * Calls `tick` about once a second, and at once again while it returns that more is due. Requests run in between. A
 * failed tick is passed to `onError` and retried after a second.
 */
export function startEventRunner(
  tick: () => Promise<boolean>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    let more = false
    try {
      more = await tick()
    } catch (error) {
      onError(error)
    }
    if (!stopped) plan(more ? 0 : PERIOD_MS)
  }
  function plan(wait: number): void {
    timer = setTimeout(() => {
      running = run()
    }, wait)
  }
  plan(PERIOD_MS)
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
