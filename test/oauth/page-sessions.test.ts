/** Browsers that are signed in to a page: one link signs in one browser, and both end to the millisecond. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PageName } from '../../src/core/pages.ts'
import { endApprovals } from '../../src/oauth/approvers.ts'
import {
  createControlTicket,
  createOwnTicket,
  endPageSession,
  findPageSession,
  livePageSessions,
  openPageLink,
  PAGE_LINK_LIFE_S,
  type PageSecrets,
  prolongPageSession,
  SESSION_LIFE_S,
} from '../../src/oauth/page-sessions.ts'
import { loginsOver } from '../support/logins.ts'
import { openTestSandbox } from '../support/world.ts'

const DAY = 86_400_000
const LINK = PAGE_LINK_LIFE_S * 1000
const SESSION = SESSION_LIFE_S * 1000
const NOBODY: PageSecrets = new Map()

async function start() {
  const world = await openTestSandbox()
  const moment = (machineNow: number) => ({ machineNow, random: randomBytes })
  const ticketOf = (page: PageName | undefined, account = 'everything', at = 0) =>
    world.write((tx) => createControlTicket(tx, { account, page }, moment(at)))
  const opened = (ticket: string, at = 0, before = NOBODY) =>
    openPageLink(world.db, { ticket, before }, moment(at))
  const found = (secret: string, page: PageName | undefined, at = 0) =>
    world.write((tx) => findPageSession(tx, { secret, page }, at))
  return {
    world,
    ticketOf,
    opened,
    found,
    ownTicket: (token: string, page?: PageName) => createOwnTicket(world.db, { token, page }, moment(0)),
    signIn: async (page: PageName | undefined, before = NOBODY) =>
      (await opened(await ticketOf(page), 0, before))?.secret ?? '',
    live: (id: string, at: number) => world.write((tx) => livePageSessions(tx, [id], at)),
  }
}

test('a link is over after ten minutes of the machine, and signs one browser in', async () => {
  const { world, ticketOf, opened } = await start()
  const ticket = await ticketOf('kitchen')
  expect(await opened(ticket, LINK)).toBeUndefined()
  expect(await opened(ticket, LINK - 1)).toMatchObject({ page: 'kitchen' })
  expect(await opened(ticket, 0)).toBeUndefined()
  const { writes } = world.db.tally
  expect(await opened('dray_pag_unknown')).toBeUndefined()
  // Anybody may send any number of them.
  expect(world.db.tally.writes).toBe(writes)
  expect(await opened(await ticketOf(undefined))).toHaveProperty('page', undefined)
})

test('links and sessions that are over are forgotten when the next link is made', async () => {
  const { world, ticketOf, signIn } = await start()
  await signIn('kitchen')
  await ticketOf('kitchen')
  const count = async () => (await world.db.read((tx) => tx.all('select 1 from page_sessions'))).length
  expect(await count()).toBe(2)
  await ticketOf('kitchen', 'everything', SESSION)
  expect(await count()).toBe(1)
})

test('a link that two browsers open at once signs one of them in', async () => {
  const { ticketOf, opened } = await start()
  const ticket = await ticketOf('kitchen')
  const both = await Promise.all([opened(ticket), opened(ticket)])
  expect(both.filter((browser) => browser !== undefined)).toHaveLength(1)
})

test('a session is over after a week, and one that is used is prolonged once a day', async () => {
  const { world, signIn, found, live } = await start()
  const secret = await signIn('kitchen')
  const session = await found(secret, 'kitchen', SESSION - 1)
  if (session === undefined) throw new Error('there is no session')
  expect(session).toMatchObject({ expiresAt: SESSION, byControl: true, control: false })
  expect(await found(secret, 'kitchen', SESSION)).toBeUndefined()
  expect([await live(session.id, SESSION - 1), await live(session.id, SESSION)]).toEqual([[session.id], []])
  await prolongPageSession(world.db, session, DAY - 1)
  expect(await found(secret, 'kitchen', SESSION)).toBeUndefined()
  await prolongPageSession(world.db, session, DAY)
  expect((await found(secret, 'kitchen', SESSION))?.expiresAt).toBe(SESSION + DAY)
  await endPageSession(world.db, secret)
  expect([await found(secret, 'kitchen'), await live(session.id, 0)]).toEqual([undefined, []])
})

describe('a session', () => {
  test('is for its own page; that of the list opens the pages and controls nothing', async () => {
    const { signIn, found } = await start()
    const [kitchen, list] = [await signIn('kitchen'), await signIn(undefined)]
    expect([await found(kitchen, 'parcels'), await found(kitchen, undefined)]).toEqual([undefined, undefined])
    for (const page of ['kitchen', 'parcels', 'world', undefined] as const)
      expect([page, await found(list, page)]).toMatchObject([page, { control: false }])
    expect(await found(await signIn('world'), 'world')).toMatchObject({ control: true })
  })

  test('replaces the earlier one of its page alone, and that of the list replaces them all', async () => {
    const { signIn, found } = await start()
    const [kitchen, parcels] = [await signIn('kitchen'), await signIn('parcels')]
    const before: PageSecrets = new Map([
      ['kitchen', kitchen],
      ['parcels', parcels],
    ])
    const next = await signIn('kitchen', before)
    expect(await found(kitchen, 'kitchen')).toBeUndefined()
    expect(await found(parcels, 'parcels')).toBeDefined()
    await signIn(
      undefined,
      new Map([
        ['kitchen', next],
        ['parcels', parcels],
      ]),
    )
    expect([await found(next, 'kitchen'), await found(parcels, 'parcels')]).toEqual([undefined, undefined])
  })

  test('of an access token ends with the token, and has no more scopes than it', async () => {
    const { world, ownTicket, opened, found } = await start()
    const logins = loginsOver(world)
    const { access_token } = await logins.login('everything', 'shipments.read')
    const ticket = await ownTicket(access_token, 'parcels')
    const secret = (await opened(ticket))?.secret ?? ''
    expect(await found(secret, 'parcels')).toMatchObject({
      scopes: ['shipments.read'],
      byControl: false,
      control: false,
    })
    await world.advance(3_600_000)
    await expect(ownTicket(access_token)).rejects.toMatchObject({ code: 'invalid_token' })
    await expect(ownTicket('dray_sbx_unknown')).rejects.toMatchObject({ code: 'invalid_token' })
  })

  test('of a login is for its page, goes on with the next access token, and ends with the login', async () => {
    const { world, ownTicket, opened, found } = await start()
    const logins = loginsOver(world)
    const { access_token, refresh_token = '' } = await logins.login('everything')
    const secret = (await opened(await ownTicket(access_token, 'parcels')))?.secret ?? ''
    expect(await found(secret, 'kitchen')).toBeUndefined()
    const next = await logins.refresh(refresh_token)
    await logins.revoke(access_token)
    expect(await found(secret, 'parcels')).toBeDefined()
    await logins.revoke(next.refresh_token ?? '')
    expect(await found(secret, 'parcels')).toBeUndefined()
  })

  test('of the control token ends with it, and one of a login does not', async () => {
    const { world, ownTicket, opened, found, signIn } = await start()
    const { access_token } = await loginsOver(world).login('everything')
    const own = (await opened(await ownTicket(access_token, 'parcels')))?.secret ?? ''
    const controlling = await signIn('kitchen')
    await endApprovals(world.db)
    expect(await found(controlling, 'kitchen')).toBeUndefined()
    expect(await found(own, 'parcels')).toBeDefined()
  })

  test('of a program ends with its access token', async () => {
    const { world, ownTicket, opened, found } = await start()
    const logins = loginsOver(world)
    const { clientId, secret: own } = await logins.client('everything')
    const ask = () => logins.ask({ grantType: 'client_credentials', clientId, secret: own })
    const [first, second] = [(await ask()).access_token, (await ask()).access_token]
    const sessionOf = async (token: string) => (await opened(await ownTicket(token, 'parcels')))?.secret ?? ''
    const [ended, other] = [await sessionOf(first), await sessionOf(second)]
    await logins.revoke(first)
    expect([await found(ended, 'parcels'), (await found(other, 'parcels')) !== undefined]).toEqual([
      undefined,
      true,
    ])
    await world.advance(3_600_000)
    expect(await found(other, 'parcels')).toBeUndefined()
  })

  test('is one of a hundred of its account: the one that expires first makes room', async () => {
    const { world, signIn, found } = await start()
    const first = await signIn('kitchen')
    const session = await found(first, 'kitchen')
    if (session === undefined) throw new Error('there is no session')
    await prolongPageSession(world.db, session, DAY)
    for (let more = 0; more < 100; more++) await signIn('kitchen')
    expect(await found(first, 'kitchen')).toBeDefined()
    const count = await world.db.read((tx) =>
      tx.get(`select count(*) as count from page_sessions where kind = 'session'`),
    )
    expect(Number(count?.['count'])).toBe(100)
  })
})
