/**
 * Statements that a connection has prepared, sent together. The server answers once it has run all of them, because each
 * answer apart costs both sides a call to the operating system.
 */
import pg from 'pg'
import type { SqlRow, SqlValue } from '../core/db.ts'

export type StatementResult = Pick<pg.QueryResult<SqlRow>, 'rows' | 'rowCount' | 'command'>

/** A column of the rows of a prepared statement, which never change. */
export type ResultColumn = { name: string; parse: (text: string) => SqlValue }

/** A statement by the name under which it is prepared, and what happens with its response. */
type PreparedStatement = {
  name: string
  values: readonly unknown[]
  columns: readonly ResultColumn[]
  resolve(answer: StatementResult): void
  reject(error: unknown): void
}

/** The parts of the driver's connection that a batch uses; its types omit some fields. */
type Wire = {
  bind(config: {
    statement: string
    values: readonly unknown[]
    valueMapper: (value: unknown) => unknown
  }): void
  execute(): void
  sync(): void
}

/** Is told when the time of a response begins, and when the response has come. */
export type Watch = { begin(ms: number): void; end(): void }

export type StatementSender = {
  send(statement: pg.QueryConfig<unknown[]>, ms: number, apart?: boolean): Promise<StatementResult>
  /** Sends what was gathered at once. */
  flush(): void
}

/** Sends the statements of a client. Those of one turn of the event loop travel in one packet. */
export function makeStatementSender(
  client: pg.PoolClient,
  watch: Watch,
  columnsOf: (fields: readonly pg.FieldDef[]) => ResultColumn[],
): StatementSender {
  /** The columns of the statements that are prepared, by name. */
  const prepared = new Map<string, ResultColumn[]>()
  let gathering = false
  let batch: PreparedStatement[] = []
  let longestMs = 0

  function gather(): void {
    if (gathering) return
    gathering = true
    client.connection.stream.cork()
    process.nextTick(() => {
      gathering = false
      flush()
      client.connection.stream.uncork()
    })
  }

  function flush(): void {
    if (batch.length === 0) return
    watch.begin(longestMs)
    void client.query(new Batch(batch, watch.end) as unknown as string)
    batch = []
    longestMs = 0
  }

  function sendAlone(statement: pg.QueryConfig<unknown[]>, ms: number): Promise<StatementResult> {
    flush()
    watch.begin(ms)
    return new Promise((resolve, reject) => {
      client.query<SqlRow>(statement, (error, answer) => {
        watch.end()
        // The driver omits one of the two.
        if (error as Error | undefined) return reject(error)
        if (statement.name !== undefined) prepared.set(statement.name, columnsOf(answer.fields))
        resolve(answer)
      })
    })
  }

  return {
    send(statement, ms, apart = false) {
      gather()
      const { name, values = [] } = statement
      const columns = name === undefined ? undefined : prepared.get(name)
      const isOwn = name !== undefined && columns !== undefined && values.every(isValue)
      if (!isOwn) return sendAlone(statement, ms)
      return new Promise((resolve, reject) => {
        batch.push({ name, values, columns, resolve, reject })
        longestMs = Math.max(longestMs, ms)
        if (apart) flush()
      })
    },
    flush,
  }
}

/**
 * Statements that share a response of the server; when one fails, those after it fail with the same error. The driver
 * takes only its own class where it sends statements without waiting, and calls these methods.
 */
class Batch extends (pg.Query as unknown as new (config: object) => object) {
  readonly callback = (): void => {}
  readonly #statements: readonly PreparedStatement[]
  readonly #onEnd: () => void
  #done = 0
  #rows: SqlRow[] = []
  #invalid: { error: unknown } | undefined

  constructor(statements: readonly PreparedStatement[], onEnd: () => void) {
    super({ text: '' })
    this.#statements = statements
    this.#onEnd = onEnd
  }

  submit(wire: Wire): null {
    for (const { name, values } of this.#statements) {
      wire.bind({ statement: name, values, valueMapper: toWire })
      wire.execute()
    }
    wire.sync()
    return null
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#rows.push(toRow(this.#statements[this.#done]?.columns ?? [], fields))
    } catch (error) {
      this.#invalid ??= { error }
    }
  }

  /** Gets the tag of a command, such as `SELECT 26` or `INSERT 0 1`. */
  handleCommandComplete({ text }: { text: string }): void {
    const statement = this.#statements[this.#done++]
    const [rows, invalid] = [this.#rows, this.#invalid]
    this.#rows = []
    this.#invalid = undefined
    if (invalid !== undefined) {
      statement?.reject(invalid.error)
      return
    }
    const [command = '', ...counts] = text.split(' ')
    const count = counts.at(-1)
    statement?.resolve({ command, rows, rowCount: count === undefined ? null : Number(count) })
  }

  handleError(error: unknown): void {
    this.#onEnd()
    for (const statement of this.#statements.slice(this.#done)) statement.reject(error)
  }

  handleReadyForQuery(): void {
    this.#onEnd()
  }
}

function toRow(columns: readonly ResultColumn[], fields: readonly (string | null)[]): SqlRow {
  const row: SqlRow = {}
  for (let at = 0; at < columns.length; at++) {
    const { name, parse } = columns[at] as ResultColumn
    const text = fields[at] as string | null
    row[name] = text === null ? null : parse(text)
  }
  return row
}

/** Libraries may give other values, which the driver converts. */
function isValue(value: unknown): boolean {
  return value === null || ['string', 'number'].includes(typeof value) || value instanceof Uint8Array
}

function toWire(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
}
