/** Returns once other calls of this process had their turn: `await` alone gives way only to promises. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
