/** One connection to a PostgreSQL server, which may stop responding at any time. */
import type pg from 'pg'
import type { SqlValue } from '../core/db.ts'
import { type ResultColumn, makeStatementSender, type StatementSender, type Watch } from './postgres-batch.ts'
import { NOT_PREPARED, sqlState } from './postgres-errors.ts'

export type { StatementResult } from './postgres-batch.ts'

export type Connection = {
  /**
   * Sends a statement behind those that are under way. Without a response `ms` after its turn has come, the connection
   * is closed and counts as `lost`. Outside of a transaction it is `apart`: its failure is its own.
   */
  send: StatementSender['send']
  /** Closes the connection at once. `reason` becomes the error of a pending statement. */
  cut(reason: Error): void
  /** Returns true if the connection failed or must not be used again. */
  lost(): boolean
  markLost(): void
  /** Returns true if a commit was answered before the standby that it waited for had it. */
  isDoubtful(): boolean
  /** Returns the connection to the pool, or closes a lost one. */
  release(): void
}

/** The questions and reports of a connection to its pool. */
export type Reports = {
  isPooled(): boolean
  /** A response takes long: the server may have been replaced, and not know it. */
  onSlow(): void
  /** A response did not come in its time. */
  onSilence(): void
  onLost(): void
  /** A prepared statement is not there: a pooler has lent another connection. */
  onNotPrepared(): void
}

/** A response that takes longer is slow, in milliseconds. */
const SLOW_MS = 2000

/** The function of PostgreSQL in which a commit waits for a standby; it warns when that wait was ended early. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN'

/** Makes the connection of a client, which stays the same until the client ends. */
export function makeConnection(client: pg.PoolClient, on: Reports): Connection {
  let lost = false
  let doubtful = false
  const markLost = (): void => {
    // A connection that was cut ends with an error of the driver.
    if (lost) return
    lost = true
    on.onLost()
  }
  // Without a listener, a connection that breaks between two statements would end the process.
  client.on('error', markLost)
  client.on('notice', ({ routine }) => void (doubtful ||= routine === WAIT_FOR_STANDBY))

  function cut(reason: Error): void {
    markLost()
    client.connection.stream.destroy(reason)
  }

  const watch = makeWatch(on.onSlow, (ms) => {
    on.onSilence()
    cut(new Error(`no response within ${ms / 1000} s`))
  })
  const { send, flush } = makeStatementSender(client, watch, columnsOf)
  return {
    cut,
    async send({ name, ...statement }, ms, apart) {
      if (on.isPooled() || name === undefined) return send(statement, ms, apart)
      try {
        return await send({ ...statement, name }, ms, apart)
      } catch (error) {
        if (NOT_PREPARED.includes(sqlState(error) ?? '')) {
          on.onNotPrepared()
          markLost()
        }
        throw error
      }
    },
    lost: () => lost,
    markLost,
    isDoubtful: () => doubtful,
    release() {
      flush()
      client.release(lost)
    },
  }
}

/** Watches that each response comes in its time, which begins when its turn has come. */
function makeWatch(onSlow: () => void, onSilence: (ms: number) => void): Watch {
  let timer: NodeJS.Timeout | undefined
  /** The limits of what is under way, in order. */
  const limits: number[] = []

  function expectResponse(): void {
    clearTimeout(timer)
    const [ms] = limits
    if (ms === undefined) return
    const beSilent = (): void => onSilence(ms)
    const beSlow = (): void => {
      timer = setTimeout(beSilent, ms - SLOW_MS)
      onSlow()
    }
    timer = ms > SLOW_MS ? setTimeout(beSlow, SLOW_MS) : setTimeout(beSilent, ms)
  }

  return {
    begin(ms) {
      limits.push(ms)
      if (limits.length === 1) expectResponse()
    },
    end() {
      limits.shift()
      expectResponse()
    },
  }
}

function columnsOf(fields: readonly pg.FieldDef[]): ResultColumn[] {
  return fields.map(({ name, dataTypeID }) => ({ name, parse: PARSERS.get(dataTypeID) ?? String }))
}

/**
 * Parsers by type OID (`pg_type`). They return the values that SQLite returns for the same statement. Other types
 * stay text.
 */
export const PARSERS = new Map<number, (text: string) => SqlValue>([
  [16, (text) => (text === 't' ? 1 : 0)],
  [17, (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))],
  [20, parseInteger],
  [21, parseInteger],
  [23, parseInteger],
  [1700, parseInteger],
])

function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not an integer of at most 53 bits`)
  return value
}
