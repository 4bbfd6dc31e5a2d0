/** Stands for `node:sqlite` in a simulated process: the same connections, whose every statement is told to its disk. */
import { backup, DatabaseSync as Connection, type StatementSync } from 'node:sqlite'

export { backup }

/** The simulated machine under a process. Each of its calls may throw. */
export type Disk = {
  opened(db: Connection): void
  /** Called before a statement runs. */
  before(db: Connection, sql: string): void
  after(db: Connection, sql: string): void
  /** Called when SQLite refused it. */
  failed(sql: string): void
}

let disk: Disk | undefined

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
    // A process that opens its connection again lives, and the latest disk is its own.
    this.#disk ??= disk
    this.#disk?.before(this, 'open')
    super.open()
  }

  override close(): void {
    super.close()
    // A disk leads to the statements of its process, and each of them keeps its connection: none of them would ever be freed.
    this.#disk = undefined
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
