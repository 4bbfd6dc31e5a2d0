import { defineConfig } from 'vitest/config'
import { PlainSummary } from './test/support/reporter.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', new PlainSummary()],
    // One process of many threads would grow to gigabytes, and each command that it starts first copies its page tables.
    pool: 'forks',
    // Tests wait for processes as often as they compute: as many files at once as there are cores, not one less.
    maxWorkers: '100%',
    // Stories start real processes; a busy machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
