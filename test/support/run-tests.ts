/**
 * `npm test` runs all tests. `npm test -- get_ride` names and runs those that a change of this operation needs: the files that
 * name it, those of its area, and its cases in the loops over all operations. Other arguments are those of vitest.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { ROOT } from './sources.ts'

/** Batteries, and pages in a browser, whose calls are those of other tests. */
const ELSEWHERE = /^test\/(?:interop|seeded-bugs|adversarial|crash|simulate|browser)\//
/** A file that imports the list of all operations runs something for each of them. */
const LOOPS = /from '(?:\.\.\/)+src\/generated\/(?:operation-list|registry)\.ts'/
/** The words in the titles of tests that a loop leaves no operation out. */
const WHOLE = '(?:every|each) operation'

const given = process.argv.slice(2)
const [name = ''] = given
const operation = Object.entries<() => Promise<{ area: string }>>(OPERATIONS).find(([each]) => each === name)
if (operation === undefined || given.length > 1) process.exitCode = run(given)
else runFor(name, (await operation[1]()).area)

function runFor(named: string, area: string): void {
  const files = globSync('test/**/*.test.ts', { cwd: ROOT }).filter((file) => !ELSEWHERE.test(file))
  const isNamed = new RegExp(`\\b${named}\\b`)
  const own: string[] = []
  const loops: string[] = []
  for (const file of files.toSorted()) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    if (file.startsWith(`test/areas/${area}/`) || isNamed.test(text)) own.push(file)
    else if (LOOPS.test(text)) loops.push(file)
  }
  const list = (paths: readonly string[]): string => paths.map((file) => `  ${file}\n`).join('')
  process.stdout.write(
    `A change of ${named} needs:\n${list(own)}and its cases in the loops over all operations:\n${list(loops)}`,
  )
  // Both, whatever the first one finds.
  process.exitCode = Math.max(
    run(own),
    run([...loops, '--testNamePattern', `${isNamed.source}|${WHOLE}`, '--passWithNoTests']),
  )
}

/** Runs vitest, and returns its exit code. */
function run(words: readonly string[]): number {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  return spawnSync(process.execPath, [vitest, 'run', ...words], { cwd: ROOT, stdio: 'inherit' }).status ?? 1
}
