/** Copies in progress beside those that killed processes left. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { reserveTempFile, removeStaleTempFiles, removeUnnamedStoreFiles } from '../../src/db/temp-files.ts'
import { afterFile } from '../support/after-file.ts'
import { makeTempFolder } from '../support/stores.ts'

const SCRIPT = fileURLToPath(new URL('../support/hold-draft.ts', import.meta.url))
const random = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))

/** Starts a process that copies into a folder. */
async function copyInto(folder: string): Promise<{ path: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [SCRIPT, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  afterFile(async () => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { path: line.toString().trim(), child }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('a copy of a killed process goes, with its log and its lock; that of a living one stays', async () => {
  const folder = await makeTempFolder()
  const [dead, living] = await Promise.all([copyInto(folder), copyInto(folder)])
  using own = reserveTempFile(folder, random)
  writeFileSync(own.path, 'mine')
  await kill(dead.child)
  expect(removeStaleTempFiles(folder, Date.now())).toEqual({ files: 4, bytes: 44 })
  expect([dead.path, living.path, own.path].map((path) => existsSync(path))).toEqual([false, true, true])
  await kill(living.child)
  removeStaleTempFiles(folder, Date.now())
  expect(existsSync(living.path)).toBe(false)
  expect(readdirSync(folder).filter((name) => !own.path.includes(name.slice(0, 30)))).toEqual([])
})

test('files that older versions left go when nobody has written to them for an hour; other files stay', async () => {
  const folder = await makeTempFolder()
  const [old, young] = ['.dray-backup-7.part', '.dray-backup-8.part']
  const others = ['a.backup', '.dray-notes.part', '.letter.7.part', 'report.2026-11.new']
  const before = Date.now() / 1000 - 2 * 3600
  for (const name of [old, `${old}-wal`, young, ...others]) {
    writeFileSync(join(folder, name), 'half')
    if (name !== young) utimesSync(join(folder, name), before, before)
  }
  expect(removeStaleTempFiles(folder, Date.now())).toEqual({ files: 2, bytes: 8 })
  expect(readdirSync(folder).toSorted()).toEqual([young, ...others].toSorted())
  expect(removeStaleTempFiles(join(folder, 'none'), Date.now())).toEqual({ files: 0, bytes: 0 })
})

test('what is left of a store that never got its name goes; a file of another name stays', async () => {
  const folder = await makeTempFolder()
  const before = Date.now() / 1000 - 2 * 3600
  for (const name of ['dray.db.7-1.new', 'dray.db.7-1.new-journal', 'report.2026-11.new', 'dray.db']) {
    writeFileSync(join(folder, name), 'half')
    utimesSync(join(folder, name), before, before)
  }
  expect(removeUnnamedStoreFiles(join(folder, 'dray.db'), Date.now())).toEqual({ files: 2, bytes: 8 })
  expect(readdirSync(folder).toSorted()).toEqual(['dray.db', 'report.2026-11.new'])
})

test('a draft that ended leaves nothing', async () => {
  const folder = await makeTempFolder()
  {
    using draft = reserveTempFile(folder, random)
    writeFileSync(draft.path, 'half')
  }
  expect(readdirSync(folder)).toEqual([])
})
