import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from './support/sources.ts'

const CONFIG = `export default { test: { projects: [
  { test: { name: 'shared', include: ['test/shared/*.test.ts'] } },
  { test: { name: 'alone', include: ['test/acceptance/*.test.ts'] } },
] } }`

const STEADY = `import { test } from 'vitest'
test('a steady thing', () => {})`

/** Fails in the first run only, and shares a state from a hook, so that one test alone could not be repeated. */
const FLAKY = `import { existsSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
const before = existsSync(import.meta.filename + '.ran')
let steps = 0
beforeAll(() => writeFileSync(import.meta.filename + '.ran', ''))
test('a first step', () => void (steps += 1))
describe('later', () => test('a second step', () => expect([steps, before]).toEqual([1, true])))`

const BROKEN = `import { expect, test } from 'vitest'
test('a broken thing', () => expect(1).toBe(2))`

const BROKEN_HOOK = `import { beforeAll, describe, test } from 'vitest'
describe('a place', () => { beforeAll(() => { throw new Error('no') }); test('a thing', () => {}) })`

let project: string

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'dray-ci-'))
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'junction')
  write('vitest.config.mjs', CONFIG)
  write('package.json', '{"type":"module"}')
})

afterEach(() => rmSync(project, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}

/** Runs the tests of the project as CI does. Returns the exit code and the printed lines. */
async function runInCi(): Promise<{ code: number; lines: string[] }> {
  // The runner of this test must not look like that of the project.
  const env = { PATH: process.env['PATH'], NO_COLOR: '1' }
  const script = join(ROOT, 'test/support/run-in-ci.ts')
  const { code, stdout } = await promisify(execFile)(process.execPath, [script], { cwd: project, env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  )
  return { code, lines: stdout.trimEnd().split('\n') }
}

test('a story that fails once and then passes is named, and does not fail the run', async () => {
  write('test/acceptance/flaky.test.ts', FLAKY)
  write('test/acceptance/steady.test.ts', STEADY)
  const { code, lines } = await runInCi()
  expect(lines.slice(-2)).toEqual([
    'flaky: test/acceptance/flaky.test.ts › later > a second step',
    '3 passed, 0 failed',
  ])
  expect(lines.filter((line) => line.includes('Running once more'))).toEqual([
    'Running once more what failed: test/acceptance/flaky.test.ts',
  ])
  expect(code).toBe(0)
})

test('a story that fails twice, a hook that fails and a test in one process that fails once fail the run', async () => {
  write('test/acceptance/broken.test.ts', BROKEN)
  write('test/acceptance/hook.test.ts', BROKEN_HOOK)
  write('test/shared/flaky.test.ts', FLAKY)
  const { code, lines } = await runInCi()
  expect(lines.at(-1)).toBe('1 passed, 3 failed, 1 skipped')
  expect(lines.filter((line) => line.startsWith('flaky:'))).toEqual([])
  expect(code).toBe(1)
})
