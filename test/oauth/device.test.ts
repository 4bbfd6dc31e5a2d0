import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/core/account.ts'
import { AppError } from '../../src/core/errors.ts'
import {
  decideDevice,
  type DeviceDecision,
  findDevice,
  readDeviceName,
  startDeviceLogin,
} from '../../src/oauth/device.ts'
import { OAuthError } from '../../src/oauth/refusal.ts'
import { loginsOver } from '../support/logins.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const LIFE = 600_000

async function start(world: TestSandbox, scope?: string): Promise<string> {
  const asked = { clientId: 'dray-cli', scope, device: 'A laptop' }
  const started = await world.write((tx, _stored, now) => startDeviceLogin(tx, asked, now, randomBytes))
  if (started instanceof OAuthError) throw started
  return started.userCode
}

const find = (world: TestSandbox, userCode: string) =>
  world.write((tx, _stored, now) => findDevice(tx, userCode, now))

const decide = (world: TestSandbox, decision: DeviceDecision) =>
  world.write((tx, _stored, now) => decideDevice(tx, decision, now))

describe.each(ENGINES)('on $name', (engine) => {
  test('a person finds the device by its code, in any spelling, and approves it', async () => {
    const world = await openTestSandbox({ engine })
    const code = await start(world, 'food.read shipments.read menu.manage')
    expect(await find(world, code.toLowerCase().replace('-', ' '))).toEqual({
      user_code: code,
      device: 'A laptop',
      client_id: 'dray-cli',
      scopes: ['food.read', 'shipments.read', 'menu.manage'],
      status: 'pending',
      expires_at: (await world.now()) + LIFE,
    })
    const { device, account } = await decide(world, { userCode: code, approve: true, accountId: 'shipper' })
    expect(device).toMatchObject({ status: 'approved', scopes: ['shipments.read'] })
    expect(account?.handle).toBe('shipper')
    expect(await find(world, code)).toEqual(device)
  })

  test('of two simultaneous decisions one counts, and the other gets an error', async () => {
    const world = await openTestSandbox({ engine })
    const userCode = await start(world)
    const outcomes = await Promise.allSettled([
      decide(world, { userCode, approve: true, accountId: 'everything' }),
      decide(world, { userCode, approve: false }),
    ])
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(won).toHaveLength(1)
    expect(lost).toMatchObject([{ reason: { code: 'invalid_state' } }])
    expect((await find(world, userCode))?.status).toBe(won[0]?.value.device.status)
  })
})

describe('a device', () => {
  let world: TestSandbox

  beforeAll(async () => {
    world = await openTestSandbox()
  })

  test('asks for everything when it names no scope', async () => {
    expect((await find(world, await start(world)))?.scopes).toEqual(SCOPES)
  })

  test('that requests only unknown scopes gets no code', async () => {
    await expect(start(world, 'admin root')).rejects.toMatchObject({ code: 'invalid_scope' })
  })

  test('is found until its ten minutes are over, to the millisecond', async () => {
    const other = await openTestSandbox()
    const code = await start(other)
    await other.advance(LIFE - 1)
    expect((await find(other, code))?.status).toBe('pending')
    await other.advance(1)
    expect((await find(other, code))?.status).toBe('expired')
    for (const decision of [
      { userCode: code, approve: true, accountId: 'member' },
      { userCode: code, approve: false },
    ] as const) {
      await expect(decide(other, decision)).rejects.toMatchObject({ code: 'invalid_state' })
    }
  })

  test('that was let in and never came for its login is over after the same ten minutes', async () => {
    const other = await openTestSandbox()
    const userCode = await start(other)
    await decide(other, { userCode, approve: true, accountId: 'member' })
    await other.advance(LIFE)
    expect((await find(other, userCode))?.status).toBe('expired')
    await expect(decide(other, { userCode, approve: false })).rejects.toThrow(/The code is over/)
  })

  test('that nobody collected is forgotten an hour after its time, when the next one comes', async () => {
    const other = await openTestSandbox()
    const first = await start(other)
    await other.advance(LIFE + 3_600_000 - 1)
    await start(other)
    expect((await find(other, first))?.status).toBe('expired')
    await other.advance(1)
    await start(other)
    expect(await find(other, first)).toBeUndefined()
  })

  test('without a matching code is unknown, as is an invalid code', async () => {
    for (const userCode of ['BBBB-BBBB', '', 'x'.repeat(5000), "'; drop table device_codes"]) {
      expect(await find(world, userCode)).toBeUndefined()
      await expect(decide(world, { userCode, approve: false })).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '/user_code' }],
      })
    }
  })

  test('is not approved for an unknown account, or for one without any requested scope', async () => {
    const userCode = await start(world, 'menu.manage')
    const approve = (accountId: string) => decide(world, { userCode, approve: true, accountId })
    await expect(approve('nobody')).rejects.toMatchObject({ code: 'account_not_found' })
    await expect(approve('shipper')).rejects.toThrow(
      /shipper has none of the permissions that the device requests: menu\.manage/,
    )
    await expect(approve('shipper')).rejects.toMatchObject({
      hint: expect.stringContaining('another account') as string,
    })
    expect((await find(world, userCode))?.status).toBe('pending')
  })

  test('that is decided cannot be decided again, for whatever account', async () => {
    for (const approve of [true, false]) {
      const userCode = await start(world)
      const { device } = await decide(world, { userCode, approve, accountId: 'everything' })
      expect(device.status).toBe(approve ? 'approved' : 'denied')
      for (const accountId of ['member', 'nobody'])
        await expect(decide(world, { userCode, approve: true, accountId })).rejects.toThrow(
          approve ? /approved already/ : /denied already/,
        )
    }
  })

  test('that is over or denied is told to start again, and one that is logged in is not', async () => {
    const other = await openTestSandbox()
    const logins = loginsOver(other)
    const [waiting, denied, used] = [await start(other), await start(other), await logins.codes()]
    const { userCode } = used
    await decide(other, { userCode: denied, approve: false })
    await decide(other, { userCode, approve: true, accountId: 'member' })
    const refusal = (code: string) =>
      decide(other, { userCode: code, approve: false }).catch((error: AppError) => error)
    expect(await refusal(userCode)).toMatchObject({
      message: 'The device was approved already.',
      hint: new AppError('invalid_state', '').hint,
    })
    await logins.poll(used.deviceCode)
    await other.advance(LIFE)
    const again = expect.stringContaining('Start again on the device') as string
    expect(await refusal(waiting)).toMatchObject({ message: 'The code is over.', hint: again })
    // Its end says more than its time.
    expect(await refusal(denied)).toMatchObject({ message: 'The device was denied already.', hint: again })
    expect(await refusal(userCode)).toMatchObject({ message: 'The device is logged in already.' })
  })

  test('that finds no free code in eight draws gets none', async () => {
    const other = await openTestSandbox()
    let draws = 0
    const random = (count: number): Uint8Array => {
      if (count === 32) return randomBytes(32)
      draws += 1
      return new Uint8Array(count)
    }
    const asked = { clientId: 'dray-cli', scope: undefined, device: 'A laptop' }
    const begin = () => other.write((tx, _stored, now) => startDeviceLogin(tx, asked, now, random))
    await begin()
    draws = 0
    await expect(begin()).rejects.toThrow('no user code is free')
    expect(draws).toBe(8)
  })

  test('whose code is taken by another gets the next one', async () => {
    const drawn = [1, 1, 2].map((byte) => (count: number) => new Uint8Array(count).fill(byte))
    const codes = []
    let draws = 0
    // The device code is drawn first, then user codes until one is unused.
    const random = (count: number): Uint8Array =>
      count === 32 ? randomBytes(32) : (drawn[Math.min(draws++, 2)] ?? randomBytes)(count)
    for (let index = 0; index < 2; index++) {
      const asked = { clientId: 'dray-cli', scope: undefined, device: 'A laptop' }
      const started = await world.write((tx, _stored, now) => startDeviceLogin(tx, asked, now, random))
      if (!(started instanceof OAuthError)) codes.push(started.userCode)
    }
    expect(codes).toEqual(['CCCC-CCCC', 'DDDD-DDDD'])
  })
})

describe('the name of a device', () => {
  test.each([
    ['Ann’s laptop', 'curl/8', 'Ann’s laptop'],
    [undefined, 'curl/8.10', 'curl/8.10'],
    ['  ', undefined, 'A device without a name'],
    ['a\u202Egnp.exe', undefined, 'a gnp.exe'],
    ['one\u0000\u001b[31m\n  two', undefined, 'one [31m two'],
    ['😀'.repeat(100), undefined, '😀'.repeat(60)],
    [`\n${'a'.repeat(61)}`, undefined, 'a'.repeat(60)],
    [`${'a'.repeat(59)} and more`, undefined, 'a'.repeat(59)],
  ])('%j of %j is shown as %j', (given, userAgent, shown) => {
    expect(readDeviceName(given, userAgent)).toBe(shown)
  })
})
