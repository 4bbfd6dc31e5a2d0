/** Returns the choice that a misspelt word most likely means; undefined if more than a third of its letters differ. */
export function findClosestWord(word: string, choices: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Math.floor(Math.max(word.length, 3) / 3) + 1
  for (const choice of choices) {
    const edits = distance(word, choice, least)
    if (edits < least) [best, least] = [choice, edits]
  }
  return best
}

/**
 * Returns the number of edits, of which two letters in the wrong order are one, or `limit` as soon as it cannot be
 * less.
 */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let beforeLast: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : Infinity
      current.push(Math.min(change, swap, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    if (Math.min(...current, ...previous) >= limit) return limit
    beforeLast = previous
    previous = current
  }
  return previous[b.length] ?? limit
}
