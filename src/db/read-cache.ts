/**
 * Values that were read from a store and are cached until a write to a table that they were read from. The
 * driver notes each statement of its connection, and asks the engine about other connections: no caller can forget it.
 */
import type { CacheEntry, Tx } from '../core/db.ts'

const WRITES = /^\s*(?:insert\s+into|update|delete\s+from)\s+(\w+)/i
const READS =
  /^\s*(?:(?:select|savepoint|release|rollback|pragma|set)\b|with\b(?!.*\b(?:insert|update|delete)\b))/is

/** The values of this size are kept, in characters; those kept first are dropped first. */
const CAPACITY = 8_000_000
/** The size of a value that does not tell its own. */
const USUAL_SIZE = 2000

/** Returns whether a statement only reads, or leads a transaction. */
export function isReadStatement(sql: string): boolean {
  return READS.test(sql)
}

/** Stands for the table of a statement that does not begin with its name. */
const ANY = '*'

/** The number of times that this connection wrote a table. It only grows. */
type Count = { writes: number }

type CachedValue = { value: unknown; size: number; counts: readonly Count[]; stamp: number }

export type ReadCache = {
  /** Returns what must be called each time before a statement runs; undefined for one that only reads. */
  effectOf(sql: string): (() => void) | undefined
  /** Must be called instead before a row is inserted that has this value in the column `kind`. */
  inserting(table: string, kind: unknown): void
  get<T>(keep: CacheEntry<T>, read: () => Promise<T>): Promise<T>
  /** Drops all values: another connection counts its versions again. */
  clear(): void
}

/** `dataVersion` returns the engine's number, which changes when another connection has written. */
export function makeReadCache(dataVersion: () => unknown): ReadCache {
  const entries = makeEntries()
  const counts = makeCounts()
  let seen: unknown
  let asked = false

  /** In a transaction other connections change nothing that it sees, so once is enough. */
  function askEngine(): void {
    asked = true
    const version = dataVersion()
    if (version !== seen) entries.clear()
    seen = version
  }

  /** The transaction before may have ended without its commit, as SQLite ends it when the disk is full. */
  function begin(): void {
    counts.rollback()
    counts.commit()
    asked = false
  }

  return {
    effectOf(sql) {
      const table = WRITES.exec(sql)?.[1]
      if (table !== undefined) return counts.writing(table)
      if (/^\s*(?:begin|savepoint turn)\b/i.test(sql)) return begin
      if (/^\s*rollback\b/i.test(sql)) return counts.rollback
      return isReadStatement(sql) || /^\s*commit\b/i.test(sql) ? undefined : counts.writing(ANY)
    },
    inserting(table, kind) {
      counts.note(counts.of(table))
      counts.note(counts.of(`${table}:${String(kind)}`))
    },
    async get<T>({ key, tables, holds, sizeOf }: CacheEntry<T>, read: () => Promise<T>): Promise<T> {
      if (!asked) askEngine()
      const found = entries.get(key)
      if (found !== undefined && found.stamp === stampOf(found.counts) && holds(found.value as T))
        return found.value as T
      const own = [...tables.flatMap(namesOf), ANY].map(counts.of)
      const stamp = stampOf(own)
      const value = await read()
      if (!holds(value)) return value
      entries.set(key, { value: freeze(value), size: sizeOf?.(value) ?? USUAL_SIZE, counts: own, stamp })
      return value
    },
    clear: () => entries.clear(),
  }
}

export type SnapshotCache = {
  /** `state` is that of the store at the beginning of the read. */
  get<T>(state: string, keep: CacheEntry<T>, read: () => Promise<T>): Promise<T>
}

/**
 * Keeps values while the store stays in one state, for an engine that tells the state with each first statement. A value
 * is read after its state was told: if the same state is told later, it is the value of that state.
 */
export function makeSnapshotCache(): SnapshotCache {
  const entries = makeEntries()
  let current: string | undefined
  return {
    async get<T>(state: string, { key, holds, sizeOf }: CacheEntry<T>, read: () => Promise<T>): Promise<T> {
      if (state !== current) entries.clear()
      current = state
      const found = entries.get(key)
      if (found !== undefined && holds(found.value as T)) return found.value as T
      const value = await read()
      // In the meantime a read that began later may have found another state.
      if (state !== current || !holds(value)) return value
      entries.set(key, { value: freeze(value), size: sizeOf?.(value) ?? USUAL_SIZE, counts: [], stamp: 0 })
      return value
    },
  }
}

/** Returns the names by which writes are counted that concern a table, or the rows of one kind: `timeline:membership`. */
function namesOf(table: string): string[] {
  const [whole] = table.split(':')
  return whole === table ? [table] : [table, `${whole}:${ANY}`]
}

/** Makes every change of a value throw, because a change would reach all calls that share it. */
function freeze(value: unknown): unknown {
  // All that is no object is frozen, too.
  if (Object.isFrozen(value)) return value
  Object.freeze(value)
  Object.values(value as object).forEach(freeze)
  return value
}

function makeCounts() {
  const counts = new Map<string, Count>()
  /** The tables that the running transaction has written. */
  const written = new Set<Count>()

  function of(table: string): Count {
    const known = counts.get(table)
    if (known !== undefined) return known
    const made = { writes: 0 }
    counts.set(table, made)
    return made
  }

  function note(count: Count): void {
    count.writes++
    written.add(count)
  }

  return {
    of,
    note,
    writing(table: string): () => void {
      const [whole, ofAnyKind] = [of(table.toLowerCase()), of(`${table.toLowerCase()}:${ANY}`)]
      return () => {
        note(whole)
        note(ofAnyKind)
      }
    },
    commit: () => written.clear(),
    /** A value that was read after a write must not outlive the write. */
    rollback() {
      for (const count of written) count.writes++
    },
  }
}

function makeEntries() {
  const entries = new Map<string, CachedValue>()
  let size = 0
  return {
    get: (key: string) => entries.get(key),
    set(key: string, entry: CachedValue): void {
      size += entry.size - (entries.get(key)?.size ?? 0)
      entries.delete(key)
      entries.set(key, entry)
      for (const [oldest, { size: freed }] of entries) {
        if (size <= CAPACITY) break
        entries.delete(oldest)
        size -= freed
      }
    },
    clear(): void {
      entries.clear()
      size = 0
    },
  }
}

/** Two sums of counts that only grow are equal only if all counts are. */
function stampOf(counts: readonly Count[]): number {
  let sum = 0
  for (const { writes } of counts) sum += writes
  return sum
}

/** Returns a value that is kept, or reads it where the engine does not tell who wrote. */
export function cached<T>(tx: Tx, how: CacheEntry<T>, read: () => Promise<T>): Promise<T> {
  return tx.cached === undefined ? read() : tx.cached(how, read)
}
