/**
 * Returns once other calls of this process had their turn: `await` alone gives way only to promises. For work that holds no
 * store, such as a long sheet of rows; a transaction gives way by the loop of its store (`db/loop-yield.ts`).
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
