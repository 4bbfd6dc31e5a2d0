import fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  deletePendingCall,
  listPendingCalls,
  claimPendingCall,
  recordPendingCall,
} from '../../src/local-state/pending-calls.ts'
import type { PendingCall } from '../../src/local-state/pending-calls.ts'
import { makeTempFolder } from '../support/stores.ts'

const PLACE = 'a'.repeat(32)

function makeIntent(differences: Partial<PendingCall> = {}): PendingCall {
  return {
    argv: ['carrier', 'create'],
    profile: 'default',
    service: 'dray.db',
    account: 'everything',
    operation: 'create_shipment',
    input: { reference: 'A-1' },
    scenario: null,
    key: 'key_1',
    total: null,
    started_at: 1,
    service_time: 2,
    ...differences,
  }
}

/** Makes a process with its number and start, and the other living processes. */
async function makeParts(pid: number, state?: string, living: Readonly<Record<number, string>> = {}) {
  const folder = state ?? (await makeTempFolder())
  return {
    paths: { config: folder, data: folder, state: folder },
    pid,
    isAlive: (other: number) => other === pid || other in living,
    startOf: (other: number) => (other === pid ? `${pid}00` : (living[other] ?? '')),
  }
}

test('a sent call is on disk, for its owner only, until it is answered', async () => {
  const parts = await makeParts(1)
  const held = recordPendingCall(parts, PLACE, makeIntent())
  const folder = join(parts.paths.state, 'pending-calls')
  const [name = ''] = fs.readdirSync(folder)
  expect(JSON.parse(fs.readFileSync(join(folder, name), 'utf8'))).toEqual(makeIntent())
  const modes = [join(folder, name), folder].map((path) => fs.statSync(path).mode & 0o777)
  // Windows has no file modes like these.
  expect(process.platform === 'win32' ? [0o600, 0o700] : modes).toEqual([0o600, 0o700])
  held.close()
  expect(fs.readdirSync(folder)).toEqual([])
  // Another process may have cleaned up before.
  held.close()
})

test('without calls there is no open call and no folder', async () => {
  const parts = await makeParts(1)
  expect(listPendingCalls(parts)).toEqual([])
  expect(fs.readdirSync(parts.paths.state)).toEqual([])
})

test('the call of a running process is its own; that of a dead process can be taken over', async () => {
  const first = await makeParts(1)
  recordPendingCall(first, PLACE, makeIntent())
  const beside = await makeParts(2, first.paths.state, { 1: '100' })
  expect(listPendingCalls(beside, PLACE)).toMatchObject([{ running: 1 }])
  const after = await makeParts(2, first.paths.state)
  expect(listPendingCalls(after, PLACE)).toMatchObject([{ running: undefined, intent: { key: 'key_1' } }])
})

test('a process that reuses a dead process’s pid is not mistaken for it', async () => {
  const first = await makeParts(1)
  recordPendingCall(first, PLACE, makeIntent())
  const other = await makeParts(2, first.paths.state, { 1: '777' })
  expect(listPendingCalls(other, PLACE)).toMatchObject([{ running: undefined }])
  const unknown = await makeParts(2, first.paths.state, { 1: '' })
  expect(listPendingCalls(unknown, PLACE)).toMatchObject([{ running: 1 }])
})

test('of two processes that take over at once one succeeds', async () => {
  const first = await makeParts(1)
  recordPendingCall(first, PLACE, makeIntent())
  const [second, third] = [await makeParts(2, first.paths.state), await makeParts(3, first.paths.state)]
  const [seen] = listPendingCalls(second, PLACE)
  const [also] = listPendingCalls(third, PLACE)
  if (seen === undefined || also === undefined) throw new Error('both see it')
  const held = claimPendingCall(second, seen)
  expect(held).toMatchObject({ resumed: true, intent: { key: 'key_1' } })
  expect(claimPendingCall(third, also)).toBeUndefined()
  // A living process holds it now.
  const later = await makeParts(4, first.paths.state, { 2: '200' })
  expect(listPendingCalls(later, PLACE)).toMatchObject([{ running: 2 }])
  held?.close()
  expect(listPendingCalls(later)).toEqual([])
})

test('lists the oldest first, of one command or of all', async () => {
  const one = await makeParts(1)
  recordPendingCall(one, PLACE, makeIntent({ key: 'late', started_at: 9 }))
  const two = await makeParts(2, one.paths.state)
  recordPendingCall(two, 'b'.repeat(32), makeIntent({ key: 'early', started_at: 3 }))
  expect(listPendingCalls(one).map(({ intent }) => intent.key)).toEqual(['early', 'late'])
  expect(listPendingCalls(one, PLACE).map(({ intent }) => intent.key)).toEqual(['late'])
  for (const found of listPendingCalls(one)) deletePendingCall(found)
  expect(listPendingCalls(one)).toEqual([])
})

test('an incomplete file was never sent: it is removed after its process ends, not before', async () => {
  const one = await makeParts(1)
  recordPendingCall(one, PLACE, makeIntent())
  const folder = join(one.paths.state, 'pending-calls')
  const [name = ''] = fs.readdirSync(folder)
  fs.writeFileSync(join(folder, name), '{"argv":')
  expect(listPendingCalls(await makeParts(2, one.paths.state, { 1: '100' }))).toEqual([])
  expect(fs.readdirSync(folder)).toEqual([name])
  expect(listPendingCalls(await makeParts(2, one.paths.state))).toEqual([])
  expect(fs.readdirSync(folder)).toEqual([])
})
