/** Something limited that callers share: when too much of it is taken, the caller with the most gives up a part. */

export type Share = {
  /** Takes more, or gives back a negative amount. The caller with the most then gives up parts until the limit holds again. */
  grow(amount: number): void
  /** Makes this the newest part of its caller. */
  renew(): void
  /** Gives everything back; a second call does nothing. */
  end(): void
}

export type Shares = {
  /** Opens an empty share. `giveUp` ends what holds it; it returns false while that cannot be ended. */
  take(caller: string, giveUp: () => boolean): Share
}

type Part = { amount: number; giveUp: () => boolean; end: () => void }
type Caller = { total: number; parts: Set<Part> }

/**
 * Shares `limit` among callers. A new caller always gets its part, however much another one holds. A caller gives up its
 * oldest part first, or its newest.
 */
export function makeShares(limit: number, first: 'oldest' | 'newest' = 'oldest'): Shares {
  const callers = new Map<string, Caller>()
  let taken = 0

  function findLargest(): Caller | undefined {
    let largest: Caller | undefined
    for (const caller of callers.values()) {
      if (largest === undefined || caller.total > largest.total) largest = caller
    }
    return largest
  }

  /** Ends a part of the largest caller, or the one that grew where none of those can end. */
  function makeRoom(grown: Part): boolean {
    const parts = [...(findLargest()?.parts ?? [])]
    if (first === 'newest') parts.reverse()
    for (const part of [...parts, grown]) {
      if (!part.giveUp()) continue
      part.end()
      return true
    }
    return false
  }

  return {
    take(name, giveUp) {
      const caller = callers.get(name) ?? { total: 0, parts: new Set() }
      callers.set(name, caller)
      const part: Part = { amount: 0, giveUp, end }
      caller.parts.add(part)

      function end(): void {
        if (!caller.parts.delete(part)) return
        caller.total -= part.amount
        taken -= part.amount
        if (caller.parts.size === 0) callers.delete(name)
      }
      return {
        grow(amount) {
          if (!caller.parts.has(part)) return
          part.amount += amount
          caller.total += amount
          taken += amount
          while (taken > limit && caller.parts.has(part) && makeRoom(part));
        },
        renew() {
          if (caller.parts.delete(part)) caller.parts.add(part)
        },
        end,
      }
    },
  }
}
