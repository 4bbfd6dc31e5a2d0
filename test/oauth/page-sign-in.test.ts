/** A browser that shows a code signs in once a person approves it, in ten minutes of the service, and once. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PageName } from '../../src/core/pages.ts'
import { findPageSession } from '../../src/oauth/page-sessions.ts'
import { continueSignIn, PAGES_CLIENT, type SignIn, startSignIn } from '../../src/oauth/page-sign-in.ts'
import { loginsOver } from '../support/logins.ts'
import { openTestSandbox } from '../support/world.ts'

const LIFE = 600_000

async function start(page: PageName | undefined = 'parcels') {
  const world = await openTestSandbox()
  const logins = loginsOver(world)
  const moment = { machineNow: 0, random: randomBytes }
  const code = await startSignIn(world.db, { device: 'A browser', page }, moment)
  const ask = (secret = code): Promise<SignIn> =>
    continueSignIn(world.db, { code: secret, page, before: new Map() }, moment)
  return {
    world,
    logins,
    code,
    ask,
    decide: async (decision: { approve: true; accountId: string } | { approve: false }) => {
      const waiting = await ask()
      const userCode = 'userCode' in waiting ? waiting.userCode : ''
      return logins.decide({ userCode, ...decision })
    },
    found: (secret: string, on: PageName | undefined = page) =>
      world.write((tx) => findPageSession(tx, { secret, page: on }, 0)),
  }
}

const APPROVE = { approve: true, accountId: 'shipper' } as const

test('a browser waits with its code until a person approves it, and is then signed in with what its page uses', async () => {
  const { world, ask, decide, found } = await start()
  const { writes } = world.db.tally
  expect(await ask()).toEqual({
    status: 'pending',
    userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) as string,
  })
  // It asks often.
  expect(world.db.tally.writes).toBe(writes)
  await decide(APPROVE)
  const done = await ask()
  const secret = 'secret' in done ? done.secret : ''
  expect(await found(secret, 'kitchen')).toBeUndefined()
  const session = await found(secret)
  expect(session).toMatchObject({ account: { handle: 'shipper' }, control: false, byControl: false })
  expect(session?.scopes).toContain('shipments.read')
  expect(session?.scopes).not.toContain('food.read')
})

test('a code signs one browser in', async () => {
  const { ask, decide } = await start()
  await decide(APPROVE)
  const both = await Promise.all([ask(), ask()])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['done', 'expired'])
  expect(await ask()).toEqual({ status: 'expired' })
})

test('a browser that is denied is told so', async () => {
  const { ask, decide } = await start()
  await decide({ approve: false })
  expect(await ask()).toEqual({ status: 'denied' })
})

test('a code is over after ten minutes of the service, approved or not', async () => {
  const [waiting, approved] = [await start(), await start(undefined)]
  await approved.decide(APPROVE)
  for (const { world } of [waiting, approved]) await world.advance(LIFE - 1)
  expect(await waiting.ask()).toMatchObject({ status: 'pending' })
  for (const { world } of [waiting, approved]) await world.advance(1)
  expect([await waiting.ask(), await approved.ask()]).toEqual([{ status: 'expired' }, { status: 'expired' }])
})

test('a code that nobody holds, or that another program shows, signs nobody in; nor does a program get tokens by that of a browser', async () => {
  const { logins, code, ask, decide } = await start()
  expect(await ask('dray_dev_unknown')).toEqual({ status: 'expired' })
  const { deviceCode, userCode } = await logins.codes()
  await logins.decide({ userCode, ...APPROVE })
  expect(await ask(deviceCode)).toEqual({ status: 'expired' })
  await decide(APPROVE)
  await expect(logins.poll(code)).rejects.toMatchObject({ code: 'invalid_grant' })
  const asPages = logins.ask({ grantType: 'refresh_token', clientId: PAGES_CLIENT, refreshToken: code })
  await expect(asPages).rejects.toMatchObject({ code: 'invalid_client' })
})
