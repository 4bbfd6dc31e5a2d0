import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withFileLock } from '../../src/db/file-lock.ts'
import { makeHome } from '../support/home.ts'

const MODULE = new URL('../../src/db/file-lock.ts', import.meta.url).href

/** Starts a process that holds the lock until it is killed. */
async function startLockHolder(path: string) {
  const code = `import(${JSON.stringify(MODULE)}).then(({ withFileLock }) => withFileLock(${JSON.stringify(path)}, () => {
    process._rawDebug('held')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'ignore', 'pipe'] })
  await once(child.stderr, 'data')
  return child
}

test('one process at a time holds the lock, and a killed holder releases it', async () => {
  using home = makeHome()
  const path = join(home.cwd, 'lock')
  const holder = await startLockHolder(path)
  let entered = false
  expect(() => withFileLock(path, () => (entered = true), 50)).toThrow(
    `Another process has held ${path} for 0.05 s.`,
  )
  expect(entered).toBe(false)
  holder.kill('SIGKILL')
  await once(holder, 'close')
  expect(withFileLock(path, () => 'mine', 50)).toBe('mine')
})

test('work that throws releases the lock', () => {
  using home = makeHome()
  const path = join(home.cwd, 'lock')
  const fail = (): never => {
    throw new Error('of the work')
  }
  expect(() => withFileLock(path, fail, 50)).toThrow('of the work')
  expect(withFileLock(path, () => 1, 50)).toBe(1)
  expect(fs.statSync(path)).toMatchObject({ size: 0, mode: 0o100600 })
})

test('the error names a missing folder', () => {
  using home = makeHome()
  const path = join(home.cwd, 'nowhere', 'lock')
  expect(() => withFileLock(path, () => 1, 50)).toThrow(`${path} cannot be locked`)
})
