import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Ends a run with one plain line, `N passed, N failed`, for readers who do not know the test runner. */
export class PlainSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      // A file that failed to load has no tests to count.
      if (module.errors().length > 0) count.failed += 1
      for (const { state } of [...module.children.allTests()].map((test) => test.result())) count[state] += 1
    }
    const skipped = count.skipped + count.pending
    process.stdout.write(
      `${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
    )
  }
}
