/** Shares a limited amount among callers. When too much is taken, the caller with the most loses a part. */

export type QuotaPart = {
  /**
   * Adds an amount, which may be negative. Above the limit, the caller with the most then loses parts until the limit
   * holds again.
   */
  grow(amount: number): void
  /** Marks this as the caller's newest part. */
  renew(): void
  /** Releases the whole part; a second call does nothing. */
  end(): void
}

export type FairQuota = {
  /** Opens an empty part. `giveUp` must end its owner; it returns false while that is impossible. */
  take(caller: string, giveUp: () => boolean): QuotaPart
}

type Part = { amount: number; giveUp: () => boolean; end: () => void }
type Caller = { total: number; parts: Set<Part> }

/**
 * Shares `limit` among callers. A new caller always gets a part, however much another one holds. `first` says whether
 * a caller loses its oldest or its newest part first.
 */
export function makeFairQuota(limit: number, first: 'oldest' | 'newest' = 'oldest'): FairQuota {
  const callers = new Map<string, Caller>()
  let taken = 0

  function findLargest(): Caller | undefined {
    let largest: Caller | undefined
    for (const caller of callers.values()) {
      if (largest === undefined || caller.total > largest.total) largest = caller
    }
    return largest
  }

  /** Ends a part of the largest caller, or the part that grew if none of those can end. */
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
