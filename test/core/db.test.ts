import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '../../src/core/db.ts'
import { ENGINES, openTestStore } from '../support/stores.ts'

const BOX = 'insert into boxes (box_id, label, weight, picture) values ($1, $2, $3, $4)'

describe.each(ENGINES)('a store on $name', (engine) => {
  let db: Db

  beforeAll(async () => {
    const [text, int, blob] =
      engine.name === 'SQLite' ? ['text', 'integer', 'blob'] : ['text collate "C"', 'bigint', 'bytea']
    db = await openTestStore(engine, {
      seed: async (tx) => {
        await tx.run(
          `create table boxes (box_id ${int} primary key, label ${text} not null unique, weight ${int}, picture ${blob})`,
        )
      },
    })
  })

  beforeEach(async () => {
    await db.write((tx) => tx.run('delete from boxes'))
  })

  async function addBoxes(...labels: string[]): Promise<void> {
    const rows = labels.map((label, index) => [index + 1, label, null])
    await db.write((tx) => tx.insertMany('boxes', ['box_id', 'label', 'weight'], rows))
  }

  async function labels(): Promise<unknown[]> {
    const rows = await db.read((tx) => tx.all('select label from boxes order by box_id'))
    return rows.map((row) => row['label'])
  }

  describe('values', () => {
    test('come back as they were stored', async () => {
      const picture = new Uint8Array([0, 255, 10, 13])
      await db.write((tx) => tx.run(BOX, 1, 'Gänse & 鵝 🦢 \n', Number.MAX_SAFE_INTEGER, picture))
      const box = await db.read((tx) =>
        tx.get('select label, weight, picture from boxes where box_id = $1', 1),
      )
      expect({ ...box }).toEqual({ label: 'Gänse & 鵝 🦢 \n', weight: Number.MAX_SAFE_INTEGER, picture })
      expect(Object.getPrototypeOf(box?.['picture'])).toBe(Uint8Array.prototype)
    })

    test('null stays null, negative numbers and empty bytes stay themselves', async () => {
      await db.write(async (tx) => {
        await tx.run(BOX, 1, '', null, null)
        await tx.run(BOX, 2, 'b', -5, new Uint8Array())
      })
      const rows = await db.read((tx) => tx.all('select label, weight, picture from boxes order by box_id'))
      expect(rows.map((row) => ({ ...row }))).toEqual([
        { label: '', weight: null, picture: null },
        { label: 'b', weight: -5, picture: new Uint8Array() },
      ])
    })

    test('counts, sums and comparisons are numbers', async () => {
      await addBoxes('a', 'b')
      const row = await db.read((tx) =>
        tx.get(
          'select count(*) as count, sum(box_id) as sum, 1 < 2 as smaller, $1 / 2 as half from boxes',
          5,
        ),
      )
      expect({ ...row }).toEqual({ count: 2, sum: 3, smaller: 1, half: 2 })
    })

    test('integers print as integers', async () => {
      const row = await db.read((tx) => tx.get('select cast(cast($1 as bigint) as text) as text', 7))
      expect(row?.['text']).toBe('7')
    })

    test.each([NaN, Infinity, 1.5, 2 ** 53])('refuses to store the number %s', async (weight) => {
      await expect(db.write((tx) => tx.run(BOX, 1, 'a', weight, null))).rejects.toThrow(RangeError)
      expect(await labels()).toEqual([])
    })

    test('refuses a NUL character in text as a bad request', async () => {
      await expect(db.write((tx) => tx.run(BOX, 1, 'a\0b', 1, null))).rejects.toMatchObject({
        code: 'invalid_request',
      })
    })

    test('refuses to read an integer that a number cannot hold', async () => {
      await db.write((tx) => tx.run(BOX, 1, 'a', Number.MAX_SAFE_INTEGER, null))
      await expect(db.read((tx) => tx.get('select weight + 1 as weight from boxes'))).rejects.toThrow(
        RangeError,
      )
    })

    test('text sorts by its bytes', async () => {
      await addBoxes('b', 'a', 'B', 'ä', 'A')
      const rows = await db.read((tx) => tx.all('select label from boxes order by label'))
      expect(rows.map((row) => row['label'])).toEqual(['A', 'B', 'a', 'b', 'ä'])
    })
  })

  describe('statements', () => {
    test('a parameter may be used twice and in any order', async () => {
      await addBoxes('a', 'b', 'c')
      const rows = await db.read((tx) =>
        tx.all('select label from boxes where box_id > $2 and box_id < $1 and $2 = 1 order by box_id', 3, 1),
      )
      expect(rows.map((row) => row['label'])).toEqual(['b'])
    })

    test('get returns undefined when there is no row, all returns an empty list', async () => {
      expect(await db.read((tx) => tx.get('select label from boxes where box_id = $1', 9))).toBeUndefined()
      expect(await db.read((tx) => tx.all('select label from boxes where box_id = $1', 9))).toEqual([])
    })

    test('run returns the number of changed rows', async () => {
      await addBoxes('a', 'b', 'c')
      expect(await db.write((tx) => tx.run('update boxes set weight = $1 where box_id > $2', 1, 1))).toBe(2)
      expect(await db.write((tx) => tx.run('delete from boxes where box_id = $1', 9))).toBe(0)
    })

    test('returning gives rows', async () => {
      await addBoxes('a')
      const row = await db.write((tx) => tx.get('update boxes set weight = box_id + $1 returning weight', 4))
      expect(row?.['weight']).toBe(5)
    })

    test('a page follows the last key seen', async () => {
      await addBoxes('a', 'b', 'c')
      const rows = await db.read((tx) =>
        tx.all(
          'select label from boxes where (label, box_id) < ($1, $2) order by label desc limit $3',
          'c',
          3,
          1,
        ),
      )
      expect(rows.map((row) => row['label'])).toEqual(['b'])
    })

    test('a select may lock its rows and skip locked ones', async () => {
      await addBoxes('a')
      const rows = await db.write((tx) => tx.all(`select label from boxes ${tx.forUpdate} ${tx.skipLocked}`))
      expect(rows).toHaveLength(1)
      expect(
        await db.read((tx) => tx.all(`select label from boxes ${tx.forUpdate} ${tx.skipLocked}`)),
      ).toHaveLength(1)
    })
  })

  describe('insertMany', () => {
    test('inserts none, one and several hundred rows', async () => {
      const rows = Array.from({ length: 523 }, (_, index) => [index + 1, `box ${index}`, index])
      await db.write(async (tx) => {
        expect(await tx.insertMany('boxes', ['box_id', 'label', 'weight'], [])).toBe(0)
        expect(await tx.insertMany('boxes', ['box_id', 'label', 'weight'], rows.slice(0, 1))).toBe(1)
        expect(await tx.insertMany('boxes', ['box_id', 'label', 'weight'], rows.slice(1))).toBe(522)
      })
      const stored = await db.read((tx) => tx.all('select box_id, label, weight from boxes order by box_id'))
      expect(stored.map((row) => [row['box_id'], row['label'], row['weight']])).toEqual(rows)
    })

    test('skips existing rows and returns how many are new', async () => {
      await addBoxes('a')
      const rows = [
        [1, 'same id'],
        [2, 'a'],
        [3, 'new'],
      ]
      const inserted = await db.write((tx) =>
        tx.insertMany('boxes', ['box_id', 'label'], rows, { ignoreConflicts: true }),
      )
      expect(inserted).toBe(1)
      expect(await labels()).toEqual(['a', 'new'])
    })

    test('a conflict undoes the whole transaction', async () => {
      await addBoxes('a')
      await expect(
        db.write(async (tx) => {
          await tx.run(BOX, 8, 'before', null, null)
          await tx.insertMany('boxes', ['box_id', 'label'], [[9, 'a']])
        }),
      ).rejects.toThrow(/unique/i)
      expect(await labels()).toEqual(['a'])
    })
  })

  describe('transactions', () => {
    test('commit when the work returns, and return its result', async () => {
      const result = await db.write(async (tx) => {
        await tx.run(BOX, 1, 'a', null, null)
        return { ok: true }
      })
      expect(result).toEqual({ ok: true })
      expect(await labels()).toEqual(['a'])
    })

    test('roll back when the work throws, and rethrow its error', async () => {
      const error = new Error('no such parcel')
      await expect(
        db.write(async (tx) => {
          await tx.run(BOX, 1, 'a', null, null)
          throw error
        }),
      ).rejects.toBe(error)
      expect(await labels()).toEqual([])
    })

    test('see what was sent, and commit it', async () => {
      const seen = await db.write(async (tx) => {
        await tx.runPipelined(BOX, 1, 'a', null, null)
        await tx.runPipelined(BOX, 2, 'b', null, null)
        return tx.all('select label from boxes')
      })
      expect(seen).toHaveLength(2)
      await db.write((tx) => tx.runPipelined('delete from boxes where box_id = 1'))
      expect(await labels()).toEqual(['b'])
    })

    test('roll back when a statement that was sent fails', async () => {
      await addBoxes('a')
      for (const last of [undefined, 'select 1 as one']) {
        const write = db.write(async (tx) => {
          await tx.runPipelined(BOX, 8, 'before', null, null)
          await tx.runPipelined(BOX, 9, 'a', null, null)
          if (last !== undefined) await tx.get(last)
        })
        await expect(write).rejects.toThrow(/unique/i)
      }
      expect(await labels()).toEqual(['a'])
    })

    test('see their own writes', async () => {
      const seen = await db.write(async (tx) => {
        await tx.run(BOX, 1, 'a', null, null)
        return tx.all('select label from boxes')
      })
      expect(seen).toHaveLength(1)
    })

    test('a read sees one state of the store however often it looks', async () => {
      await addBoxes('a')
      const other = engine.name === 'SQLite' ? undefined : db
      await db.read(async (tx) => {
        const before = await tx.get('select count(*) as count from boxes')
        await other?.write((writer) => writer.run(BOX, 2, 'b', null, null))
        expect(await tx.get('select count(*) as count from boxes')).toEqual(before)
      })
    })

    test.each([
      "insert into boxes (box_id, label) values (1, 'a')",
      'update boxes set weight = 1',
      'delete from boxes',
    ])('a read refuses %s', async (sql) => {
      await expect(db.read((tx) => tx.run(sql))).rejects.toThrow('A read must not write')
    })

    test('a statement after the end is refused', async () => {
      let escaped: (() => Promise<unknown>) | undefined
      await db.write(async (tx) => {
        escaped = () => tx.run(BOX, 1, 'a', null, null)
      })
      await expect(escaped?.()).rejects.toThrow('The transaction is over')
      expect(await labels()).toEqual([])
    })

    test('many at once in one process never mix, even when some fail', async () => {
      await db.write((tx) => tx.run(BOX, 1, 'counter', 0, null))
      const additions = Array.from({ length: 30 }, (_, index) =>
        db.write(async (tx) => {
          const row = await tx.get(`select weight from boxes where box_id = 1 ${tx.forUpdate}`)
          await Promise.resolve()
          await tx.run('update boxes set weight = $1 where box_id = 1', Number(row?.['weight']) + 1)
          if (index % 3 === 0) throw new Error('changed my mind')
        }),
      )
      const reads = Array.from({ length: 10 }, () => db.read((tx) => tx.get('select weight from boxes')))
      const outcomes = await Promise.allSettled(additions)
      await Promise.all(reads)
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10)
      const row = await db.read((tx) => tx.get('select weight from boxes where box_id = 1'))
      expect(row?.['weight']).toBe(20)
    })

    test('statements asked for at once run in that order', async () => {
      await db.write((tx) =>
        Promise.all(['a', 'b', 'c'].map((label, index) => tx.run(BOX, index + 1, label, null, null))),
      )
      expect(await labels()).toEqual(['a', 'b', 'c'])
    })
  })

  describe('savepoints', () => {
    test('undo only their own part when it throws', async () => {
      await db.write(async (tx) => {
        await tx.run(BOX, 1, 'before', null, null)
        await expect(
          tx.savepoint(async () => {
            await tx.run(BOX, 2, 'inside', null, null)
            throw new Error('refused')
          }),
        ).rejects.toThrow('refused')
        await tx.run(BOX, 3, 'after', null, null)
      })
      expect(await labels()).toEqual(['before', 'after'])
    })

    test('keep their part and return its result', async () => {
      const result = await db.write((tx) =>
        tx.savepoint(async () => {
          await tx.run(BOX, 1, 'inside', null, null)
          return 7
        }),
      )
      expect(result).toBe(7)
      expect(await labels()).toEqual(['inside'])
    })

    test('let work continue after a violated constraint', async () => {
      await addBoxes('a')
      await db.write(async (tx) => {
        await expect(tx.savepoint(() => tx.run(BOX, 2, 'a', null, null))).rejects.toThrow(/unique/i)
        await expect(tx.savepoint(() => tx.runPipelined(BOX, 2, 'a', null, null))).rejects.toThrow(/unique/i)
        await tx.run(BOX, 3, 'c', null, null)
      })
      expect(await labels()).toEqual(['a', 'c'])
    })

    test('nest', async () => {
      await db.write((tx) =>
        tx.savepoint(async () => {
          await tx.run(BOX, 1, 'outer', null, null)
          await tx
            .savepoint(async () => {
              await tx.run(BOX, 2, 'inner', null, null)
              throw new Error('refused')
            })
            .catch(() => {})
          await tx.savepoint(() => tx.run(BOX, 3, 'second', null, null))
        }),
      )
      expect(await labels()).toEqual(['outer', 'second'])
    })

    test('are rolled back with their transaction', async () => {
      await expect(
        db.write(async (tx) => {
          await tx.savepoint(() => tx.run(BOX, 1, 'inside', null, null))
          throw new Error('refused')
        }),
      ).rejects.toThrow('refused')
      expect(await labels()).toEqual([])
    })
  })

  test('closing waits for running work, may be repeated, and rejects later use', async () => {
    const store = await openTestStore(engine)
    const work = store.write((tx) => tx.get('select count(*) as count from accounts'))
    await Promise.all([store.close(), store.close()])
    expect(await work).toEqual({ count: 0 })
    await expect(store.read((tx) => tx.get('select 1 as one'))).rejects.toThrow('closed')
  })
})
