import { main } from './cli/main.ts'
import { makeRuntime } from './runtime.ts'

/** What the launcher calls. The exit code is set, not forced: output that is still on its way arrives. */
export function start(): void {
  // One folder up from `src/main.ts` and from `dist/main.js`: this file is bundled to no other place.
  const runtime = makeRuntime(`${import.meta.dirname}/..`)
  main(process.argv.slice(2), runtime).then(
    (code) => {
      process.exitCode = code
    },
    (error: unknown) => {
      process.exitCode = 1
      throw error
    },
  )
}
