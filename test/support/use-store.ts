/**
 * A separate program that opens a store, so that tests can start many at once or give one a small disk. `use-store.ts
 * <location> count` adds one to a counter; `fill` adds blobs until it fails, `crowd` eight at once; `modes` and `modules` report. Prints one
 * line of JSON.
 */
import { readdirSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import type { Db } from '../../src/core/db.ts'

const loaded: string[] = []
registerHooks({
  load: (url, context, next) => {
    loaded.push(url)
    return next(url, context)
  },
})
const { openStore } = await import('../../src/db/open.ts')

function addBlob(db: Db, name: string): Promise<number> {
  return db.write((tx) => tx.insertMany('blobs', ['sha256', 'bytes'], [[name, new Uint8Array(50_000)]]))
}

const ACTIONS: Record<string, (db: Db) => Promise<unknown>> = {
  count: (db) =>
    db.write(async (tx) => {
      const row = await tx.get('update ordinals set last = last + 1 where kind = $1 returning last', 'opened')
      return row?.['last']
    }),
  fill: async (db) => {
    for (let index = 0; ; index++) {
      await addBlob(db, `blob ${index}`)
    }
  },
  crowd: async (db) => {
    const kept: string[] = []
    const refused: (string | undefined)[] = []
    for (let index = 0; refused.length === 0; index++) {
      const names = Array.from({ length: 8 }, (_, at) => `blob ${index} ${at}`)
      const outcomes = await Promise.allSettled(names.map((name) => addBlob(db, name)))
      for (const [at, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled') kept.push(names[at] ?? '')
        else refused.push((outcome.reason as { code?: string }).code)
      }
    }
    return { kept, refused }
  },
  modes: async () => {
    const folder = dirname(location)
    const files = [folder, ...readdirSync(folder).map((name) => join(folder, name))]
    return files.map((file) => (statSync(file).mode & 0o777).toString(8))
  },
  modules: async (db) => {
    await db.read((tx) => tx.all('select kind from ordinals'))
    return loaded
  },
}

const [location = '', action = ''] = process.argv.slice(2)
try {
  const db = await openStore(location, {
    seed: async (tx, from) => {
      if (from === 0) await tx.run('insert into ordinals (kind, last) values ($1, 0)', 'opened')
    },
    random: () => 0.5,
  })
  const result = await ACTIONS[action]?.(db)
  await db.close()
  process.stdout.write(`${JSON.stringify({ result })}\n`)
} catch (error) {
  const { code, message } = error as Error & { code?: string }
  process.stdout.write(`${JSON.stringify({ code, message })}\n`)
}
