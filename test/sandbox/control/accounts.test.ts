import { describe, expect, test } from 'vitest'
import { findTokenWithAccount } from '../../../src/areas/account/queries/accounts.ts'
import { SCOPES } from '../../../src/core/account.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { callTestControl } from '../../support/control.ts'
import { makeParcel } from '../../support/parcel.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { NINE_AM, openTestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('an account can be added and used at once', async () => {
    const world = await openTestSandbox({ engine })
    const added = await callTestControl(world, 'add_account', {
      handle: 'acme',
      name: 'Acme Ltd',
      carrier: true,
    })
    expect(added).toMatchObject({
      handle: 'acme',
      name: 'Acme Ltd',
      membership: { status: 'none' },
      carrier_agreement: { status: 'active' },
      business_agreement: null,
    })
    const parcel = await world.ok('create_shipment', makeParcel(), { as: 'acme' })
    expect(parcel.sender.company).toBe('Acme Ltd')
    await world.refused('get_shipment', { tracking_number: parcel.tracking_number }, { as: 'shipper' })
    const { data } = await callTestControl(world, 'list_accounts')
    expect(data.at(-1)).toEqual({ ...added, stores: [] })
    expect(data[0]).toMatchObject({ handle: 'everything', scopes: SCOPES, stores: ['Forno Santa Rosa'] })
  })

  test('a short name belongs to one account', async () => {
    const world = await openTestSandbox({ engine })
    await expect(callTestControl(world, 'add_account', { handle: 'shipper' })).rejects.toMatchObject({
      code: 'invalid_state',
    })
    expect((await callTestControl(world, 'list_accounts')).data).toHaveLength(8)
  })

  test('a minted token outlives a clock that is advanced by months; an expired one names the clock', async () => {
    const world = await openTestSandbox({ engine })
    const { token } = await callTestControl(world, 'mint_token', { account: 'shipper' })
    const short = await callTestControl(
      world,
      'mint_token',
      { account: 'shipper', expires_in: '1h' },
      { seedOfChance: 2 },
    )
    await world.advance(300 * 24 * HOUR)
    expect((await world.call('list_hubs', {}, { credential: { token } })).status).toBe(200)
    expect(await world.refused('list_hubs', {}, { credential: { token: short.token } })).toMatchObject({
      code: 'invalid_token',
      detail:
        'The token expired at 2026-11-20T10:00:00.000Z; the sandbox clock is at 2027-09-16T09:00:00.000Z.',
      hint: 'Mint another that lasts longer: `dray sandbox account token shipper --expires-in 3650d`.',
    })
  })

  test('of a token only the hash is kept', async () => {
    const world = await openTestSandbox({ engine })
    const { token, expires_at, handle } = await callTestControl(world, 'mint_token', {
      account: 'shipper',
      scopes: ['shipments.read'],
    })
    expect(token).toMatch(/^dray_sbx_[A-Za-z0-9_-]{43}$/)
    expect({ expires_at, handle }).toEqual({ expires_at: '2027-11-20T09:00:00.000Z', handle: 'shipper' })
    const found = await world.db.read((tx) => findTokenWithAccount(tx, sha256Hex(token)))
    expect(found).toMatchObject({ token: { scopes: ['shipments.read'] }, account: { handle: 'shipper' } })
    const everything = JSON.stringify(await world.db.read((tx) => tx.all('select * from tokens')))
    expect(everything).not.toContain(token.slice(9))
  })
})

describe('accounts', () => {
  test('keep no tokens that are over', async () => {
    const world = await openTestSandbox()
    const expiries = async () => {
      const rows = await world.db.read((tx) => tx.all('select expires_at from tokens'))
      return rows.map(({ expires_at }) => Number(expires_at) - NINE_AM)
    }
    await callTestControl(world, 'mint_token', { account: 'shipper', expires_in: '1h' })
    expect(await expiries()).toEqual([HOUR])
    await world.advance(HOUR)
    await callTestControl(world, 'mint_token', { account: 'shipper', expires_in: '1h' })
    expect(await expiries()).toEqual([2 * HOUR])
  })

  test('that lack a scope get no token for it', async () => {
    const world = await openTestSandbox()
    const call = callTestControl(world, 'mint_token', {
      account: 'shipper',
      scopes: ['shipments.read', 'menu.manage'],
    })
    await expect(call).rejects.toThrow(/menu\.manage/)
  })

  test('can have a membership started, ended and started again', async () => {
    const world = await openTestSandbox()
    const set = async (status: string) =>
      (await callTestControl(world, 'set_membership', { account: 'guest', status, plan_code: null }))
        .membership.status
    expect([
      await set('active'),
      await set('cancelled'),
      await set('expired'),
      await set('trialing'),
    ]).toEqual(['active', 'cancelled', 'expired', 'trialing'])
    expect((await world.ok('get_membership_status', {}, { as: 'guest' })).active).toBe(true)
  })

  test('catch up with the clock before their membership is set', async () => {
    const world = await openTestSandbox()
    await world.write(async (tx) => {
      const { frozenClock } = await import('../../../src/core/clock.ts')
      const { saveClock } = await import('../../../src/db/world.ts')
      await saveClock(tx, frozenClock(Date.parse('2027-01-20T00:00:00Z')))
    })
    const { membership } = await callTestControl(world, 'set_membership', {
      account: 'member',
      status: 'cancelled',
    })
    expect(membership).toMatchObject({ status: 'cancelled', current_period_end: '2027-02-10T09:00:00.000Z' })
  })

  test.each([
    ['set_membership', { account: 'nobody', status: 'active' }, 'account_not_found'],
    ['set_membership', { account: 'member', status: 'none' }, 'invalid_state'],
    ['set_membership', { account: 'member', status: 'gold' }, 'invalid_request'],
    ['set_membership', { account: 'guest', status: 'none', plan_code: 'one_yearly' }, 'invalid_request'],
    ['mint_token', { account: 'nobody' }, 'account_not_found'],
    ['mint_token', { account: 'member', expires_in: '0s' }, 'invalid_request'],
    ['mint_token', { account: 'member', expires_in: 'ever' }, 'invalid_request'],
    ['mint_token', { account: 'member', scopes: [] }, 'invalid_request'],
    ['add_account', {}, 'invalid_request'],
    ['add_account', { handle: 'No Spaces' }, 'invalid_request'],
    ['add_account', { handle: 'a', admin: true }, 'invalid_request'],
  ] as const)('%s %j is refused as %s', async (name, input, code) => {
    const world = await openTestSandbox()
    await expect(callTestControl(world, name, input)).rejects.toMatchObject({ code })
  })
})
