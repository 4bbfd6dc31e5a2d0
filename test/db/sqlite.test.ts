import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Tx } from '../../src/core/db.ts'
import { openStore } from '../../src/db/open.ts'
import { cached } from '../../src/db/read-cache.ts'
import { assertSqliteVersion, openSqlite } from '../../src/db/sqlite.ts'
import { APPLICATION_ID } from '../../src/db/version.ts'
import { makeTempFolder } from '../support/stores.ts'

const OPTIONS = { seed: async () => {}, random: () => 0.5 }
const BLOB = 'insert into blobs (sha256, bytes) values ($1, $2)'

async function makePath(name = 'store.db'): Promise<string> {
  return join(await makeTempFolder(), name)
}

async function makeStore(path: string): Promise<void> {
  const db = await openStore(path, OPTIONS)
  await db.write((tx) => tx.run(BLOB, 'first', new Uint8Array(100)))
  await db.close()
}

function openRaw(path: string): DatabaseSync {
  const raw = new DatabaseSync(path, { timeout: 0 })
  onTestFinished(() => {
    if (raw.isOpen) raw.close()
  })
  return raw
}

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** Runs `use-store.ts` after some shell commands. */
async function useStore(setUp: string, location: string, action: string) {
  const script = fileURLToPath(new URL('../support/use-store.ts', import.meta.url))
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    `${setUp}; exec "$@"`,
    'sh',
    process.execPath,
    script,
    location,
    action,
  ])
  return JSON.parse(stdout) as { result?: unknown; code?: string; message?: string }
}

describe('the files of a store', () => {
  test('can be read by nobody else, whatever the umask', async () => {
    const path = join(await makeTempFolder(), 'new', 'folder', 'store.db')
    const { result } = await useStore('umask 022', path, 'modes')
    expect(result).toEqual(['700', '600', '600', '600'])
    expect(mode(dirname(dirname(path)))).toBe('700')
  })

  test('are repaired when others may read them, those of a running process too', async () => {
    const path = await makePath()
    await makeStore(path)
    const running = await openSqlite(path)
    await running.read((tx) => tx.all('select sha256 from blobs'))
    const files = [path, `${path}-wal`, `${path}-shm`]
    for (const file of files) chmodSync(file, 0o644)
    const db = await openSqlite(path)
    expect(files.map(mode)).toEqual(['600', '600', '600'])
    await Promise.all([running.close(), db.close()])
  })

  test('leave an existing folder unchanged', async () => {
    const path = await makePath()
    chmodSync(dirname(path), 0o755)
    await makeStore(path)
    expect(mode(dirname(path))).toBe('755')
  })

  test.each([
    'a b',
    'é 鵝 🦢',
    'quote\' " back\\slash',
    'new\nline',
    'file:store.db?mode=memory',
    '%00',
    '#1',
  ])('may be called %j', async (name) => {
    const path = await makePath(name)
    await makeStore(path)
    expect(existsSync(path)).toBe(true)
  })

  test('may be behind a symbolic link', async () => {
    const path = await makePath()
    const link = await makePath('link.db')
    await makeStore(path)
    symlinkSync(path, link)
    const db = await openStore(link, OPTIONS)
    expect(await db.read((tx) => tx.all('select sha256 from blobs'))).toHaveLength(1)
    await db.close()
  })
})

describe('a file that is not a usable store', () => {
  test.each([
    [
      'text',
      'this is a letter to my bank, and longer than a hundred bytes, so that it fills the header of a database file',
    ],
    ['one byte', 'x'],
    ['random bytes', Buffer.from(Array.from({ length: 8192 }, (_, index) => (index * 7919) % 251))],
  ])('%s is refused by its name and stays as it is', async (_, content) => {
    const path = await makePath()
    writeFileSync(path, content, { mode: 0o644 })
    await expect(openSqlite(path)).rejects.toMatchObject({
      code: 'store_error',
      message: expect.stringContaining(`${path} is not a store of dray`),
    })
    expect(readFileSync(path)).toEqual(Buffer.from(content))
    expect(mode(path)).toBe('644')
  })

  test.each([
    ['without a mark', 'create table notes (note text)'],
    ['with a mark of its own', 'pragma application_id = 252006674'],
    ['with a version of its own', 'pragma user_version = 2'],
  ])('the database of another program %s is refused and stays as it is', async (_, statement) => {
    const path = await makePath()
    const raw = openRaw(path)
    raw.exec(statement)
    raw.close()
    const before = readFileSync(path)
    await expect(openStore(path, OPTIONS)).rejects.toMatchObject({
      code: 'store_error',
      message: expect.stringContaining(`${path} is not a store of dray: it is another program's database`),
    })
    expect(readFileSync(path)).toEqual(before)
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  test('a store of a newer dray is refused and stays as it is', async () => {
    const path = await makePath()
    await makeStore(path)
    const raw = openRaw(path)
    raw.exec('pragma user_version = 99; pragma wal_checkpoint(truncate)')
    raw.close()
    const before = readFileSync(path)
    await expect(openStore(path, OPTIONS)).rejects.toMatchObject({
      code: 'store_error',
      message: expect.stringContaining(`The store ${path} was written by a newer dray (schema 99`),
    })
    expect(readFileSync(path)).toEqual(before)
  })

  test.each([511, 4096, 4097, 20_000])(
    'a store cut off after %d bytes is refused by its name',
    async (length) => {
      const path = await makePath()
      await makeStore(path)
      truncateSync(path, length)
      const use = async () => {
        const db = await openStore(path, OPTIONS)
        try {
          return await db.read((tx) => tx.all('select * from events, blobs, media, timeline, idempotency'))
        } finally {
          await db.close()
        }
      }
      await expect(use()).rejects.toMatchObject({
        code: 'store_error',
        message: expect.stringContaining(path),
      })
    },
  )

  test('a store cut to 0 bytes is refused and not recreated', async () => {
    const path = await makePath()
    await makeStore(path)
    truncateSync(path, 0)
    await expect(openStore(path, OPTIONS)).rejects.toMatchObject({
      code: 'store_error',
      message: `The store ${path} is empty (0 bytes): its content was lost. Restore it from a backup, or remove the file to start with a new store.`,
    })
    expect(statSync(path).size).toBe(0)
  })

  test('what a killed first run left of a store is removed by the next one', async () => {
    const path = await makePath()
    mkdirSync(dirname(path), { recursive: true })
    const left = [`${path}.7-1.new`, `${path}.7-1.new-journal`]
    // A process of another container may have the same id.
    const running = `${path}.7-2.new`
    for (const file of [...left, running]) writeFileSync(file, 'half')
    const before = (Date.now() - 2 * 3_600_000) / 1000
    for (const file of left) utimesSync(file, before, before)
    await makeStore(path)
    expect([...left, running].map((file) => existsSync(file))).toEqual([false, false, true])
  })

  test('a first run that is killed at any moment leaves a store that the next one opens', async () => {
    const path = await makePath()
    const script = fileURLToPath(new URL('../support/use-store.ts', import.meta.url))
    const sizes: (number | undefined)[] = []
    for (let wait = 60; wait < 160; wait += 10) {
      spawnSync(process.execPath, [script, path, 'count'], { timeout: wait, killSignal: 'SIGKILL' })
      sizes.push(statSync(path, { throwIfNoEntry: false })?.size)
    }
    expect(sizes).not.toContain(0)
    await makeStore(path)
    expect(mode(path)).toBe('600')
  })

  test('a folder, a pipe and a device are refused, and keep their permissions', async () => {
    const folder = await makeTempFolder()
    const inside = join(folder, 'inside')
    mkdirSync(inside, { mode: 0o755 })
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', ['-m', '644', pipe])
    // Only the superuser may make a device, and only on some systems; only such a user could damage one.
    const device = join(folder, 'device')
    spawnSync('mknod', ['-m', '666', device, 'c', '1', '3'])
    for (const path of [inside, pipe, device].filter((one) => existsSync(one))) {
      const before = mode(path)
      await expect(openSqlite(path)).rejects.toMatchObject({
        code: 'store_error',
        message: expect.stringContaining(`${path} is not a store of dray`),
      })
      expect([path, mode(path)]).toEqual([path, before])
    }
  })

  test('a path through a file and a name that is too long are refused by their names', async () => {
    const folder = await makeTempFolder()
    const file = join(folder, 'file')
    writeFileSync(file, '')
    for (const path of [join(file, 'store.db'), join(folder, 'x'.repeat(300))]) {
      await expect(openSqlite(path)).rejects.toMatchObject({
        code: 'store_error',
        message: expect.stringContaining(`The store ${path} cannot be opened`),
      })
    }
  })

  test('a read-only store is reported as such', async () => {
    const path = await makePath()
    const db = await openStore(path, OPTIONS)
    const write = db.write(async (tx) => {
      // SQLite's error on a read-only disk.
      await tx.all('pragma query_only = 1')
      await tx.run(BLOB, 'second', new Uint8Array(1))
    })
    await expect(write).rejects.toMatchObject({
      code: 'store_error',
      message: expect.stringContaining(`The store ${path} cannot be written`),
    })
    await db.close()
  })

  test.each(['3.51.2', '3.40.1', '2.99.99', undefined])('SQLite %s is too old', (version) => {
    expect(() => assertSqliteVersion(version)).toThrow(/3\.51\.3 or newer/)
  })

  test.each(['3.51.3', '3.52.0', '3.53.4', '4.0.0'])('SQLite %s is recent enough', (version) => {
    expect(() => assertSqliteVersion(version)).not.toThrow()
  })
})

describe('another process that holds the store', () => {
  test('is waited for', async () => {
    const path = await makePath()
    await makeStore(path)
    const db = await openSqlite(path)
    const other = openRaw(path)
    other.exec('begin immediate')
    let finished = false
    const write = db
      .write((tx) => tx.run(BLOB, 'second', new Uint8Array(1)))
      .then(() => {
        finished = true
      })
    const reads = await db.read((tx) => tx.all('select sha256 from blobs'))
    expect(reads).toHaveLength(1)
    expect(finished).toBe(false)
    other.exec('rollback')
    await write
    expect(await db.read((tx) => tx.all('select sha256 from blobs'))).toHaveLength(2)
    await db.close()
  })

  test('for very long is reported without SQLite’s own message', async () => {
    const path = await makePath()
    await makeStore(path)
    const db = await openSqlite(path, { patience: 5 })
    const other = openRaw(path)
    other.exec('begin immediate')
    const error = await db.write((tx) => tx.run('delete from blobs')).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining(`Another process has held the store ${path}`),
    })
    expect((error as Error).message).not.toContain('locked')
    other.exec('rollback')
    await db.write((tx) => tx.run('delete from blobs'))
    await db.close()
  })
})

test('writes are undone whose process was stopped before their commit', async () => {
  const path = await makePath()
  await makeStore(path)
  let stopped = true
  const watch = () => () => {
    if (stopped) throw new Error('stopped')
  }
  const db = await openSqlite(path, { watch })
  const write = (name: string) => db.write((tx) => tx.run(BLOB, name, new Uint8Array(1)))
  await expect(write('undone')).rejects.toThrow('stopped')
  stopped = false
  await write('done')
  const rows = await db.read((tx) => tx.all('select sha256 from blobs order by sha256'))
  expect(rows.map(({ sha256 }) => sha256)).not.toContain('undone')
  await db.close()
})

describe('a full disk', () => {
  test('rolls back the change, reports it, and the store works again when there is space', async () => {
    const path = await makePath()
    await makeStore(path)
    const db = await openStore(path, OPTIONS)
    const pages = await db.read((tx) => tx.get('pragma page_count'))
    const write = db.write(async (tx) => {
      await tx.run(BLOB, 'small', new Uint8Array(1))
      await tx.all(`pragma max_page_count = ${Number(pages?.['page_count'])}`)
      await tx.run(BLOB, 'large', new Uint8Array(1_000_000))
    })
    await expect(write).rejects.toMatchObject({
      code: 'storage_full',
      message: expect.stringContaining(path),
    })
    expect(await db.read((tx) => tx.all('select sha256 from blobs'))).toHaveLength(1)

    await db.read((tx) => tx.all('pragma max_page_count = 100000'))
    await db.write((tx) => tx.run(BLOB, 'large', new Uint8Array(1_000_000)))
    expect(await db.read((tx) => tx.all('select sha256 from blobs'))).toHaveLength(2)
    await db.close()
  })

  test.each<[then: string, end: (tx: Tx) => Promise<unknown>]>([
    ['goes on', (tx) => tx.run('delete from blobs')],
    ['ends', async () => {}],
  ])('is the answer even if the work ignores it and %s', async (_, end) => {
    const path = await makePath()
    await makeStore(path)
    const db = await openStore(path, OPTIONS)
    const write = db.write(async (tx) => {
      await tx.all('pragma max_page_count = 1')
      await tx.run(BLOB, 'large', new Uint8Array(1_000_000)).catch(() => {})
      await end(tx)
    })
    await expect(write).rejects.toMatchObject({ code: 'storage_full' })
    expect(await db.read((tx) => tx.all('select sha256 from blobs'))).toHaveLength(1)
    await db.close()
  })

  test('or a file size limit ends a process with the reason, and what it had acknowledged is there', async () => {
    const path = await makePath()
    const outcome = await useStore('trap "" XFSZ; ulimit -f 4000', path, 'fill')
    expect(outcome).toMatchObject({ code: 'storage_full', message: expect.stringContaining(path) })
    const db = await openStore(path, OPTIONS)
    const check = await db.read((tx) => tx.get('pragma integrity_check'))
    expect(check?.['integrity_check']).toBe('ok')
    const blobs = await db.read((tx) => tx.get('select count(*) as count from blobs'))
    expect(Number(blobs?.['count'])).toBeGreaterThan(5)
    await db.close()
  })
})

test('a disk that does not confirm a write ends all writing of this process, not the reading', async () => {
  const path = await makePath()
  await makeStore(path)
  const db = await openStore(path, OPTIONS)
  // SQLITE_IOERR_FSYNC, as node:sqlite raises it.
  const failure = Object.assign(new Error('disk I/O error'), { errcode: 1034, errstr: 'disk I/O error' })
  const refusal = { code: 'store_error', message: expect.stringContaining('this process writes no more') }
  const failing = db.write(() => Promise.reject(failure))
  const queued = db.write((tx) => tx.run('delete from blobs'))
  await expect(failing).rejects.toMatchObject(refusal)
  await expect(queued).rejects.toMatchObject(refusal)
  await expect(db.write((tx) => tx.run('delete from blobs'))).rejects.toMatchObject(refusal)
  expect(await db.read((tx) => tx.all('select sha256 from blobs'))).toHaveLength(1)
  await db.close()
})

test('a disk that refuses to undo a change fails that change alone, and what was in memory is read again', async () => {
  const path = await makePath()
  await makeStore(path)
  const db = await openStore(path, OPTIONS)
  const kept = { key: 'count', tables: ['blobs'], holds: () => true }
  const count = () =>
    db.read(async (tx) => {
      const row = await cached(tx, kept, () => tx.get('select count(*) as count from blobs'))
      return row?.['count']
    })
  expect(await count()).toBe(1)
  const { run } = StatementSync.prototype
  let refuses = true
  const disk = vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (
    this: StatementSync,
    ...params
  ) {
    if (refuses && this.sourceSQL === 'rollback')
      // SQLITE_IOERR_READ, as node:sqlite raises it.
      throw Object.assign(new Error('disk I/O error'), { errcode: 266, errstr: 'disk I/O error' })
    return run.apply(this, params)
  })
  onTestFinished(() => disk.mockRestore())
  // The second round is needed: connections that were just opened count the versions of a store alike.
  for (const others of [1, 2]) {
    const failing = db.write(async (tx) => {
      await tx.run("insert into ordinals (kind, last) values ('undone', 1)")
      throw new Error('refused')
    })
    await expect(failing).rejects.toThrow('refused')
    // The store is free now: another process can write.
    openRaw(path)
      .prepare('insert into blobs (sha256, bytes) values (?, ?)')
      .run(`other ${others}`, new Uint8Array(1))
    expect(await count()).toBe(1 + others)
  }
  refuses = false
  await db.write((tx) => tx.run(BLOB, 'second', new Uint8Array(1)))
  expect(await count()).toBe(4)
  const row = await db.read((tx) =>
    tx.get(
      'select synchronous, foreign_keys, (select count(*) from ordinals) as undone from pragma_synchronous, pragma_foreign_keys',
    ),
  )
  expect({ ...row }).toEqual({ synchronous: 2, foreign_keys: 1, undone: 0 })
  await db.close()
  await expect(count()).rejects.toThrow('The store is closed')
})

test('a store keeps every commit through a power cut: full synchronisation, write-ahead log, its own mark', async () => {
  const path = await makePath()
  const db = await openStore(path, OPTIONS)
  const settings = await db.read(async (tx) => [
    await tx.get('pragma synchronous'),
    await tx.get('pragma journal_mode'),
    await tx.get('pragma foreign_keys'),
    await tx.get('pragma application_id'),
  ])
  expect(settings.map((row) => ({ ...row }))).toEqual([
    { synchronous: 2 },
    { journal_mode: 'wal' },
    { foreign_keys: 1 },
    { application_id: APPLICATION_ID },
  ])
  await db.close()
})
