import { tmpdir } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { PlainSummary } from './test/support/reporter.ts'

/** Tests of functions that start no process and keep nothing open: a new process for each file would cost more than they do. */
const FUNCTIONS = ['test/domain/**/*.test.ts', 'test/cli/**/*.test.ts']
const STARTS_PROCESSES = 'test/cli/commands/**'
/** In memory nothing is ever killed between a commit and its answer. */
const ON_DISK = ['crash', 'siege']

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    reporters: ['default', new PlainSummary()],
    // One process of many threads would grow to gigabytes, and each command that it starts first copies its page tables.
    pool: 'forks',
    // Tests wait for processes as often as they compute: as many files at once as there are cores, not one less.
    maxWorkers: '100%',
    // Stories start real processes; a busy machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'functions',
          include: FUNCTIONS,
          exclude: [...configDefaults.exclude, STARTS_PROCESSES],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            'test/domain/**',
            `test/cli/!(commands)/**`,
            'test/cli/*.test.ts',
            ...ON_DISK.map((folder) => `test/${folder}/**`),
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'disk',
          include: ON_DISK.map((folder) => `test/${folder}/**/*.test.ts`),
          env: { TMPDIR: tmpdir() },
        },
      },
    ],
  },
})
