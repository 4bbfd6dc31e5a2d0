/** Browsers that may approve devices: a link lets one browser in, for a working day of the machine. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  BROWSER_LIFE_S,
  createTicket,
  endApprovals,
  LINK_LIFE_S,
  mayApprove,
  openApprovalLink,
} from '../../src/oauth/approvers.ts'
import { openTestSandbox } from '../support/world.ts'

const [LINK, BROWSER] = [LINK_LIFE_S * 1000, BROWSER_LIFE_S * 1000]

async function start() {
  const { db, write } = await openTestSandbox()
  const moment = (machineNow: number) => ({ machineNow, random: randomBytes })
  return {
    db,
    make: (at = 0) => write((tx) => createTicket(tx, moment(at))),
    open: (ticket: string, at = 0, browser?: string) => openApprovalLink(db, { ticket, browser }, moment(at)),
    may: (browser: string | undefined, at: number) => write((tx) => mayApprove(tx, browser ?? '', at)),
    end: () => endApprovals(db),
  }
}

test('a link is over after ten minutes, to the millisecond, and lets one browser in', async () => {
  const { db, make, open } = await start()
  const ticket = await make()
  expect(await open(ticket, LINK)).toBeUndefined()
  expect(await open(ticket, LINK - 1)).toBeDefined()
  expect(await open(ticket)).toBeUndefined()
  const { writes } = db.tally
  expect(await open('unknown')).toBeUndefined()
  // Anybody may send any number of them.
  expect(db.tally.writes).toBe(writes)
})

test('a link that two browsers open at once lets one of them in', async () => {
  const { make, open } = await start()
  const ticket = await make()
  const both = await Promise.all([open(ticket), open(ticket)])
  expect(both.filter((browser) => browser !== undefined)).toHaveLength(1)
})

test('a browser may approve for twelve hours, to the millisecond, and a new link prolongs it', async () => {
  const { make, open, may } = await start()
  const browser = await open(await make())
  expect([await may(browser, BROWSER - 1), await may(browser, BROWSER)]).toEqual([true, false])
  expect([await may('unknown', 0), await may(await make(), 0)]).toEqual([false, false])
  const again = await open(await make(1000), 1000, browser)
  expect(again).toBe(browser)
  expect([await may(browser, BROWSER + 999), await may(browser, BROWSER + 1000)]).toEqual([true, false])
  // A used link leaves the browser as it is; an expired browser gets another secret.
  expect(await open('unknown', 0, browser)).toBe(browser)
  expect(await open('unknown', BROWSER + 1000, browser)).toBeUndefined()
  const late = BROWSER + 1000
  expect(await open(await make(late), late, browser)).not.toBe(browser)
})

test('a replaced control token ends links and browsers', async () => {
  const { make, open, may, end } = await start()
  const [browser, ticket] = [await open(await make()), await make()]
  await end()
  expect([await may(browser, 0), await open(ticket)]).toEqual([false, undefined])
})
