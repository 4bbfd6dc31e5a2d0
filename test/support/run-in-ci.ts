/**
 * Runs all tests as `npm test` does, for CI: a failed file of stories runs once more, and what failed only the first
 * time is named as `flaky: file › title`. The last line counts the second result of such a file.
 *
 * Stories wait for processes, browsers and databases, whose order no test decides. A file of the project `shared` runs
 * in one process and decides everything itself: a second run would only hide that it found something.
 */
import { createVitest, type TestModule } from 'vitest/node'
import { countResults, failuresOf, formatTestCounts } from './reporter.ts'

const vitest = await createVitest({ watch: false, reporters: ['default'] })
try {
  const first = await vitest.start()
  const errors = first.unhandledErrors as { VITEST_TEST_PATH?: string }[]
  const isRaisedBy = ({ moduleId }: TestModule, error: (typeof errors)[number]): boolean =>
    error.VITEST_TEST_PATH === moduleId
  const again = first.testModules.filter(
    (module) =>
      module.project.name !== 'shared' && (!module.ok() || errors.some((error) => isRaisedBy(module, error))),
  )
  // Read before the second run replaces the results.
  const failures = new Map(again.map((module) => [module.moduleId, failuresOf(module)]))
  const kept = errors.filter((error) => !again.some((module) => isRaisedBy(module, error)))
  const last = again.length === 0 ? { ...first, unhandledErrors: [] } : await runAgain(again)

  const raised = last.unhandledErrors as typeof errors
  for (const module of last.testModules) {
    if (!module.ok() || raised.some((error) => isRaisedBy(module, error))) continue
    for (const failure of failures.get(module.moduleId) ?? []) process.stdout.write(`flaky: ${failure}\n`)
  }
  const count = countResults(last.testModules, kept.length + raised.length)
  process.exitCode = count.failed > 0 ? 1 : 0
  process.stdout.write(`${formatTestCounts(count)}\n`)
} finally {
  await vitest.exit()
}

/** Returns the results of all files, with those of the given files from their second run. */
function runAgain(modules: readonly TestModule[]): ReturnType<typeof vitest.start> {
  const files = modules.map(({ relativeModuleId }) => relativeModuleId).join(', ')
  process.stdout.write(`\nRunning once more what failed: ${files}\n`)
  return vitest.runTestSpecifications(modules.map((module) => module.toTestSpecification()))
}
