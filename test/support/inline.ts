/** Runs the program's own command line in this process: the same steps as a process, without its start. */
import { openRemote } from '../../src/client/remote.ts'
import { main } from '../../src/commands/main.ts'
import { resolvePaths } from '../../src/paths.ts'
import { makeRuntime } from '../../src/runtime.ts'
import { memoryIo } from './memory-io.ts'
import { type CommandResult, splitCommandLine } from './program.ts'
import { ROOT } from './sources.ts'

/** Runs a command against a service, as typed after `dray`, with this environment and no other. */
export async function runInline(line: string, env: Record<string, string>): Promise<CommandResult> {
  const io = memoryIo({ env })
  const runtime = {
    ...makeRuntime(ROOT),
    env,
    paths: resolvePaths(env, process.platform),
    // Each would listen to the signals of this process.
    interruption: () => new AbortController().signal,
  }
  const openClient: typeof runtime.openClient = async (target, notices) => {
    if (target.kind !== 'remote') throw new Error('this command was to reach a service')
    return openRemote(target, { ...runtime, ...notices, kept: undefined })
  }
  const exitCode = await main(splitCommandLine(line), { ...runtime, openClient }, io)
  const stdout = io.out()
  return {
    stdout,
    stderr: io.err(),
    exitCode,
    signal: undefined,
    json: <T>() => JSON.parse(stdout) as T,
    lines: <T>() =>
      stdout
        .trimEnd()
        .split('\n')
        .map((each) => JSON.parse(each) as T),
  }
}
