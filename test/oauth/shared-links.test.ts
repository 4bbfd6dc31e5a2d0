/** A link to one resource shows it for 90 days of the service, and not a millisecond longer. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { loadAccount } from '../../src/areas/account/queries/accounts.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import {
  createSharedLink,
  liveSharedLinks,
  openSharedLink,
  type SharedLinkTarget,
  withdrawSharedLinks,
} from '../../src/oauth/shared-links.ts'
import { openTestSandbox } from '../support/world.ts'

const LIFE = 90 * 86_400_000

async function start() {
  const world = await openTestSandbox()
  const { account_id } = await world.db.read((tx) => loadAccount(tx, 'shipper'))
  const parcel: SharedLinkTarget = { account_id, kind: 'parcel', resource_id: 'ZC968043370GB' }
  const share = (shared = parcel) =>
    createSharedLink(world.db, shared, { machineNow: 0, random: randomBytes })
  const shows = async (secret: string) => (await openSharedLink(world.db, secret, 0)) !== undefined
  const lives = (secret: string) => world.db.read((tx) => liveSharedLinks(tx, [sha256Hex(secret)], 0))
  return { world, parcel, share, shows, lives }
}

test('a link is over 90 days after it was made, for whoever opens it and for a page that stays open', async () => {
  const { world, parcel, share, shows, lives } = await start()
  const { secret, expiresAt } = await share()
  expect(expiresAt - (await world.now())).toBe(LIFE)
  await world.advanceTo(expiresAt - 1)
  expect(await openSharedLink(world.db, secret, 0)).toMatchObject({ link: parcel, now: expiresAt - 1 })
  expect([await shows(secret), await lives(secret)]).toEqual([true, [sha256Hex(secret)]])
  // A later link takes away those that have ended, and no other one.
  await share()
  expect(await shows(secret)).toBe(true)
  await world.advanceTo(expiresAt)
  expect([await shows(secret), await lives(secret)]).toEqual([false, []])
  await share()
  expect(await world.db.read((tx) => tx.all('select 1 from shared_links'))).toHaveLength(2)
})

test('a resource has ten links, the oldest makes room, and withdrawing ends them all and no others', async () => {
  const { world, parcel, share, shows } = await start()
  const other = (await share({ ...parcel, resource_id: 'ZC968043383GB' })).secret
  const links: string[] = []
  for (let at = 0; at < 11; at++) {
    links.push((await share()).secret)
    await world.advance(1)
  }
  expect(await Promise.all(links.map(shows))).toEqual(links.map((_, at) => at > 0))
  const withdrawn = await withdrawSharedLinks(world.db, parcel.resource_id)
  expect(withdrawn.toSorted()).toEqual(links.slice(1).map(sha256Hex).toSorted())
  expect([await shows(links[10] ?? ''), await shows(other)]).toEqual([false, true])
})
