/** The disk of a simulated process: its statements take time, and fail as the seed says. */
import { DatabaseSync as Connection } from 'node:sqlite'
import type { DatabaseSync, Disk } from './disk.ts'
import type { SimulatedMachine, Process } from './machine.ts'

/** The text of every error that the simulation makes. */
export const SIMULATED = 'simulated'

/** The ways in which a write can fail: SQLite's code, and whether SQLite ends the transaction by itself. */
const WRITE_FAILURES = [
  { code: 13, ends: true, name: 'full disk' },
  { code: 13, ends: false, name: 'full disk, transaction open' },
  { code: 778, ends: true, name: 'failed write' },
  { code: 266, ends: false, name: 'failed write, transaction open' },
]
const [IOERR_READ, CANTOPEN, IOERR_FSYNC] = [266, 14, 1034]
/** Longer than a statement may hold the event loop. */
const PAUSE_MS = 30

/** Returns the disk of a process. `connections` gets those that the process opens; `onFault` is told what no process may do. */
export function makeDisk(
  machine: SimulatedMachine,
  process: Process,
  connections: DatabaseSync[],
  onFault: (fault: string) => void,
): Disk {
  const strike = makeStrikes(machine, process)
  let answers = 0
  return {
    opened: (db) => void connections.push(db),
    before(db, sql) {
      if (!process.isAlive()) throw new Error(`${SIMULATED}: the process is gone`)
      if (db.isOpen && db.isTransaction && machine.latest !== process)
        machine.count('another process between two statements')
      machine.latest = process
      machine.spend((machine.rates.statementMs * machine.random.number(200)) / 100)
      if (machine.strikes(machine.rates.pause, 'pause')) machine.spend(PAUSE_MS)
      strike.before(db, sql)
      if (sql === 'savepoint member') machine.count('call of a group in a savepoint')
      if (sql === 'begin immediate') answers = 0
      else if (sql.includes('insert into idempotency')) answers += 1
    },
    after(_, sql) {
      if (sql !== 'commit') return
      if (strike.hasFailedSync()) onFault(`${process.name} writes after a failed sync`)
      if (answers > 0) machine.count(answers > 4 ? 'group of 5 or more' : `group of ${answers}`)
      strike.afterCommit()
    },
    failed(sql) {
      if (sql === 'begin immediate') machine.count('store held by another process')
    },
  }
}

/** Returns what throws at a statement when the seed says so. */
function makeStrikes(machine: SimulatedMachine, process: Process) {
  const { rates, random } = machine
  /** Connections that cannot undo their transaction until they are opened again. */
  const refusing = new WeakSet<Connection>()
  let hasFailedSync = false

  function die(why: string): never {
    process.kill(why)
    throw new Error(`${SIMULATED}: the process is gone`)
  }

  function failWrite(db: Connection): never {
    const { code, ends, name } = random.pick(WRITE_FAILURES)
    machine.count(name)
    if (ends && db.isTransaction) quietly(db, 'rollback')
    throw sqliteError(code)
  }

  /** After a failed sync nobody knows whether the commit is there. The process writes no more, and is started again. */
  function failSync(db: Connection): never {
    hasFailedSync = true
    quietly(db, random.pick(['commit', 'rollback']))
    process.loop.later(() => process.kill('after a failed sync'), random.number(200))
    throw sqliteError(IOERR_FSYNC)
  }

  const occasions: Readonly<Record<string, (db: Connection) => void>> = {
    commit(db) {
      if (machine.strikes(rates.commit / 4, 'kill')) die('before a commit')
      if (machine.strikes(rates.commit / 4, 'failed commit')) failWrite(db)
      if (machine.strikes(rates.commit / 4, 'failed sync')) failSync(db)
    },
    rollback(db) {
      if (machine.strikes(rates.rollback, 'failed rollback')) refusing.add(db)
      if (refusing.has(db)) throw sqliteError(IOERR_READ)
    },
    open(db) {
      if (machine.strikes(rates.rollback * 10, 'failed opening')) throw sqliteError(CANTOPEN)
      refusing.delete(db)
      machine.count('connection opened again')
    },
    change(db) {
      if (machine.strikes(rates.write, 'failed statement')) failWrite(db)
    },
  }

  return {
    hasFailedSync: () => hasFailedSync,
    before(db: Connection, sql: string): void {
      if (machine.strikes(rates.kill, 'kill')) die('between two statements')
      occasions[/^\s*(?:insert|update|delete)\b/i.test(sql) ? 'change' : sql]?.(db)
    },
    afterCommit(): void {
      if (machine.strikes(rates.commit / 4, 'kill')) die('after a commit')
    },
  }
}

/** Runs a statement that the disk does not notice. */
function quietly(db: Connection, sql: string): void {
  Connection.prototype.exec.call(db, sql)
}

/** Returns an error as node:sqlite throws it. */
function sqliteError(errcode: number): Error {
  const errstr = `disk I/O error (${SIMULATED})`
  return Object.assign(new Error(errstr), { code: 'ERR_SQLITE_ERROR', errcode, errstr })
}
