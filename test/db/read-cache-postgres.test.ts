/** Values that are kept in memory while PostgreSQL tells one state, with other processes that write. */
import { describe, expect, test } from 'vitest'
import type { Db, Tx } from '../../src/core/db.ts'
import { cached } from '../../src/db/read-cache.ts'
import { ENGINES, openTestStore } from '../support/stores.ts'

const add = (tx: Tx, name: string) =>
  tx.run('insert into blobs (sha256, bytes) values ($1, $2)', name, new Uint8Array(1))

/** Returns the number of blobs that the store keeps in memory, or has just counted. */
const blobs = (tx: Tx) =>
  cached(tx, { key: 'blobs', tables: ['blobs'], holds: () => true }, async () =>
    Number((await tx.get('select count(*) as count from blobs'))?.['count']),
  )

describe('a value that a read of PostgreSQL keeps', () => {
  async function openTwice(): Promise<[Db, Db]> {
    const [, postgres] = ENGINES
    if (postgres === undefined) throw new Error('there is no PostgreSQL')
    const location = await postgres.locate()
    return [await openTestStore(postgres, { location }), await openTestStore(postgres, { location })]
  }

  /** Reads as a call does: the state first, then what may be kept. */
  const read = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
    db.read(
      async (tx) => {
        await tx.get(`select 1 as one ${tx.stateColumn}`)
        return work(tx)
      },
      { firstStatementOutsideTransaction: true },
    )

  test('is kept while nobody writes', async () => {
    const [db] = await openTwice()
    const reads = async (): Promise<number> => {
      let count = 0
      await read(db, (tx) => cached(tx, { key: 'a', tables: [], holds: () => true }, async () => ++count))
      return count
    }
    // Other tests write into the same server, which ends what is kept too.
    await expect.poll(async () => [await reads(), await reads()][1]).toBe(0)
  })

  test('is read again after another process has written, also one that began to write before', async () => {
    const [db, other] = await openTwice()
    expect(await read(db, blobs)).toBe(0)
    await other.write(async (tx) => {
      await add(tx, 'a')
      expect(await read(db, blobs)).toBe(0)
    })
    expect(await read(db, blobs)).toBe(1)
  })

  test('is never older than a write that was answered before the read', async () => {
    const [db, other] = await openTwice()
    let written = 0
    const write = async (name: number): Promise<void> => {
      for (let at = 0; at < 10; at++) {
        await other.write((tx) => add(tx, `${name} ${at}`))
        written += 1
      }
    }
    const seen: { before: number; count: number }[] = []
    const look = async (): Promise<void> => {
      while (written < 40) {
        const before = written
        seen.push({ before, count: await read(db, blobs) })
      }
    }
    await Promise.all([...[1, 2, 3, 4].map(write), look(), look(), look()])
    expect(seen.filter(({ before, count }) => count < before)).toEqual([])
    expect(await read(db, blobs)).toBe(40)
  })
})
