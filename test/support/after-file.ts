/** The end of what a test file leaves open. A hook of a module would run once, however many files one process runs. */
const undoings: (() => Promise<unknown>)[] = []

/** Does `undo` when the tests of the file are over: what was made last goes first. */
export function afterFile(undo: () => Promise<unknown>): void {
  undoings.push(undo)
}

/** Undoes everything, also after a failure; throws the first one. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = []
  for (const undo of undoings.splice(0).reverse()) await undo().catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
