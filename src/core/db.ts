/**
 * The one interface to a store. Two drivers implement it (`sqlite.ts`, `postgres.ts`); both run the same
 * SQL text, in the subset that both engines run. Parameters are `$1, $2, …`.
 */

/** A value that may be bound. Booleans are stored as 0 and 1, documents as text, instants as integers. */
export type SqlValue = string | number | null | Uint8Array

/** A row as the driver returns it; the files of `db/` map it to a type. Blobs are Uint8Array, integers checked numbers. */
export type SqlRow = Record<string, SqlValue>

/** A condition of a search for words: a word, the beginning of one, all of several conditions, or any of them. */
export type WordMatch =
  | { word: string; isBeginning?: true }
  | { all: readonly WordMatch[] }
  | { any: readonly WordMatch[] }

/** A value that may be kept in memory after it was read. */
export type CacheEntry<T> = {
  key: string
  /**
   * Every table that the value is read from. `timeline:membership` stands for the rows of a table whose column `kind` has
   * that value.
   */
  tables: readonly string[]
  /** Returns whether the value may be kept, and whether it still holds at the caller's time. */
  holds(value: T): boolean
  /** Returns its size in characters, for a value that is longer than a row. */
  sizeOf?(value: T): number
}

/** The world's row and the counters, while a transaction holds that row: no other transaction can change them. */
export type LockedCounters = {
  world: SqlRow
  seq: number
  /** The latest service time that was recorded. */
  clockHigh: number
  /** The last ordinal of each kind. */
  ordinals: Map<string, number>
  /** The difference from the store: of `seq` or `clockHigh`, and of the ordinals of kinds. */
  changed: { world: boolean; kinds: Set<string> }
}

/** Statements inside one transaction. */
export type Tx = {
  /** Returns every row of a select or of `returning`. */
  all(sql: string, ...params: SqlValue[]): Promise<SqlRow[]>
  /** Returns the first row, or undefined. */
  get(sql: string, ...params: SqlValue[]): Promise<SqlRow | undefined>
  /**
   * As `get`, for a question that needs no snapshot in common with the other statements of a read. Where the first
   * statement may run `firstStatementOutsideTransaction`, PostgreSQL answers this one so too.
   */
  getUnsnapshotted(sql: string, ...params: SqlValue[]): Promise<SqlRow | undefined>
  /**
   * As `all`, for the one statement by which a read learns all that it shows: it needs no snapshot in common with others.
   * Where the first statement may run `firstStatementOutsideTransaction`, PostgreSQL runs this one without a transaction.
   */
  allUnsnapshotted(sql: string, ...params: SqlValue[]): Promise<SqlRow[]>
  /** Runs a statement. Returns the number of rows that it changed. */
  run(sql: string, ...params: SqlValue[]): Promise<number>
  /**
   * Runs a statement without waiting for its result. PostgreSQL gets it together with the next one; its failure is thrown
   * there, or by the commit.
   */
  runPipelined(sql: string, ...params: SqlValue[]): Promise<void>
  /**
   * Inserts rows in order. `ignoreConflicts` means `on conflict do nothing`. Returns the number inserted. Without it,
   * a failure is thrown as that of `runPipelined`.
   */
  insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly SqlValue[][],
    options?: { ignoreConflicts?: boolean },
  ): Promise<number>
  /** Deletes all rows of a table. */
  clear(table: string): Promise<void>
  /** Runs `work`. When it throws, its writes are rolled back and the error is rethrown; the transaction can go on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
  /**
   * Returns what `read` returned for this key before, unless a statement of any process has written one of its tables
   * since. On PostgreSQL a read keeps values while nothing at all is written, as its first statement tells, which may be
   * a moment before the others; writes that share a transaction keep values among themselves. Absent for others.
   */
  cached?<T>(keep: CacheEntry<T>, read: () => Promise<T>): Promise<T>
  /**
   * The counters that the transaction holds; on SQLite the calls that share a transaction share them. Absent for a
   * read. The driver writes them with the commit, and before a statement that names their tables. A failed savepoint
   * brings back the earlier ones.
   */
  readonly counters?: { held: LockedCounters | undefined }
  readonly engine: 'sqlite' | 'postgres'
  /** A column to append to those of a statement that a read begins with: it tells PostgreSQL's driver what is kept. */
  readonly stateColumn: string
  /**
   * The expression of the store's generation, of a row of `world w`. On PostgreSQL it also names the table: `pg_restore` brings
   * the column back, but makes the table again.
   */
  readonly generation: string
  /** Clauses to append to a select. Both are empty on SQLite, where a writer locks the whole store. */
  readonly forUpdate: string
  readonly skipLocked: string
}

/**
 * The longest times of a transaction, in milliseconds, and its first statement. All but `long` are only for PostgreSQL:
 * SQLite has no server that may fail to respond, or that is a round trip away.
 */
export type TransactionOptions = {
  /** The limit of one statement; 10 s by default. */
  statementMs?: number
  /** The limit of the transaction with its retries; without it they end when no statement is left. */
  totalMs?: number
  /**
   * The first statement of a read needs no snapshot in common with the others, as in a write. PostgreSQL then runs it
   * without a transaction, on a connection that all such statements share.
   */
  firstStatementOutsideTransaction?: boolean
  /** The read takes long. SQLite runs it on a second connection, so that no other call waits for it. */
  long?: boolean
}

/** Counts of a store's work in this process since it was opened, made by the driver. */
export type StoreTally = {
  /** Changes, done or rejected, and the transactions that they shared. */
  writes: number
  groups: number
  /** Milliseconds in these transactions. */
  busyMs: number
  /** Transactions that had to run again, because another process or another transaction was in the way. */
  repeats: number
}

/** A store. `read` sees one snapshot; `write` is serialised against every other writer of the same rows. */
export type Db = {
  readonly kind: Tx['engine']
  readonly tally: Readonly<StoreTally>
  read<T>(work: (tx: Tx) => Promise<T>, limits?: TransactionOptions): Promise<T>
  /**
   * Commits when `work` returns, rolls back when it throws. May run `work` again from the start when the engine asks
   * for it (serialization failure, deadlock). Writes of one process share a transaction, so `work` must not wait for
   * another write; on PostgreSQL it shares none if it has a `statementMs` of its own.
   */
  write<T>(work: (tx: Tx) => Promise<T>, limits?: TransactionOptions): Promise<T>
  /** Runs a statement for a library that brings its own SQL, outside of any transaction. PostgreSQL only. */
  query?(statement: { text: string; values?: unknown[]; name?: string }): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}
