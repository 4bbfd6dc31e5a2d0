import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolders } from '../../src/core/folders.ts'
import { makeTempFolder } from '../support/stores.ts'

test('makes all folders that are missing, with their mode, and again what is there', async () => {
  const folder = await makeTempFolder()
  for (let each = 0; each < 2; each += 1) makeFolders(join(folder, 'a/b/c'), 0o700)
  expect(statSync(join(folder, 'a/b')).mode & 0o777).toBe(0o700)
  mkdirSync(join(folder, 'real'))
  symlinkSync('real', join(folder, 'link'))
  makeFolders(join(folder, 'link'))
})

test('names the place that is in the way: a file, or a link that leads nowhere', async () => {
  const folder = await makeTempFolder()
  writeFileSync(join(folder, 'file'), '')
  expect(() => makeFolders(join(folder, 'file'))).toThrow(/EEXIST/)
  expect(() => makeFolders(join(folder, 'file/a/b'))).toThrow(/ENOTDIR/)
  symlinkSync('nowhere', join(folder, 'link'))
  expect(() => makeFolders(join(folder, 'link/a/b'))).toThrow(`'${join(folder, 'link')}'`)
  rmSync(join(folder, 'link'))
})

test.runIf(process.platform === 'linux')('ends where the system makes no folder', () => {
  expect(() => makeFolders('/proc/nope/a/b')).toThrow(/ENOENT.*'\/proc\/nope'/)
})
