/** The cleanups of a test file. A module's own hook would run only once, although one process runs many files. */
const undoings: (() => Promise<unknown>)[] = []

/** Runs `undo` after the tests of the file, in reverse order of registration. */
export function afterFile(undo: () => Promise<unknown>): void {
  undoings.push(undo)
}

/** Runs all cleanups, even after a failure, and throws the first failure. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = []
  for (const undo of undoings.splice(0).reverse()) await undo().catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
