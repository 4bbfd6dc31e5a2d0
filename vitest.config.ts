import { availableParallelism, tmpdir } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { iterations } from './test/support/battery.ts'
import { PlainSummary } from './test/support/reporter.ts'

/**
 * Files that share a process: to load the program anew for each would cost more than most of them do. What they open is
 * closed by `afterFile`, and what their modules keep is the same in every file.
 */
const SHARED =
  'areas cli client commands core db gateway host local-state mcp oauth properties reference-data rendering sandbox server tabular'.split(
    ' ',
  )
/** They start processes, or set the environment of their own: a process that has grown large starts others slowly. */
const ALONE = ['commands/completion', 'commands/serve/serve', 'server/cluster'].map(
  (name) => `test/${name}.test.ts`,
)
/** They need programs of Debian, and minutes: the long battery runs them. */
const OTHER_PROGRAMS = iterations(['interop'], [])
/** It stops processes for minutes. */
const LONG_SIEGES = iterations(['test/adversarial/stopped-writer.test.ts'], [])
/** In memory nothing is ever killed between a commit and its answer. */
const ON_DISK = ['crash', 'adversarial']

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    reporters: ['default', new PlainSummary()],
    // One process of many threads would grow to gigabytes, and each command that it starts first copies its page tables.
    pool: 'forks',
    // Files wait for processes, browsers and timers, some for most of their time: with two files more than there are cores,
    // a core seldom waits with them.
    maxWorkers: availableParallelism() + 2,
    // Stories start real processes; a busy machine is no failure. These are no measures: only what hangs takes so long.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Node's line editor draws nothing on the terminal that a runner without one may name.
    env: { TERM: 'xterm-256color' },
    expect: { poll: { timeout: 120_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: SHARED.map((folder) => `test/${folder}/**/*.test.ts`),
          exclude: [...configDefaults.exclude, ...ALONE],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          isolate: false,
          include: [
            'test/*.test.ts',
            `test/!(${[...SHARED, ...ON_DISK, ...OTHER_PROGRAMS].join('|')})/**/*.test.ts`,
            ...ALONE,
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'disk',
          include: ON_DISK.map((folder) => `test/${folder}/**/*.test.ts`),
          exclude: [...configDefaults.exclude, ...LONG_SIEGES],
          env: { TMPDIR: tmpdir() },
        },
      },
    ],
  },
})
