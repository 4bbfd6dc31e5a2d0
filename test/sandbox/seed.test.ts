import { describe, expect, test } from 'vitest'
import { insertAccount, listAllAccounts } from '../../src/areas/account/queries/accounts.ts'
import { listMerchantsOf } from '../../src/areas/merchants/queries.ts'
import { lockWallet } from '../../src/areas/payments/queries/ledger.ts'
import { type Account, SCOPES } from '../../src/core/account.ts'
import { frozenClock } from '../../src/core/clock.ts'
import { isPostgresUrl } from '../../src/core/network.ts'
import { ashore, waterAt } from '../../src/core/places/water.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { MIGRATIONS } from '../../src/db/schema.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { findWorld, insertWorld } from '../../src/db/world.ts'
import { listPeople } from '../../src/sandbox/people.ts'
import { backfillStore, seedOptions } from '../../src/sandbox/seed.ts'
import { DEFAULT_MARKET } from '../../src/sandbox/seeds.ts'
import { catchError } from '../support/caught.ts'
import { ENGINES, openTestStore } from '../support/stores.ts'
import { NINE_AM, openTestSandbox } from '../support/world.ts'

const OWNER: Account = {
  account_id: 'biz_1',
  handle: 'owner',
  name: 'Lime Street Noodles',
  scopes: ['orders.read'],
  membership: {
    status: 'none',
    plan_code: null,
    current_period_start: null,
    current_period_end: null,
    anchor_day: null,
    cancel_at_period_end: false,
  },
  carrierAgreement: undefined,
  businessAgreement: { agreement_id: 'agr_1', kind: 'business', status: 'active' },
}

function openDriver(location: string) {
  return isPostgresUrl(location) ? openPostgres(location, { random: () => 0.5 }) : openSqlite(location)
}

const parts = (env: Record<string, string> = {}) => ({
  now: () => NINE_AM,
  random: (count: number) => new Uint8Array(count).fill(7),
  env,
})

describe.each(ENGINES)('a new store on $name', (engine) => {
  test('has people for every case, of whom one may do everything', async () => {
    const world = await openTestSandbox({ engine })
    const accounts = await world.db.read(listAllAccounts)
    const by = Object.fromEntries(accounts.map((account) => [account.handle, account]))
    expect(Object.keys(by)).toEqual([
      'everything',
      'member',
      'guest',
      'lapsed',
      'owner',
      'shipper',
      'shipper2',
      'chain',
    ])
    expect(by['everything']).toMatchObject({
      scopes: SCOPES,
      membership: { status: 'active' },
      carrierAgreement: { status: 'active' },
      businessAgreement: { status: 'active' },
    })
    expect(by['guest']?.membership).toMatchObject({ status: 'none', plan_code: null })
    expect(by['lapsed']?.membership.status).toBe('expired')
    expect(by['owner']).toMatchObject({
      businessAgreement: { status: 'active' },
      carrierAgreement: undefined,
    })
    expect(by['shipper']?.carrierAgreement?.agreement_id).not.toBe(
      by['shipper2']?.carrierAgreement?.agreement_id,
    )
    const ids = accounts.map(({ account_id }) => account_id)
    expect(ids.every((id) => /^(cus|biz)_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id))).toBe(true)
  })

  test('is the same again from the same seed, and another from another', async () => {
    const ids = async (seed: string) =>
      (await (await openTestSandbox({ engine, seed })).db.read(listAllAccounts)).map(
        ({ account_id }) => account_id,
      )
    expect(await ids('1')).toEqual(await ids('1'))
    expect(await ids('1')).not.toEqual(await ids('2'))
  })
})

test.each(['20261120', '1', '7'])('nobody of a new world with seed %s stands in water', async (seed) => {
  const world = await openTestSandbox({ seed })
  const { people } = await world.db.read((tx) => listPeople(tx, NINE_AM, 1000))
  expect(people.length).toBeGreaterThan(100)
  const wet = people.filter(({ at }) => waterAt(at) !== undefined || ashore(at) !== at)
  expect(wet.map(({ name }) => name)).toEqual([])
})

describe.each(ENGINES)('a store from before there was food, on $name', (engine) => {
  test('gains stores, wallets and couriers, and keeps who is there', async () => {
    const location = await engine.locate()
    const old = await openDriver(location)
    await migrate(
      old,
      async (tx) => {
        await insertWorld(tx, {
          world: { ...DEFAULT_MARKET, seed: '7' },
          clock: frozenClock(NINE_AM),
          cursorKey: 'key',
        })
        // Today's writing fills a column that came later; the migration adds it again.
        await tx.run('alter table accounts add column membership_anchor integer')
        await insertAccount(tx, OWNER, 1)
        await tx.run('alter table accounts drop column membership_anchor')
        // Its own version counted in these tables; today's counting asks for columns that came later.
        await tx.run('update world set seq = 1')
        await tx.run("insert into ordinals (kind, last) values ('agr', 1)")
      },
      MIGRATIONS.slice(0, 2),
    )
    await old.close()

    const db = await openTestStore(engine, { location, seed: (tx, from) => backfillStore(tx, from, NINE_AM) })
    const accounts = await db.read(listAllAccounts)
    expect(accounts[0]).toEqual(OWNER)
    expect(accounts.map(({ handle }) => handle)).toContain('member')
    const [own] = await db.read((tx) => listMerchantsOf(tx, 'agr_1'))
    expect(own?.name).toBe('Lime Street Noodles')
    expect(await db.read((tx) => lockWallet(tx, OWNER.account_id))).toEqual({ amount: 5000, currency: 'GBP' })
  })
})

describe('the seed of a new store', () => {
  test('is the usual seed and a clock that runs from noon', () => {
    expect(seedOptions(parts())).toMatchObject({
      seed: '20261120',
      clock: { mode: 'offset', service: Date.parse('2026-11-20T12:00:00.000Z'), real: NINE_AM },
      cursorKey: '07'.repeat(32),
    })
  })

  test('follows DRAY_SEED and DRAY_NOW', () => {
    const options = seedOptions(
      parts({ DRAY_SEED: '18446744073709551615', DRAY_NOW: '2027-01-01T00:00:00+01:00' }),
    )
    expect(options).toMatchObject({
      seed: '18446744073709551615',
      clock: { mode: 'frozen', service: Date.parse('2026-12-31T23:00:00.000Z') },
    })
  })

  test('takes an empty DRAY_SEED or DRAY_NOW as none', () => {
    expect(seedOptions(parts({ DRAY_SEED: '', DRAY_NOW: '' }))).toEqual(seedOptions(parts()))
  })

  test.each([
    [{ DRAY_SEED: '-1' }, /DRAY_SEED/],
    [{ DRAY_SEED: '18446744073709551616' }, /DRAY_SEED/],
    [{ DRAY_SEED: '0x10' }, /DRAY_SEED/],
    [{ DRAY_NOW: 'noon' }, /DRAY_NOW/],
    [{ DRAY_NOW: '9900-01-01T00:00:00Z' }, /DRAY_NOW/],
    [{ DRAY_NOW: '2026-11-20T09:00:00' }, /DRAY_NOW/],
  ])('refuses %j', (env, message) => {
    const error = catchError(() => seedOptions(parts(env as Record<string, string>)))
    expect(error.code).toBe('config_error')
    expect(error.message).toMatch(message)
  })
})

test('the key of cursors is not made from the seed', async () => {
  const world = await openTestSandbox()
  const stored = await world.db.read(findWorld)
  expect(stored?.cursorKey).toBe('a key of the tests')
})
