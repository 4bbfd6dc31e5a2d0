import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findAccount } from '../../../src/areas/account/queries/accounts.ts'
import { insertMedia } from '../../../src/areas/proofs/queries.ts'
import type { Db } from '../../../src/core/db.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { dumpRows } from '../../../src/db/snapshot.ts'
import { SCHEMA_VERSION } from '../../../src/db/version.ts'
import { createSharedLink, openSharedLink } from '../../../src/oauth/shared-links.ts'
import { loadSnapshot, saveSnapshot } from '../../../src/sandbox/control/snapshot.ts'
import { backfillStore } from '../../../src/sandbox/seed.ts'
import { callTestControl } from '../../support/control.ts'
import { statementsBackTo } from '../../support/older-store.ts'
import { makeParcel } from '../../support/parcel.ts'
import { type Engine, ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const [SQLITE, POSTGRES] = ENGINES as [Engine, Engine]

async function save(db: Db, now = 0): Promise<string> {
  const chunks: Uint8Array[] = []
  await saveSnapshot(db, now, (chunk) => void chunks.push(chunk))
  return Buffer.concat(chunks).toString()
}

async function* cut(text: string, size = 777): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const load = (db: Db, text: string, now = 0) =>
  loadSnapshot(db, { now: () => now, random: randomBytes }, () => cut(text))

/** Makes a world with events and a picture. */
async function busyWorld(engine: Engine): Promise<TestSandbox> {
  const world = await openTestSandbox({ engine })
  await world.call('create_shipment', makeParcel(), { key: 'one' })
  await callTestControl(world, 'advance_clock', { by: '5h' })
  await world.db.write((tx) =>
    insertMedia(tx, {
      media_id: 'med_1',
      owner_id: 'acc_1',
      content_type: 'image/png',
      sha256: 'ab',
      bytes: Uint8Array.from({ length: 256 }, (_, index) => index),
    }),
  )
  return world
}

/** Takes a store back to an older version. Returns its snapshot of that version, and the one once it is brought up to date. */
async function olderSnapshot(
  { db }: TestSandbox,
  version: number,
): Promise<{ text: string; upgraded: string }> {
  await db.write(async (tx) => {
    for (const statement of statementsBackTo(version)) await tx.run(statement)
  })
  const head = {
    dray_snapshot: 1,
    schema_version: version,
    seed: '1',
    service_time: '2026-11-20T14:00:00.000Z',
  }
  const lines: unknown[] = [head]
  const toJson = (value: unknown): unknown =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
  await db.read(async (tx) => {
    const { clock_service: at } = (await tx.get('select clock_service from world')) ?? {}
    for await (const { table, rows } of dumpRows(tx, Number(at), version))
      lines.push(...rows.map((row) => [table, ...row.map(toJson)]))
  })
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const end = { rows: lines.length - 1, sha256: createHash('sha256').update(body).digest('hex') }
  await migrate(db, (tx, from) => backfillStore(tx, from, 0))
  return { text: `${body}${JSON.stringify(end)}\n`, upgraded: await save(db) }
}

describe.each([
  ['SQLite', 'SQLite', SQLITE, SQLITE],
  ['PostgreSQL', 'PostgreSQL', POSTGRES, POSTGRES],
  ['SQLite', 'PostgreSQL', SQLITE, POSTGRES],
  ['PostgreSQL', 'SQLite', POSTGRES, SQLITE],
])('a snapshot of %s loaded into %s', (_from, _to, from, to) => {
  test('is the same world to the byte, which goes on in the same way', async () => {
    const one = await busyWorld(from)
    const saved = await save(one.db)
    const other = await openTestSandbox({ engine: to, seed: '99' })
    await load(other.db, saved)
    expect(await save(other.db)).toBe(saved)
    expect((await other.ok('find_shipments', { q: 'friar reading' })).data).toHaveLength(1)
    await callTestControl(one, 'advance_clock', { by: '3d' })
    await callTestControl(other, 'advance_clock', { by: '3d' })
    expect(await save(other.db)).toBe(await save(one.db))
    const text = (await one.call('create_shipment', makeParcel())).text
    expect((await other.call('create_shipment', makeParcel())).text).toBe(text)
  })
})

describe.each(ENGINES)('on $name', (engine) => {
  test('a claim that is not decided and a return that is not handed in are loaded, and end as they would have', async () => {
    const world = await openTestSandbox({ engine })
    const make = async (scenario: string): Promise<string> =>
      (await world.ok('create_shipment', makeParcel(), { scenario })).tracking_number
    const lost = await make('lost')
    const back = await world.ok('create_return', { tracking_number: await make('happy'), label: 'box' })
    await callTestControl(world, 'advance_clock', { by: '20d' })
    await world.ok('create_claim', {
      tracking_number: lost,
      reason_code: 'lost',
      value: { amount: 1000, currency: 'GBP' },
    })
    const saved = await save(world.db)
    await load(world.db, saved)
    expect(await save(world.db)).toBe(saved)
    await callTestControl(world, 'advance_clock', { by: '90d' })
    const { claims } = await world.ok('get_shipment', { tracking_number: lost })
    expect(claims?.map(({ status }) => status)).toEqual(['accepted'])
    const { status } = await world.ok('get_shipment', { tracking_number: back.tracking_number ?? '' })
    expect(status).toBe('cancelled')
  })

  test('no secret is in a snapshot, and tokens stay good where their account is there again', async () => {
    const world = await busyWorld(engine)
    const before = await save(world.db)
    const { token } = await callTestControl(world, 'mint_token', { account: 'shipper' })
    await callTestControl(world, 'add_account', { handle: 'passing', name: 'Passing Ltd' })
    const gone = await callTestControl(world, 'mint_token', { account: 'passing' }, { seedOfChance: 5 })
    await callTestControl(world, 'create_approval_link')
    const saved = await save(world.db)
    const secrets = await world.db.read((tx) =>
      tx.all(
        'select token_hash as secret from tokens union all select secret_hash from approvers union all select cursor_key from world',
      ),
    )
    expect(secrets.length).toBeGreaterThanOrEqual(4)
    for (const { secret } of secrets) expect(saved).not.toContain(`"${String(secret)}"`)
    await load(world.db, before)
    expect((await world.call('list_shipments', {}, { credential: { token } })).status).toBe(200)
    const refused = await world.call('list_shipments', {}, { credential: { token: gone.token } })
    expect(refused.body).toMatchObject({ code: 'invalid_token' })
  })

  test('a token does not become that of another account that has its id in the snapshot', async () => {
    const world = await openTestSandbox({ engine })
    const added = await callTestControl(world, 'add_account', { handle: 'ada' })
    const saved = await save(world.db)
    await callTestControl(world, 'reset', { at: '2026-11-20T09:00:00Z' })
    const { account_id } = await callTestControl(world, 'add_account', { handle: 'bob' })
    expect(account_id).toBe(added.account_id)
    const { token } = await callTestControl(world, 'mint_token', { account: 'bob' })
    await load(world.db, saved)
    const asked = await world.call('get_membership_status', {}, { credential: { token } })
    expect(asked.body).toMatchObject({ code: 'invalid_token' })
  })

  test('a token that was made later than the snapshot lives no longer than it was to', async () => {
    const world = await openTestSandbox({ engine })
    const saved = await save(world.db)
    await callTestControl(world, 'advance_clock', { by: '30d' })
    const { token } = await callTestControl(world, 'mint_token', { account: 'shipper', expires_in: '1d' })
    await load(world.db, saved)
    const ask = async (): Promise<number> =>
      (await world.call('get_membership_status', {}, { credential: { token } })).status
    await callTestControl(world, 'advance_clock', { by: '23h' })
    expect(await ask()).toBe(200)
    await callTestControl(world, 'advance_clock', { by: '2h' })
    expect(await ask()).toBe(401)
  })

  test('a shared link does not show what has the id of its parcel in the snapshot', async () => {
    const world = await openTestSandbox({ engine })
    const saved = await save(world.db)
    const { tracking_number } = await world.ok('create_shipment', makeParcel())
    const account_id = await world.db.read(
      async (tx) => (await findAccount(tx, 'everything'))?.account_id ?? '',
    )
    const machine = { machineNow: 0, random: randomBytes }
    const target = { account_id, kind: 'parcel', resource_id: tracking_number }
    const { secret } = await createSharedLink(world.db, target, machine)
    await load(world.db, saved)
    const other = await world.ok('create_shipment', makeParcel({}, { line1: '14 Friar Street' }))
    expect(other.tracking_number).toBe(tracking_number)
    expect(await openSharedLink(world.db, secret, 0)).toBeUndefined()
  })

  test('a clock that runs goes on from where it stood, however long the file lay there', async () => {
    const world = await openTestSandbox({ engine })
    await callTestControl(world, 'set_clock', { mode: 'scaled', factor: 60 }, { now: () => 1_000_000 })
    const saved = await save(world.db, 1_060_000)
    const shown = JSON.parse(saved.slice(0, saved.indexOf('\n'))) as { service_time: string }
    expect(shown.service_time).toBe('2026-11-20T10:00:00.000Z')
    await load(world.db, saved, 900_000_000)
    const later = await callTestControl(world, 'get_clock', {}, { now: () => 900_001_000 })
    expect(later).toMatchObject({ now: '2026-11-20T10:01:00.000Z', mode: 'scaled', factor: 60 })
  })

  test('a damaged or foreign snapshot, or one of another version, changes nothing', async () => {
    const world = await busyWorld(engine)
    const saved = await save(world.db)
    await world.call('create_shipment', makeParcel())
    const now = await save(world.db)
    const lines = saved.trimEnd().split('\n')
    const at = lines.findIndex((line) => line.startsWith('["shipments"'))
    const parcel = lines[at] ?? ''
    const bad: Record<string, string> = {
      nothing: '',
      'another file': 'PK\u0003\u0004 what is this',
      'other JSON': '{"a":1}\n{"b":2}\n',
      'no end': saved.slice(0, -100),
      'half a line': saved.slice(0, saved.length / 2),
      'a line less': [...lines.slice(0, at), ...lines.slice(at + 1)].join('\n'),
      'another letter': saved.replace('Europe/London', 'Europe/Lisbon'),
      'another version': saved.replace(
        `"schema_version":${SCHEMA_VERSION}`,
        `"schema_version":${SCHEMA_VERSION + 1}`,
      ),
      'more after its end': `${saved}["world"]\n`,
      'a table nobody knows': saved.replace('["shipments"', '["constructor"'),
      'a table of another': saved.replace('["shipments"', '["tokens"'),
      'a row that is too long': [
        ...lines.slice(0, at),
        parcel.replace(']', ',1]'),
        ...lines.slice(at + 1),
      ].join('\n'),
      'one long line': `[${'"x",'.repeat(5_000_000)}1]`,
    }
    for (const [what, text] of Object.entries(bad)) {
      const error: unknown = await load(world.db, text).catch((thrown: unknown) => thrown)
      expect(error, what).toMatchObject({ code: 'invalid_request' })
      expect((error as Error).message, what).toContain('Nothing was changed')
    }
    expect(await save(world.db)).toBe(now)
  })

  test('a snapshot of an older version is brought up to date, as its store would be', async () => {
    const older = await busyWorld(SQLITE)
    const { text, upgraded } = await olderSnapshot(older, 20)
    const world = await openTestSandbox({ engine })
    await load(world.db, text)
    expect(await save(world.db)).toBe(upgraded)
    await world.ok('create_shipment', makeParcel())
    // One that is older and damaged changes nothing.
    const now = await save(world.db)
    const broken = text.replace('"shipments"', '"parcels"')
    await expect(load(world.db, broken)).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await save(world.db)).toBe(now)
  })

  test('rows that contradict each other are refused as a whole, though their sum is right', async () => {
    const world = await busyWorld(engine)
    const saved = await save(world.db)
    const lines = saved.trimEnd().split('\n').slice(0, -1)
    const forge = async (change: (line: string) => string | undefined): Promise<string> => {
      const forged = lines.flatMap((line) => change(line) ?? [])
      const body = `${forged.join('\n')}\n`
      const sha256 = (await import('node:crypto')).hash('sha256', body)
      return `${body}${JSON.stringify({ rows: forged.length - 1, sha256 })}\n`
    }
    const without = await forge((line) => (line.startsWith('["hubs"') ? undefined : line))
    await expect(load(world.db, without)).rejects.toMatchObject({ code: 'invalid_request' })
    const richer = await forge((line) => line.replace(/^(\["wallets",.*,)(\d+)\]$/, '$1100000$2]'))
    await expect(load(world.db, richer)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('the balance of a wallet is not what its ledger says') as string,
    })
    expect(await save(world.db)).toBe(saved)
  })
})
