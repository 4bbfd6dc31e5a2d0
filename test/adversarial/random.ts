/** Random numbers from a seed, so that a failure can be repeated. */

export type Random = {
  /** From 0 up to, not including, `below`. */
  number(below: number): number
  pick<T>(from: readonly T[]): T
}

/** mulberry32. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const number = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
  return { number, pick: (from) => from[number(from.length)] as (typeof from)[number] }
}
