/** The caller: a token over HTTP, the account itself in this process. */
import { beforeEach, describe, expect, test } from 'vitest'
import { insertToken, loadAccount, type StoredToken } from '../../src/areas/account/queries/accounts.ts'
import { AppError } from '../../src/core/errors.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { saveClock } from '../../src/db/world.ts'
import { authenticate, resolveCaller } from '../../src/gateway/credential.ts'
import type { Credential } from '../../src/gateway/request.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../support/world.ts'

const HOUR = 3_600_000
let world: TestSandbox

beforeEach(async () => {
  world = await openTestSandbox()
})

const ask = async (credential: Credential | undefined, operation = 'get_membership_status') => {
  const { status, body, headers } = await world.call(operation, {}, { credential })
  return {
    status,
    code: body['code'],
    detail: body['detail'],
    hint: body['hint'],
    time: headers['Service-Time'],
  }
}

async function token(text: string, differences: Partial<StoredToken> = {}): Promise<Credential> {
  const { account_id } = await world.db.read((tx) => loadAccount(tx, 'everything'))
  await world.write((tx, _stored, now) =>
    insertToken(tx, {
      token_hash: sha256Hex(text),
      account_id,
      scopes: ['profile.read'],
      created_at: now,
      expires_at: now + HOUR,
      ...differences,
    }),
  )
  return { token: text }
}

describe('a token', () => {
  test('is good for its scopes alone, until it ends to the millisecond', async () => {
    const credential = await token('good')
    expect(await ask(credential)).toMatchObject({ status: 200 })
    expect(await ask(credential, 'list_shipments')).toMatchObject({ status: 403, code: 'insufficient_scope' })
    await world.advance(HOUR - 1)
    expect(await ask(credential)).toMatchObject({ status: 200 })
    await world.advance(1)
    expect(await ask(credential)).toEqual({
      status: 401,
      code: 'invalid_token',
      detail:
        'The token expired at 2026-11-20T10:00:00.000Z; the sandbox clock is at 2026-11-20T10:00:00.000Z.',
      hint: 'Mint another that lasts longer: `dray sandbox account token everything --expires-in 3650d`.',
      time: '2026-11-20T10:00:00.000Z;mode=frozen',
    })
  })

  test('of a login that expired is renewed by the login, not minted', async () => {
    const credential = await token('login', { client_id: 'dray-cli', expires_at: NINE_AM })
    expect(await ask(credential)).toMatchObject({
      code: 'invalid_token',
      hint: new AppError('invalid_token', '').hint,
    })
  })

  test('that is not known is refused, and so is a header that holds none', async () => {
    expect(await ask({ token: 'unknown' })).toMatchObject({ status: 401, detail: 'The token is not known.' })
    expect(await ask({ token: '' })).toMatchObject({
      status: 401,
      detail: 'The Authorization header must have one bearer token.',
      hint: 'Send Authorization: Bearer <token>.',
    })
  })

  test('is another one than that before it, and that of nobody', async () => {
    const [first, second] = [await token('one'), await token('two', { scopes: ['food.read'] })]
    expect([(await ask(first)).status, (await ask(second)).status, (await ask(first)).status]).toEqual([
      200, 403, 200,
    ])
    await world.write((tx) => tx.run('delete from tokens where token_hash = $1', sha256Hex('one')))
    expect((await ask(first)).status).toBe(401)
  })
})

test('a call without a credential is refused, with the time of the service', async () => {
  expect(await ask(undefined)).toMatchObject({
    status: 401,
    code: 'missing_token',
    time: '2026-11-20T09:00:00.000Z;mode=frozen',
  })
})

test('an account of this process has all its scopes, one of a page those of its session that it still has', async () => {
  expect((await ask({ account: 'shipper' }, 'list_shipments')).status).toBe(200)
  const session = (...scopes: ('profile.read' | 'shipments.read' | 'food.read')[]) => ({
    account: 'shipper',
    scopes,
  })
  expect((await ask(session('shipments.read'), 'list_shipments')).status).toBe(200)
  expect((await ask(session('profile.read'), 'list_shipments')).status).toBe(403)
  // The account itself has no such scope.
  expect((await ask(session('food.read'), 'search_restaurants')).status).toBe(403)
})

test('an account is known by its id and its short name, and another one is refused', async () => {
  const { account_id } = await world.db.read((tx) => loadAccount(tx, 'shipper'))
  for (const account of [account_id, 'shipper']) expect((await ask({ account })).status).toBe(200)
  expect(await ask({ account: 'nobody' })).toMatchObject({ code: 'account_not_found' })
})

describe('a caller', () => {
  /** Looks for a caller at a time of the machine. Returns its handle, the service's time, and how often the store was asked. */
  const seek = (credential: Credential | undefined, realNow = NINE_AM) =>
    world.db.read(async (tx) => {
      let asked = 0
      const get: typeof tx.get = (...statement) => {
        asked += 1
        return tx.get(...statement)
      }
      const sought = await resolveCaller({ ...tx, get }, credential, realNow)
      return { handle: sought.account?.handle, now: sought.now, asked }
    })

  /** Lets the clock of the service run with that of the machine. */
  const run = () =>
    world.write((tx) =>
      saveClock(tx, { mode: 'real', real: NINE_AM, service: NINE_AM, factor: 1, high: NINE_AM }),
    )

  test('is kept in memory while nobody changes it, and is told the time of each call', async () => {
    await run()
    for (const credential of [await token('good'), { account: 'everything' }]) {
      expect(await seek(credential)).toEqual({ handle: 'everything', now: NINE_AM, asked: 1 })
      expect(await seek(credential, NINE_AM + 1)).toEqual({
        handle: 'everything',
        now: NINE_AM + 1,
        asked: 0,
      })
    }
  })

  test('whose token ends is looked for again from that millisecond on', async () => {
    await run()
    const credential = await token('good')
    await seek(credential)
    expect(await seek(credential, NINE_AM + HOUR - 1)).toMatchObject({ asked: 0 })
    for (const at of [NINE_AM + HOUR, NINE_AM + HOUR])
      expect(await seek(credential, at)).toMatchObject({ asked: 1, now: at })
  })

  test('whom nobody knows is looked for each time, so that guesses fill no memory', async () => {
    for (const credential of [{ token: 'guess' }, { token: 'guess' }])
      expect(await seek(credential)).toEqual({ handle: undefined, now: NINE_AM, asked: 1 })
  })

  test('without a credential is nobody, at the time of the service', async () => {
    expect(await seek(undefined)).toMatchObject({ handle: undefined, now: NINE_AM })
  })

  test('of this process is sought before it is authenticated', async () => {
    const sought = await world.db.read((tx) => resolveCaller(tx, undefined, NINE_AM))
    expect(() => authenticate({ account: 'everything' }, sought)).toThrow('was not sought')
  })

  test('of a refreshed login is noted at the first use of its token alone', async () => {
    const notedOf = async (credential: Credential) => {
      const sought = await world.db.read((tx) => resolveCaller(tx, credential, NINE_AM))
      return authenticate(credential, sought).unsettled
    }
    expect(await notedOf(await token('plain'))).toBeUndefined()
    const refreshed = await token('refreshed', { turned_from: sha256Hex('before') })
    expect(await notedOf(refreshed)).toBe(sha256Hex('refreshed'))
    expect(await ask(refreshed)).toMatchObject({ status: 200 })
    expect(await notedOf(refreshed)).toBeUndefined()
  })
})
