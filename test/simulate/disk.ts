/** Stands for `node:sqlite` in a simulated process: the same connections, whose every statement is told to its disk. */
import { backup, DatabaseSync as Connection, type StatementSync } from 'node:sqlite'

export { backup }

/** The simulated machine under a process. Each of its calls may throw. */
export type Disk = {
  opened(db: DatabaseSync): void
  /** Called before a statement runs. */
  before(db: Connection, sql: string): void
  after(db: Connection, sql: string): void
  /** Called when SQLite rejected it. */
  failed(sql: string): void
}

let disk: Disk | undefined

/** A process that has ended: what is left of its promises changes nothing. */
const GONE: Disk = {
  opened() {},
  before() {
    throw new Error('simulated: the process is gone')
  },
  after() {},
  failed() {},
}

/** Puts the connections that are opened from now on on a disk. */
export function setDisk(next: Disk): void {
  disk = next
}

export class DatabaseSync extends Connection {
  #disk = disk

  constructor(...parameters: ConstructorParameters<typeof Connection>) {
    super(...parameters)
    this.#disk?.opened(this)
  }

  override open(): void {
    this.#disk?.before(this, 'open')
    super.open()
  }

  /**
   * Closes it for good when its process ends. A disk leads to the statements of its process, and each of them keeps its
   * connection: with it none of them would ever be freed.
   */
  bury(): void {
    if (this.isOpen) super.close()
    this.#disk = GONE
  }

  override exec(sql: string): void {
    this.#disk?.before(this, sql)
    super.exec(sql)
    this.#disk?.after(this, sql)
  }

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql)
    const told =
      <P extends unknown[], R>(run: (...parameters: P) => R) =>
      (...parameters: P): R => {
        this.#disk?.before(this, sql)
        let result: R
        try {
          result = run.apply(statement, parameters)
        } catch (error) {
          this.#disk?.failed(sql)
          throw error
        }
        this.#disk?.after(this, sql)
        return result
      }
    return Object.assign(statement, {
      run: told(statement.run),
      get: told(statement.get),
      all: told(statement.all),
    })
  }
}
