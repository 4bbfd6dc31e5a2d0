/** Calls that do not wait for each other. */

/** Does the work for each item, for at most `most` at the same time. After a failure, which it throws, it begins no other. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values()
  let failed = false
  const worker = async (): Promise<void> => {
    for (const item of left) {
      if (failed) return
      try {
        await work(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: most }, worker))
}
