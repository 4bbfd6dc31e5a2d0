import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '../../../src/core/db.ts'
import { GRANT_TYPES } from '../../../src/oauth/service.ts'
import { loadSnapshot, saveSnapshot } from '../../../src/sandbox/control/snapshot.ts'
import { callTestControl } from '../../support/control.ts'
import { loginsOver, type TestLogins } from '../../support/logins.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const GONE = [401, 'invalid_token']
const GOOD = [200, undefined]

let world: TestSandbox
let logins: TestLogins

async function open(engine = ENGINES[0]): Promise<void> {
  world = await openTestSandbox(engine === undefined ? {} : { engine })
  logins = loginsOver(world)
}

describe('approve_device', () => {
  beforeAll(() => open())

  test('lets a device in for an account, or for the one that may do everything', async () => {
    const [one, other] = [await logins.codes('food.read'), await logins.codes()]
    expect(
      await callTestControl(world, 'approve_device', {
        user_code: one.userCode.toLowerCase(),
        account: 'member',
      }),
    ).toEqual({
      user_code: one.userCode,
      status: 'approved',
      device: 'A laptop',
      account_id: expect.stringMatching(/^[a-z]{3}_/),
      handle: 'member',
      scopes: ['food.read'],
    })
    expect((await logins.poll(one.deviceCode)).scope).toBe('food.read')
    const { handle } = await callTestControl(world, 'approve_device', { user_code: other.userCode })
    expect(handle).toBe('everything')
  })

  test('turns one away', async () => {
    const { deviceCode, userCode } = await logins.codes()
    expect(await callTestControl(world, 'approve_device', { user_code: userCode, deny: true })).toMatchObject(
      {
        status: 'denied',
        account_id: null,
        scopes: [],
      },
    )
    await expect(logins.poll(deviceCode)).rejects.toMatchObject({ code: 'access_denied' })
  })

  test.each([
    [{ user_code: 'BBBB-BBBB' }, 'invalid_request'],
    [{ user_code: '' }, 'invalid_request'],
    [{}, 'invalid_request'],
    [{ user_code: 'BBBB-BBBB', account: 'member', deny: true }, 'invalid_request'],
    [{ user_code: 'BBBB-BBBB', scopes: [] }, 'invalid_request'],
  ])('refuses %j as %s', async (input, code) => {
    await expect(callTestControl(world, 'approve_device', input)).rejects.toMatchObject({ code })
  })

  test('refuses an account that is not there', async () => {
    const { userCode } = await logins.codes()
    const asked = callTestControl(world, 'approve_device', { user_code: userCode, account: 'nobody' })
    await expect(asked).rejects.toMatchObject({ code: 'account_not_found' })
  })
})

describe('create_client', () => {
  beforeAll(() => open())

  test('shows a secret once, and keeps its hash only', async () => {
    const made = await callTestControl(world, 'create_client', { account: 'owner', scopes: ['orders.read'] })
    expect(made).toEqual({
      client_id: expect.stringMatching(/^cli_[0-9a-z]{26}$/),
      client_secret: expect.stringMatching(/^dray_sec_[\w-]{43}$/),
      account_id: expect.any(String),
      handle: 'owner',
      scopes: ['orders.read'],
    })
    const rows = await world.db.read((tx) => tx.all('select * from oauth_clients'))
    expect(rows).toMatchObject([{ client_id: made.client_id, scopes: 'orders.read' }])
    expect(JSON.stringify(rows)).not.toContain(made.client_secret.slice(9))
  })

  test.each([
    [{ account: 'nobody' }, 'account_not_found'],
    [{ account: 'shipper', scopes: ['menu.manage'] }, 'invalid_request'],
    [{ account: 'shipper', scopes: [] }, 'invalid_request'],
    [{}, 'invalid_request'],
  ])('refuses %j as %s', async (input, code) => {
    await expect(callTestControl(world, 'create_client', input)).rejects.toMatchObject({ code })
  })
})

describe.each(ENGINES)('on $name', (engine) => {
  test('a snapshot that is loaded leaves everybody logged in whose account is there, and nobody else', async () => {
    await open(engine)
    const chunks: Uint8Array[] = []
    await saveSnapshot(world.db, 0, (chunk) => void chunks.push(chunk))
    await callTestControl(world, 'add_account', { handle: 'passing' })
    const stays = await logins.login('member')
    const goes = await logins.login('passing')
    const [client, gone] = [await logins.client('shipper'), await logins.client('passing')]
    const [waiting, approved, lost] = [await logins.codes(), await logins.codes(), await logins.codes()]
    await logins.decide({ userCode: approved.userCode, approve: true, accountId: 'member' })
    await logins.decide({ userCode: lost.userCode, approve: true, accountId: 'passing' })

    let after = ''
    await saveSnapshot(world.db, 0, (chunk) => void (after += Buffer.from(chunk).toString()))
    expect(after).toContain('passing')
    for (const secret of ['A laptop', client.clientId, waiting.userCode]) expect(after).not.toContain(secret)
    await loadSnapshot(world.db, { now: () => 0, random: randomBytes }, async function* () {
      yield* chunks
    })

    expect(await logins.probe(stays.access_token)).toEqual(GOOD)
    expect(await logins.probe((await logins.refresh(stays.refresh_token)).access_token)).toEqual(GOOD)
    expect((await logins.ask({ ...client, grantType: GRANT_TYPES.client })).expires_in).toBe(3600)
    await logins.decide({ userCode: waiting.userCode, approve: true, accountId: 'guest' })
    for (const { deviceCode } of [waiting, approved])
      expect(await logins.probe((await logins.poll(deviceCode)).access_token)).toEqual(GOOD)

    expect(await logins.probe(goes.access_token)).toEqual(GONE)
    await expect(logins.refresh(goes.refresh_token)).rejects.toMatchObject({ code: 'invalid_grant' })
    await expect(logins.poll(lost.deviceCode)).rejects.toMatchObject({ code: 'invalid_grant' })
    await expect(logins.ask({ ...gone, grantType: GRANT_TYPES.client })).rejects.toMatchObject({
      code: 'invalid_client',
    })
  })

  test('a reset forgets every login, program and device', async () => {
    await open(engine)
    const { access_token, refresh_token } = await logins.login('member')
    const client = await logins.client('shipper')
    const { userCode } = await logins.codes()
    await callTestControl(world, 'reset')
    expect(await logins.probe(access_token)).toEqual(GONE)
    await expect(logins.refresh(refresh_token)).rejects.toMatchObject({ code: 'invalid_grant' })
    await expect(logins.ask({ ...client, grantType: GRANT_TYPES.client })).rejects.toMatchObject({
      code: 'invalid_client',
    })
    await expect(callTestControl(world, 'approve_device', { user_code: userCode })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })
})

describe('while the sandbox is reset on PostgreSQL', () => {
  const RESET = { at: '2026-11-20T09:00:00Z' }

  beforeEach(() => open(ENGINES.find(({ name }) => name === 'PostgreSQL')))

  /** Holds back the commit of the next transaction: `ready` resolves after its work, and `letGo` lets it commit. */
  function heldBack(): { held: TestSandbox; ready: Promise<void>; letGo: () => void } {
    const [ready, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { db } = world
    const write: Db['write'] = (work) =>
      db.write(async (tx) => {
        const result = await work(tx)
        ready.resolve()
        await go.promise
        return result
      })
    return { held: { ...world, db: { ...db, write } }, ready: ready.promise, letGo: () => go.resolve() }
  }

  const waiting = () =>
    world.db.read((tx) =>
      tx.get(
        `select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    )

  test('a login under way is finished first, and then forgotten', async () => {
    const { refresh_token } = await logins.login('member')
    const { held, ready, letGo } = heldBack()
    const login = loginsOver(held).refresh(refresh_token)
    await ready
    const reset = callTestControl(world, 'reset', RESET)
    await expect.poll(waiting).toEqual({ count: 1 })
    letGo()
    await reset
    expect(await logins.probe((await login).access_token)).toEqual(GONE)
  })

  test('a caller waits meanwhile, and then uses the new store', async () => {
    const { deviceCode } = await logins.codes()
    const { held, ready, letGo } = heldBack()
    const reset = callTestControl(held, 'reset', RESET)
    await ready
    const login = logins.poll(deviceCode).catch((error: unknown) => error)
    await expect.poll(waiting).toEqual({ count: 1 })
    letGo()
    await reset
    expect(await login).toMatchObject({ code: 'invalid_grant' })
    expect(await logins.probe((await logins.login('member')).access_token)).toEqual(GOOD)
  })
})
