/**
 * The one interface to a store. Two drivers implement it (`sqlite.ts`, `postgres.ts`); both run the same
 * SQL text, in the portable subset that `architecture.md` lists. Parameters are `$1, $2, …`.
 */

/** What may be bound. Booleans are stored as 0 and 1, documents and instants as text and integers. */
export type Value = string | number | null | Uint8Array

/** A row as the driver returns it; the files of `store/` map it to a type. Blobs are Uint8Array, integers checked numbers. */
export type Row = Record<string, Value>

/** Statements inside one transaction. */
export type Tx = {
  /** Every row of a select or of `returning`. */
  all(sql: string, ...params: Value[]): Promise<Row[]>
  /** The first row, or undefined. */
  get(sql: string, ...params: Value[]): Promise<Row | undefined>
  /** Runs a statement; gives the number of rows it changed. */
  run(sql: string, ...params: Value[]): Promise<number>
  /** Inserts rows in order. With `ignoreConflicts`, `on conflict do nothing`. Gives the number inserted. */
  insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly Value[][],
    options?: { ignoreConflicts?: boolean },
  ): Promise<number>
  /** Runs `work`; when it throws, everything it wrote is undone and the error goes on, the transaction stays usable. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
  /** Words that differ: appended to a select. Empty on SQLite, where the writer holds the whole store. */
  readonly forUpdate: string
  readonly skipLocked: string
}

/** How long a transaction may take, in milliseconds. For PostgreSQL only: SQLite has no server that could be silent. */
export type Limits = {
  /** One statement; 10 s without it. */
  statementMs?: number
  /** The transaction with its retries; without it they end when no statement is left. */
  totalMs?: number
}

/** A store. `read` sees one snapshot; `write` is serialised against every other writer of the same rows. */
export type Db = {
  readonly kind: 'sqlite' | 'postgres'
  read<T>(work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T>
  /**
   * Commits when `work` returns, undoes everything when it throws.
   * May run `work` again from the start when the engine asks for it (serialization failure, deadlock).
   */
  write<T>(work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T>
  /** One statement of a library that brings its own, outside of any transaction. PostgreSQL only. */
  query?(statement: { text: string; values?: unknown[]; name?: string }): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}
