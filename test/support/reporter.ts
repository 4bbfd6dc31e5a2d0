import type { Reporter, SerializedError, TestModule, TestSuite } from 'vitest/node'

/** Ends a run with one plain line, `N passed, N failed`, for readers who do not know the test runner. */
export class PlainSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    process.stdout.write(`${formatTestCounts(countResults(modules, errors.length))}\n`)
  }
}

type Count = { passed: number; failed: number; skipped: number; pending: number }

/** Counts the tests of a run by their state; `errors` is the number of errors outside of any test. */
export function countResults(modules: readonly TestModule[], errors: number): Count {
  const count = { passed: 0, failed: errors, skipped: 0, pending: 0 }
  for (const module of modules) {
    // A file that failed to load, or a failed hook, may leave no failed test to count.
    count.failed += withSuites(module).filter((suite) => suite.errors().length > 0).length
    for (const { state } of [...module.children.allTests()].map((test) => test.result())) count[state] += 1
  }
  return count
}

/** Returns `N passed, N failed`, and the number of skipped tests where there are any. */
export function formatTestCounts({ passed, failed, skipped, pending }: Count): string {
  const left = skipped + pending
  return `${passed} passed, ${failed} failed${left > 0 ? `, ${left} skipped` : ''}`
}

/** Returns what failed in a file, in words such as `file.test.ts › title`; the file alone where no test failed. */
export function failuresOf(module: TestModule): string[] {
  const file = module.relativeModuleId
  const titles = [...module.children.allTests('failed')].map(({ fullName }) => `${file} › ${fullName}`)
  const hooks = withSuites(module).filter((suite) => suite.errors().length > 0)
  const named = hooks.map((suite) => ('fullName' in suite ? `${file} › ${suite.fullName}` : file))
  return titles.length + named.length > 0 ? [...titles, ...named] : [file]
}

function withSuites(module: TestModule): (TestModule | TestSuite)[] {
  return [module, ...module.children.allSuites()]
}
