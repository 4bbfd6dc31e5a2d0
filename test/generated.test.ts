import { execFile } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from './support/sources.ts'

/** The generator's inputs, and the outputs that it compares. They are copied, because other tests use the originals. */
const COMPARED = ['docs', 'examples/scenarios', 'llms.txt', 'skills', 'test/snapshots']
const NEEDED = ['package.json', 'tsconfig.json', 'src', ...COMPARED]

let copy: string

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'dray-generated-'))
  for (const name of NEEDED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
})

afterEach(() => rmSync(copy, { recursive: true, force: true }))

const generate = (...args: string[]): Promise<{ code: number; stderr: string }> =>
  promisify(execFile)(process.execPath, [join(copy, 'src/generate/main.ts'), ...args]).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  )

test('every generated file that is committed is up to date, and `generate` mends one that is not', async () => {
  appendFileSync(join(copy, 'test/snapshots/interface.txt'), '# touched\n')
  rmSync(join(copy, 'test/snapshots/help/dray.txt'))
  writeFileSync(join(copy, 'test/snapshots/help/gone.txt'), 'a command that was\n')
  const { code, stderr } = await generate('--check')
  expect(code).toBe(1)
  expect(stderr.match(/^\S+/gm)?.toSorted()).toEqual([
    'test/snapshots/help/dray.txt',
    'test/snapshots/help/gone.txt',
    'test/snapshots/interface.txt',
  ])
  expect((await generate()).code).toBe(0)
  for (const name of COMPARED) {
    const { stdout } = await promisify(execFile)('diff', ['-r', join(ROOT, name), join(copy, name)])
    expect(stdout).toBe('')
  }
})

test('an example that reads an answer which comes later is refused by name', async () => {
  const file = join(copy, 'src/areas/rides/get_ride.ts')
  writeFileSync(file, readFileSync(file, 'utf8').replace("done['request_ride']", "done['cancel_ride']"))
  const { code, stderr } = await generate()
  expect(code).toBe(1)
  expect(stderr).toContain(
    'the example of get_ride reads the answer of cancel_ride, which is not run before it',
  )
})
