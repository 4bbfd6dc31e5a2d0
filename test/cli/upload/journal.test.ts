import fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJournal } from '../../../src/cli/upload/journal.ts'
import { makeTempFolder } from '../../support/stores.ts'

async function makeParts(pid: number, living: number[] = []) {
  const state = await makeTempFolder()
  const paths = { config: state, data: state, state }
  const random = (count: number) => new Uint8Array(count).fill(pid % 256)
  return {
    paths,
    pid,
    now: () => 0,
    random,
    isAlive: (other: number) => living.includes(other),
    startOf: () => '',
  }
}

test('an upload that ended leaves nothing behind, whoever cleaned up first', async () => {
  const parts = await makeParts(1)
  const journal = openJournal('content', parts, undefined)
  const folder = join(parts.paths.state, 'uploads')
  expect(fs.readdirSync(folder)).toHaveLength(1)
  for (const name of fs.readdirSync(folder)) fs.unlinkSync(join(folder, name))
  journal.close()
  expect(fs.readdirSync(folder)).toEqual([])
})

test('the upload of a process that is gone is continued with its key, that of a living one is not', async () => {
  const parts = await makeParts(1)
  const first = openJournal('content', parts, undefined)
  const living = openJournal(
    'content',
    { ...parts, pid: 2, random: () => new Uint8Array(16), isAlive: () => true },
    undefined,
  )
  expect([living.resumed, living.key === first.key]).toEqual([false, false])
  living.close()
  const next = openJournal('content', { ...parts, pid: 3 }, undefined)
  expect([next.resumed, next.key]).toEqual([true, first.key])
})

test('what a crash left unreadable is taken away', async () => {
  const parts = await makeParts(1)
  const folder = join(parts.paths.state, 'uploads')
  openJournal('content', parts, undefined)
  const [name = ''] = fs.readdirSync(folder)
  fs.writeFileSync(join(folder, name), '{"key":')
  expect(openJournal('content', { ...parts, pid: 2 }, undefined).resumed).toBe(false)
  expect(fs.readdirSync(folder)).toHaveLength(1)
})
