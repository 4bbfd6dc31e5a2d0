/**
 * Each command of the registry, started once as the built program, does its own work; in the long battery on both stores.
 * The other stories run most commands in the process of the test: what differs there is what starts, and that is the same
 * for all.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseCommandRoute } from '../../src/cli/route.ts'
import { COMMANDS } from '../../src/generated/commands.ts'
import {
  COMMAND_STORIES,
  FURTHER_STORIES,
  LAST_STORY,
  LOCAL_STORIES,
  recordLatestIds,
} from '../support/command-stories.ts'
import { splitCommandLine } from '../support/program.ts'
import { ROOT } from '../support/sources.ts'
import { longAcceptanceTest } from '../support/story.ts'

/** Commands that go on until they are stopped, or need a device or a lost answer: the files that start them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'business orders watch': 'test/acceptance/business-watch.test.ts',
  'sandbox approve': 'test/acceptance/login.test.ts',
  'pending show': 'test/acceptance/pending-calls.test.ts',
  'pending resolve': 'test/acceptance/pending-calls.test.ts',
  open: 'test/acceptance/rights.test.ts',
  start: 'test/commands/start.test.ts',
  serve: 'test/support/story.ts',
  mcp: 'test/acceptance/mcp.test.ts',
  listen: 'test/acceptance/listen.test.ts',
}

/** The exit codes of a command that did its work; 8: it waited for a clock that stands still. */
const DONE: ReadonlySet<unknown> = new Set([0, 8])

longAcceptanceTest('each command of the built program does its work', async (told) => {
  const known: Record<string, string> = { cwd: told.folder, root: ROOT }
  const done = new Set<string>()
  const failed: Record<string, string> = {}
  /** Starts the first line of each command, and later ones where none has done its work so far. */
  const tell = async (lines: readonly string[], options: { bare?: boolean } = {}): Promise<void> => {
    for (const template of lines) {
      const line = template
        .replace(/^dray /, '')
        .replaceAll(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole)
      const { words } = parseCommandRoute(splitCommandLine(line))
      const ran = await told.dray(line, { exit: 'any', isStarted: !done.has(words), ...options })
      recordLatestIds(known, `${ran.stdout}\n${ran.stderr}`)
      if (DONE.has(ran.exitCode)) done.add(words)
      else failed[words] = `${line}\n${ran.stderr}`
    }
  }
  const {
    settings = [],
    'the sandbox': replacing = [],
    'a service': dated = [],
    ...stories
  } = COMMAND_STORIES
  // The lines about a service name days, which a clock that later stories advance would have passed.
  await tell([dated, ...Object.values(stories), ...Object.values(FURTHER_STORIES)].flat())
  await tell([...replacing, ...LAST_STORY])
  await tell([...settings, ...LOCAL_STORIES], { bare: true })
  const missing = Object.keys(COMMANDS).filter((words) => !done.has(words) && ELSEWHERE[words] === undefined)
  expect(
    missing.map((words) => failed[words] ?? `${words} needs a line in test/support/command-stories.ts`),
  ).toEqual([])
})

test('the commands that no line can start are started by the files that say so', () => {
  const silent = Object.entries(ELSEWHERE).filter(
    ([words, file]) =>
      COMMANDS[words] === undefined || !readFileSync(join(ROOT, file), 'utf8').includes(words),
  )
  expect(silent).toEqual([])
})
