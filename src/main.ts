import { processIo } from './cli/io.ts'
import { main } from './commands/main.ts'
import { makeRuntime } from './runtime.ts'

/** Runs the command line for the launcher. Returns the exit code once all output is handed over. */
export async function start(): Promise<number> {
  // One folder up from `src/main.ts` and from `dist/main.js`: this file is bundled to no other place.
  const runtime = makeRuntime(`${import.meta.dirname}/..`)
  const io = processIo({ env: runtime.env })
  const code = await main(process.argv.slice(2), runtime, io)
  await io.drained()
  return code
}
