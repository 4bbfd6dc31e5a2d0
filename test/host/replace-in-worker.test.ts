/** Large SQLite stores are replaced by a thread, with a connection of its own. */
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openStore } from '../../src/db/open.ts'
import { loadWorld } from '../../src/db/world.ts'
import { needsWorker, replaceInWorker } from '../../src/host/replace-in-worker.ts'
import { catchRejection } from '../support/caught.ts'
import { copySeeded } from '../support/originals.ts'
import { NOON_MS } from '../support/served.ts'
import { ENGINES, makeTempFolder } from '../support/stores.ts'

const [SQLITE] = ENGINES
const seeded = {
  seed: '1',
  clock: { mode: 'frozen', real: NOON_MS, service: NOON_MS, factor: 1, high: NOON_MS },
  cursorKey: 'a key',
} as const

test('a large store is replaced at once: who reads it meanwhile sees it as it was', async () => {
  const store = `${await makeTempFolder()}/store.db`
  if (SQLITE !== undefined) await copySeeded(SQLITE, seeded, store)
  await using db = await openOwn(store)
  const seedOf = async (): Promise<string> => (await db.read(loadWorld)).world.seed
  expect(needsWorker(store)).toBe(false)
  await db.write((tx) =>
    tx.run(`insert into blobs (sha256, bytes) values ('a', $1)`, new Uint8Array(17 << 20)),
  )
  expect(needsWorker(store)).toBe(true)

  const broken = `${await makeTempFolder()}/broken.snapshot`
  writeFileSync(broken, '{"dray_snapshot":1}\n')
  const refused = await catchRejection(replaceInWorker({ store, now: NOON_MS, work: { load: broken } }))
  expect(refused).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('Nothing was changed') as string,
  })
  expect(await seedOf()).toBe('1')

  const during = await db.read(async (tx) => {
    const before = (await loadWorld(tx)).world.seed
    const reset = await replaceInWorker({ store, now: NOON_MS, work: { reset: { seed: '2' } } })
    return [before, (await loadWorld(tx)).world.seed, reset]
  })
  expect(during).toMatchObject(['1', '1', { seed: '2', fixture: 'london', clock: { mode: 'offset' } }])
  expect(await seedOf()).toBe('2')
  await db.write((tx) => tx.run(`insert into blobs (sha256, bytes) values ('b', $1)`, new Uint8Array(1)))
})

async function openOwn(store: string) {
  const db = await openStore(store, { seed: () => Promise.resolve(), random: Math.random })
  return { ...db, [Symbol.asyncDispose]: () => db.close() }
}
