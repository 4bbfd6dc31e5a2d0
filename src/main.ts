import { main } from './cli/main.ts'
import { makeRuntime } from './runtime.ts'

/** What the launcher calls. The exit code is set, not forced: output that is still on its way arrives. */
export function start(): void {
  const runtime = makeRuntime()
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
