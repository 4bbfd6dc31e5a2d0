import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { AppError } from '../../src/errors.ts'
import { makeRuntime, type Runtime } from '../../src/runtime.ts'
import { type Home, makeHome } from '../support/home.ts'
import { memoryIo, type MemoryIo } from '../support/memory-io.ts'

/** A whole command line, in a home of its own; `openClient` stands for the service. */
async function run(
  home: Home,
  argv: readonly string[],
  io: MemoryIo = memoryIo(),
  openClient: Runtime['openClient'] = () => Promise.reject(new AppError('network_error', 'Nobody is there.')),
): Promise<{ code: number; out: string; err: string }> {
  const runtime = { ...makeRuntime(`${import.meta.dirname}/../..`), ...home, openClient }
  const code = await main(argv, runtime, io)
  return { code, out: io.out(), err: io.err() }
}

test('the first run in a database names it without its password', async () => {
  using home = makeHome()
  const { err } = await run(home, ['carrier', 'list'], memoryIo(), (_, { firstRun }) => {
    firstRun('postgres://dray:s3cr3t@db.example/dray')
    return Promise.reject(new AppError('network_error', 'Nobody is there.'))
  })
  expect(err).toContain('Made a sandbox world in postgres://dray:***@db.example/dray.')
})
