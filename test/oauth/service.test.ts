import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/core/account.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { GRANT_TYPES } from '../../src/oauth/service.ts'
import type { Tokens } from '../../src/oauth/token.ts'
import { iterations } from '../support/battery.ts'
import { callTestControl } from '../support/control.ts'
import { loginsOver, type TestLogins } from '../support/logins.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

const GONE = [401, 'invalid_token']
const GOOD = [200, undefined]

let world: TestSandbox
let logins: TestLogins

async function open(engine = ENGINES[0]): Promise<void> {
  world = await openTestSandbox(engine === undefined ? {} : { engine })
  logins = loginsOver(world)
}

/** Returns the results of two concurrent calls: the tokens issued, and the codes of rejected calls. */
async function race<T>(...running: Promise<T>[]): Promise<{ won: T[]; lost: unknown[] }> {
  const outcomes = await Promise.allSettled(running)
  return {
    won: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
    lost: outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as { code: unknown }).code] : [],
    ),
  }
}

describe.each(ENGINES)('on $name', (engine) => {
  beforeAll(() => open(engine))

  test('a device that a person approves gets tokens with the scopes of the account', async () => {
    const { deviceCode, userCode } = await logins.codes('food.read shipments.read profile.read')
    await expect(logins.poll(deviceCode)).rejects.toMatchObject({
      code: 'authorization_pending',
      status: 400,
    })
    await logins.decide({ userCode, approve: true, accountId: 'shipper' })
    const tokens = await logins.poll(deviceCode)
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^dray_sbx_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^dray_ref_[\w-]{43}$/),
      scope: 'profile.read shipments.read',
    })
    expect(await logins.probe(tokens.access_token, 'list_shipments')).toEqual(GOOD)
    expect(await logins.probe(tokens.access_token, 'list_hubs')).toEqual([403, 'insufficient_scope'])
  })

  test('a device code becomes a login once, also for two that ask at the same time', async () => {
    const { deviceCode, userCode } = await logins.codes()
    await logins.decide({ userCode, approve: true, accountId: 'member' })
    const { won, lost } = await race(...Array.from({ length: 4 }, () => logins.poll(deviceCode)))
    expect(won).toHaveLength(1)
    expect(lost).toEqual(['invalid_grant', 'invalid_grant', 'invalid_grant'])
    // The late call did not revoke the tokens of the first.
    expect(await logins.probe(won[0]?.access_token ?? '')).toEqual(GOOD)
  })

  test('a refresh token is exchanged for a new pair, and the old access token stays valid until it expires', async () => {
    const first = await logins.login('member')
    const second = await logins.refresh(first.refresh_token)
    expect(second).toMatchObject({ expires_in: 3600, scope: first.scope })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    const third = await logins.refresh(second.refresh_token)
    for (const { access_token } of [first, second, third])
      expect(await logins.probe(access_token)).toEqual(GOOD)
  })

  test('a refresh whose response was lost can be repeated, and returns the same pair', async () => {
    const first = await logins.login('member')
    const second = await logins.refresh(first.refresh_token)
    logins.machine.now += MINUTE
    expect(await logins.refresh(first.refresh_token)).toEqual(second)
    expect(await logins.probe(second.access_token)).toEqual(GOOD)
    expect(await logins.refresh(second.refresh_token)).toMatchObject({ scope: first.scope })
  })

  test('a repeated refresh returns a full hour, even if the sandbox clock moved on', async () => {
    const first = await logins.login('member')
    const second = await logins.refresh(first.refresh_token)
    await world.advance(2 * HOUR)
    expect(await logins.probe(second.access_token)).toEqual(GONE)
    await logins.refresh(first.refresh_token)
    expect(await logins.probe(second.access_token)).toEqual(GOOD)
  })

  test.each<[what: string, use: (pair: Tokens) => Promise<unknown>]>([
    ['its successor was used', (pair) => logins.refresh(pair.refresh_token)],
    ['the access token that came with it was used', (pair) => logins.probe(pair.access_token)],
    ['that access token was revoked', (pair) => logins.revoke(pair.access_token)],
    ['a minute of the machine has passed', async () => (logins.machine.now += MINUTE + 1)],
    ['the clock of the machine was set back', async () => (logins.machine.now -= MINUTE + 1)],
  ])('a refresh token that comes again after %s ends the whole login', async (_what, use) => {
    const other = await logins.login('member')
    const first = await logins.login('member')
    const second = await logins.refresh(first.refresh_token)
    await use(second)
    await expect(logins.refresh(first.refresh_token)).rejects.toThrow(/used before, so this login is over/)
    for (const { access_token } of [first, second]) expect(await logins.probe(access_token)).toEqual(GONE)
    await expect(logins.refresh(second.refresh_token)).rejects.toMatchObject({ code: 'invalid_grant' })
    expect(await logins.probe(other.access_token)).toEqual(GOOD)
  })

  test('simultaneous refreshes with the same token all get the same pair', async () => {
    const first = await logins.login('member')
    const { won, lost } = await race(...Array.from({ length: 12 }, () => logins.refresh(first.refresh_token)))
    expect(lost).toEqual([])
    expect(new Set(won.map((pair) => JSON.stringify(pair))).size).toBe(1)
    const [second] = won
    // The others still have the first token: its next use counts as theft.
    const third = await logins.refresh(second?.refresh_token)
    await expect(logins.refresh(first.refresh_token)).rejects.toMatchObject({ code: 'invalid_grant' })
    expect(await logins.probe(third.access_token)).toEqual(GONE)
  })

  test('simultaneous use of the old and the new pair leaves one login or none', async () => {
    for (let round = 0; round < iterations(6, 200); round += 1) {
      const first = await logins.login('member')
      const second = await logins.refresh(first.refresh_token)
      const { won } = await race(
        ...[first, second, first, second].map(({ refresh_token }) => logins.refresh(refresh_token)),
        logins.probe(second.access_token).then(() => undefined),
      )
      const pairs = won.flatMap((pair) => (pair === undefined ? [] : [pair.refresh_token]))
      const live = await world.db.read((tx) =>
        tx.all('select token_hash from refresh_tokens where used_at is null'),
      )
      const hashes = new Set(live.map((row) => row['token_hash']))
      const alive = new Set(pairs.filter((token) => hashes.has(sha256Hex(token ?? ''))))
      expect(alive.size).toBeLessThanOrEqual(1)
      await logins.revoke(first.refresh_token ?? '')
    }
  })

  test('a login that is revoked during a refresh leaves no token', async () => {
    const first = await logins.login('member')
    const { won } = await race(
      logins.refresh(first.refresh_token),
      logins.revoke(first.refresh_token ?? '').then(() => undefined),
    )
    const turned = won.flatMap((tokens) => (tokens === undefined ? [] : [tokens]))
    for (const { access_token } of [first, ...turned]) expect(await logins.probe(access_token)).toEqual(GONE)
  })

  test('a program with a secret acts for its account, with the scopes that it was given', async () => {
    const credential = await logins.client('shipper', ['shipments.read', 'coverage.read'])
    const ask = (scope?: string) => logins.ask({ ...credential, grantType: GRANT_TYPES.client, scope })
    const tokens = await ask()
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^dray_sbx_/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'coverage.read shipments.read',
    })
    expect(await logins.probe(tokens.access_token, 'list_shipments')).toEqual(GOOD)
    expect((await ask('shipments.read shipments.create')).scope).toBe('shipments.read')
    await expect(ask('shipments.create')).rejects.toMatchObject({ code: 'invalid_scope' })
  })
})

describe('time', () => {
  beforeEach(() => open())

  test('a code is over after ten minutes, whether it was approved or not', async () => {
    const [waiting, approved] = [await logins.codes(), await logins.codes()]
    await logins.decide({ userCode: approved.userCode, approve: true, accountId: 'member' })
    await world.advance(10 * MINUTE - 1)
    await expect(logins.poll(waiting.deviceCode)).rejects.toMatchObject({ code: 'authorization_pending' })
    await world.advance(1)
    for (const { deviceCode } of [waiting, approved])
      await expect(logins.poll(deviceCode)).rejects.toMatchObject({ code: 'expired_token' })
  })

  test('an approved code is good until its last millisecond', async () => {
    const { deviceCode, userCode } = await logins.codes()
    await logins.decide({ userCode, approve: true, accountId: 'member' })
    await world.advance(10 * MINUTE - 1)
    expect((await logins.poll(deviceCode)).scope).toContain('profile.read')
  })

  test('an access token lasts an hour of the service’s clock, a refresh token thirty days', async () => {
    const first = await logins.login('member')
    await world.advance(HOUR - 1)
    expect(await logins.probe(first.access_token)).toEqual(GOOD)
    await world.advance(1)
    expect(await logins.probe(first.access_token)).toEqual(GONE)
    await world.advance(30 * DAY - HOUR - 1)
    const second = await logins.refresh(first.refresh_token)
    // Each new token has its own thirty days.
    await world.advance(30 * DAY)
    await expect(logins.refresh(second.refresh_token)).rejects.toThrow(/has expired/)
  })

  test('a device that asks too early waits five seconds longer each time, by the clock of the machine', async () => {
    const { deviceCode, userCode } = await logins.codes()
    const poll = async (at: number): Promise<unknown> => {
      logins.machine.now = at
      return logins.poll(deviceCode).catch(({ code }: { code: unknown }) => code)
    }
    expect(await poll(0)).toBe('authorization_pending')
    expect(await poll(5_000)).toBe('authorization_pending')
    expect(await poll(9_000)).toBe('slow_down')
    // Ten seconds after the last poll, less half a second for the network.
    expect(await poll(18_499)).toBe('slow_down')
    expect(await poll(18_499 + 14_500)).toBe('authorization_pending')
    // The service's clock does not matter here.
    await world.advance(5 * MINUTE)
    expect(await poll(18_499 + 14_500)).toBe('slow_down')
    // An approved login is answered at once.
    await logins.decide({ userCode, approve: true, accountId: 'member' })
    expect(await poll(18_499 + 14_500)).toMatchObject({ token_type: 'Bearer' })
  })

  test('expired logins are deleted when the account logs in again', async () => {
    const count = async () =>
      world.db.read(async (tx) => ({
        grants: (await tx.all('select grant_id from grants')).length,
        refresh: (await tx.all('select token_hash from refresh_tokens')).length,
        access: (await tx.all('select token_hash from tokens')).length,
      }))
    const first = await logins.login('member')
    await logins.login('guest')
    await world.advance(DAY)
    const second = await logins.refresh(first.refresh_token)
    expect(await count()).toEqual({ grants: 2, refresh: 3, access: 2 })
    await world.advance(29 * DAY)
    await logins.refresh(second.refresh_token)
    // The login's first token has expired, like every other of the account.
    expect(await count()).toEqual({ grants: 2, refresh: 3, access: 2 })
    await world.advance(30 * DAY)
    await logins.login('member')
    expect(await count()).toEqual({ grants: 2, refresh: 2, access: 2 })
  })
})

describe('the token endpoint refuses', () => {
  beforeAll(() => open())

  test('a request without a grant, or with one that it does not know', async () => {
    await expect(logins.ask({})).rejects.toMatchObject({ code: 'invalid_request', message: /grant_type/ })
    for (const grantType of ['authorization_code', 'password', 'toString'])
      await expect(logins.ask({ grantType })).rejects.toMatchObject({ code: 'unsupported_grant_type' })
  })

  test('a grant without its token or code', async () => {
    await expect(logins.ask({ grantType: GRANT_TYPES.device })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    await expect(logins.refresh(undefined)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('an unknown client, a wrong secret, or none', async () => {
    const { clientId, secret } = await logins.client('shipper')
    const wrong = [
      { clientId: undefined, secret: undefined },
      { clientId: 'nobody', secret: undefined },
      { clientId: 'nobody', secret },
      { clientId, secret: undefined },
      { clientId, secret: '' },
      { clientId, secret: `${secret.slice(0, -1)}~` },
      { clientId: 'dray-cli', secret },
    ]
    for (const credential of wrong) {
      const asked = logins.ask({ ...credential, grantType: GRANT_TYPES.client })
      await expect(asked).rejects.toMatchObject({ code: 'invalid_client', status: 401 })
    }
  })

  test('grants that a client may not use', async () => {
    const credential = await logins.client('shipper')
    const { deviceCode } = await logins.codes()
    const refused = { code: 'unauthorized_client', status: 400 }
    await expect(logins.ask({ grantType: GRANT_TYPES.client })).rejects.toMatchObject(refused)
    for (const grantType of [GRANT_TYPES.device, GRANT_TYPES.refresh])
      await expect(logins.ask({ ...credential, grantType, deviceCode })).rejects.toMatchObject(refused)
    const start = logins.startDevice({ ...credential, scope: undefined, device: 'x' })
    await expect(start).rejects.toMatchObject(refused)
  })

  test('codes and tokens that nobody holds, or that are something else', async () => {
    const { deviceCode, userCode } = await logins.codes()
    const { access_token, refresh_token } = await logins.login('member')
    for (const guess of ['x', userCode, access_token, deviceCode.slice(0, -1)]) {
      await expect(logins.poll(guess)).rejects.toMatchObject({ code: 'invalid_grant' })
      await expect(logins.refresh(guess)).rejects.toMatchObject({ code: 'invalid_grant' })
    }
    await expect(logins.poll(refresh_token ?? '')).rejects.toMatchObject({ code: 'invalid_grant' })
    for (const notAccess of [deviceCode, refresh_token ?? ''])
      expect(await logins.probe(notAccess)).toEqual(GONE)
  })

  test('a denied device', async () => {
    const { deviceCode, userCode } = await logins.codes()
    await logins.decide({ userCode, approve: false })
    for (let time = 0; time < 2; time++)
      await expect(logins.poll(deviceCode)).rejects.toMatchObject({ code: 'access_denied' })
  })

  test('scopes that the login does not have, and the refresh token stays good', async () => {
    const { refresh_token } = await logins.login('shipper', 'shipments.read profile.read')
    for (const scope of ['shipments.create', 'food.read', 'nothing', ' ']) {
      await expect(logins.refresh(refresh_token, scope)).rejects.toMatchObject({ code: 'invalid_scope' })
    }
    const narrow = await logins.refresh(refresh_token, 'profile.read shipments.manage')
    expect(narrow.scope).toBe('profile.read')
    expect(await logins.probe(narrow.access_token, 'list_shipments')).toEqual([403, 'insufficient_scope'])
    // Requesting fewer scopes once does not narrow the login.
    expect((await logins.refresh(narrow.refresh_token)).scope).toBe('profile.read shipments.read')
  })
})

describe('a token', () => {
  beforeAll(() => open())

  test('is described to its holder', async () => {
    const { access_token, refresh_token, scope } = await logins.login('shipper')
    const now = (await world.now()) / 1000
    expect(await logins.introspect(access_token)).toEqual({
      active: true,
      scope,
      client_id: 'dray-cli',
      sub: expect.stringMatching(/^[a-z]{3}_/),
      username: 'shipper',
      token_type: 'Bearer',
      iat: now,
      exp: now + 3600,
    })
    const { token } = await callTestControl(world, 'mint_token', { account: 'everything' })
    const minted = await logins.introspect(token)
    expect(minted).toMatchObject({ active: true, username: 'everything', scope: SCOPES.join(' ') })
    expect(minted).not.toHaveProperty('client_id')
    for (const other of [refresh_token ?? '', 'x', '']) {
      expect(await logins.introspect(other)).toEqual({ active: false })
    }
  })

  test('of a program or made by hand is revoked alone, a refresh token with its whole login', async () => {
    const first = await logins.login('member')
    const second = await logins.refresh(first.refresh_token)
    await logins.revoke(first.access_token)
    expect(await logins.probe(first.access_token)).toEqual(GONE)
    expect(await logins.probe(second.access_token)).toEqual(GOOD)

    // Used or not: the holder of a token may revoke its login.
    await logins.revoke(first.refresh_token ?? '')
    expect(await logins.probe(second.access_token)).toEqual(GONE)
    await expect(logins.refresh(second.refresh_token)).rejects.toMatchObject({ code: 'invalid_grant' })

    const { token } = await callTestControl(world, 'mint_token', { account: 'member' }, { seedOfChance: 9 })
    await logins.revoke(token)
    expect(await logins.probe(token)).toEqual(GONE)
    await logins.revoke('never heard of')
  })
})
