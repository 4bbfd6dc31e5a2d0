/** A token is shown by its own program alone, until it ends to the millisecond. */
import { expect, test } from 'vitest'
import { type OAuthError } from '../../src/oauth/refusal.ts'
import {
  exchangeDeviceCode,
  exchangeRefreshToken,
  introspectToken,
  type IssuedTokens,
  type Moment,
} from '../../src/oauth/token.ts'
import { loginsOver } from '../support/logins.ts'
import { openTestSandbox } from '../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

async function start() {
  const world = await openTestSandbox()
  const logins = loginsOver(world)
  let drawn = 0
  const at = (now: number): Moment => ({
    now,
    machineNow: logins.machine.now,
    random: (count) => new Uint8Array(count).fill(++drawn),
  })
  return {
    world,
    logins,
    refresh: (refreshToken: string | undefined, clientId = 'dray-cli', after = 0) =>
      world.write((tx, _stored, now) =>
        exchangeRefreshToken(
          tx,
          { refreshToken: refreshToken ?? '', clientId, scope: undefined },
          at(now + after),
        ),
      ),
    poll: (deviceCode: string, clientId: string, after = 0) =>
      world.write((tx, _stored, now) => exchangeDeviceCode(tx, { deviceCode, clientId }, at(now + after))),
  }
}

const codeOf = (answer: IssuedTokens | OAuthError): string | undefined =>
  'code' in answer ? answer.code : undefined

test('a refresh token that another program shows is not known, and its own login goes on', async () => {
  const { logins, refresh } = await start()
  const first = await logins.login('member')
  expect(codeOf(await refresh(first.refresh_token, 'another'))).toBe('invalid_grant')
  expect(codeOf(await refresh(first.refresh_token))).toBeUndefined()
})

test('a device code that another program shows is not known, and its own program gets the tokens', async () => {
  const { logins, poll } = await start()
  const { deviceCode, userCode } = await logins.codes()
  await logins.decide({ userCode, approve: true, accountId: 'member' })
  expect(codeOf(await poll(deviceCode, 'another'))).toBe('invalid_grant')
  expect(codeOf(await poll(deviceCode, 'dray-cli'))).toBeUndefined()
})

test('a device code that was used stays used, also after its time', async () => {
  const { logins, poll } = await start()
  const { deviceCode, userCode } = await logins.codes()
  await logins.decide({ userCode, approve: true, accountId: 'member' })
  expect(codeOf(await poll(deviceCode, 'dray-cli'))).toBeUndefined()
  expect(codeOf(await poll(deviceCode, 'dray-cli', DAY))).toBe('invalid_grant')
})

test('a device gets no tokens for an account that lost all that it asked for', async () => {
  const { world, logins, poll } = await start()
  const { deviceCode, userCode } = await logins.codes('food.read')
  await logins.decide({ userCode, approve: true, accountId: 'member' })
  await world.write((tx) => tx.run(`update accounts set scopes = 'profile.read' where handle = 'member'`))
  expect(codeOf(await poll(deviceCode, 'dray-cli'))).toBe('invalid_scope')
})

test('a refresh token ends after 30 days, an access token after an hour', async () => {
  const { world, logins, refresh } = await start()
  const first = await logins.login('member')
  expect(codeOf(await refresh(first.refresh_token, 'dray-cli', 30 * DAY))).toBe('invalid_grant')
  const isActive = (after: number) =>
    world.write(
      async (tx, _stored, now) => (await introspectToken(tx, first.access_token, now + after)).active,
    )
  expect([await isActive(HOUR - 1), await isActive(HOUR)]).toEqual([true, false])
  await world.advance(HOUR - 1)
  expect((await logins.probe(first.access_token))[0]).toBe(200)
  await world.advance(1)
  expect((await logins.probe(first.access_token))[0]).toBe(401)
  const rest = 30 * DAY - HOUR
  expect(codeOf(await refresh(first.refresh_token, 'dray-cli', rest))).toBe('invalid_grant')
  expect(codeOf(await refresh(first.refresh_token, 'dray-cli', rest - 1))).toBeUndefined()
})
