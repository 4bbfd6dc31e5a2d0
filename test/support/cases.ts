/**
 * Returns a line for each operation that has no case in a loop, and for each case without an operation. It names the operation and
 * `file`, the place to add to: "test/properties/x.test.ts, CALLS".
 */
export function caseFaults(operations: readonly string[], cases: Iterable<string>, file: string): string[] {
  const given = new Set(cases)
  const missing = operations.filter((name) => !given.has(name))
  const over = [...given].filter((name) => !operations.includes(name))
  return [
    ...missing.map((name) => `${name} has no case: add one to ${file}`),
    ...over.map((name) => `${name} needs no case: take it out of ${file}`),
  ]
}
