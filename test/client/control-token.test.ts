import fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  announceService,
  controlTokenFile,
  ensureControlToken,
  findServedToken,
} from '../../src/client/control-token.ts'
import { makeTempFolder } from '../support/stores.ts'

let count = 0
const parts = {
  now: () => Date.UTC(2026, 10, 20),
  random: (size: number) => new Uint8Array(size).fill(++count),
}

test('is created once, beside the store, readable only by its owner', async () => {
  const folder = await makeTempFolder()
  const store = join(folder, 'new', 'dray.db')
  const token = ensureControlToken(store, join(folder, 'state'), parts)
  expect(token).toMatch(/^dray_ctl_[\w-]{43}$/)
  expect(ensureControlToken(store, join(folder, 'state'), parts)).toBe(token)
  expect(fs.readdirSync(join(folder, 'new'))).toEqual(['dray.db.control'])
  expect((fs.statSync(`${store}.control`).mode & 0o777).toString(8)).toBe('600')
})

test('is never incomplete: an empty file is no token', async () => {
  const folder = await makeTempFolder()
  const store = join(folder, 'dray.db')
  fs.writeFileSync(`${store}.control`, '')
  expect(() => ensureControlToken(store, folder, parts)).toThrow('cannot be read')
})

test('of a database is in the state folder, whatever its password', async () => {
  const file = controlTokenFile('postgres://dray:secret@db.example/dray', '/state')
  expect(file).toMatch(/^\/state\/control\/[0-9a-f]{16}\.control$/)
  expect(controlTokenFile('postgres://dray:other@db.example/dray', '/state')).toBe(file)
  expect(controlTokenFile('postgres://dray@db.example/other', '/state')).not.toBe(file)
})

test('of a served sandbox is found by its port until it ends', async () => {
  const state = await makeTempFolder()
  expect(findServedToken(8080, state)).toBeUndefined()
  announceService(8080, 'of one that was killed', state)
  const withdraw = announceService(8080, 'dray_ctl_x', state)
  expect(findServedToken(8080, state)).toBe('dray_ctl_x')
  expect((fs.statSync(join(state, 'served', '8080.control')).mode & 0o777).toString(8)).toBe('600')
  withdraw()
  expect(findServedToken(8080, state)).toBeUndefined()
})

test('that cannot be written names its path', async () => {
  const folder = await makeTempFolder()
  fs.writeFileSync(join(folder, 'file'), '')
  expect(() => ensureControlToken(join(folder, 'file', 'dray.db'), folder, parts)).toThrow(
    /token .* cannot be written/,
  )
})
