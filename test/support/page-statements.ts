/**
 * Returns every statement about the pages, for the test that runs all of them on both engines. Needs the account
 * `acc_1`.
 */
import { listLastEnds } from '../../src/areas/dispatch/queries.ts'
import { listStoreSpots } from '../../src/areas/merchants/queries.ts'
import { findRides } from '../../src/areas/rides/queries/rides.ts'
import { findBookings } from '../../src/areas/services/queries/bookings.ts'
import { listProviders } from '../../src/areas/services/queries/providers.ts'
import { findTasks } from '../../src/areas/tasks/queries/tasks.ts'
import type { Tx } from '../../src/core/db.ts'
import { listLastEvents, listShownEvents } from '../../src/db/events.ts'
import * as sessions from '../../src/oauth/queries/page-sessions.ts'
import * as links from '../../src/oauth/queries/shared-links.ts'

type Statements = readonly (readonly [name: string, run: (tx: Tx) => Promise<unknown>])[]

export function pageStatements(now: number): Statements {
  const moment = { now, machineNow: now }
  const link: sessions.PageSecret = {
    secret_hash: 'page_link',
    kind: 'link',
    page: null,
    account_id: 'acc_1',
    scopes: null,
    control: true,
    grant_id: null,
    token_hash: null,
    expires_at: now + 10,
  }
  const session = { ...link, kind: 'session' as const, control: false, scopes: ['orders.read' as const] }
  const shared: links.SharedLink = {
    secret_hash: 'shared_1',
    account_id: 'acc_1',
    kind: 'parcel',
    resource_id: 'DR000000001GB',
    created_at: now,
    expires_at: now + 10,
  }
  return [
    ['insertSharedLink', (tx) => links.insertSharedLink(tx, shared)],
    ['insertSharedLink', (tx) => links.insertSharedLink(tx, { ...shared, secret_hash: 'shared_2' })],
    ['findSharedLink', (tx) => links.findSharedLink(tx, 'shared_1', now)],
    ['findSharedLink', (tx) => links.findSharedLink(tx, 'shared_1', now + 10)],
    ['listSharedLinks', (tx) => links.listSharedLinks(tx, shared.resource_id)],
    ['listLiveSharedLinks', (tx) => links.listLiveSharedLinks(tx, ['shared_1', 'none'], now)],
    ['deleteSharedLink', (tx) => links.deleteSharedLink(tx, 'shared_1')],
    ['deleteExpiredSharedLinks', (tx) => links.deleteExpiredSharedLinks(tx, now + 10)],
    ['insertPageSecret', (tx) => sessions.insertPageSecret(tx, link)],
    ['insertPageSecret', (tx) => sessions.insertPageSecret(tx, { ...session, secret_hash: 'page_1' })],
    [
      'insertPageSecret',
      (tx) => sessions.insertPageSecret(tx, { ...session, secret_hash: 'page_2', grant_id: 'gra_none' }),
    ],
    [
      'insertPageSecret',
      (tx) => sessions.insertPageSecret(tx, { ...session, secret_hash: 'page_3', token_hash: 'none' }),
    ],
    ['findPageSecret', (tx) => sessions.findPageSecret(tx, { hash: 'page_link', kind: 'link' }, moment)],
    ['findPageSecret', (tx) => sessions.findPageSecret(tx, { hash: 'page_link', kind: 'session' }, moment)],
    ['findPageSecret', (tx) => sessions.findPageSecret(tx, { hash: 'page_1', kind: 'session' }, moment)],
    // Their login and their token are gone.
    ['findPageSecret', (tx) => sessions.findPageSecret(tx, { hash: 'page_2', kind: 'session' }, moment)],
    ['findPageSecret', (tx) => sessions.findPageSecret(tx, { hash: 'page_3', kind: 'session' }, moment)],
    [
      'listLiveSessions',
      (tx) => sessions.listLiveSessions(tx, ['page_1', 'page_2', 'page_3', 'page_link'], moment),
    ],
    ['prolongSession', (tx) => sessions.prolongSession(tx, 'page_1', now + 20)],
    ['boundPageSecrets', (tx) => sessions.boundPageSecrets(tx, session, 2)],
    ['deleteControlSessions', sessions.deleteControlSessions],
    ['deleteExpiredPageSecrets', (tx) => sessions.deleteExpiredPageSecrets(tx, now + 15)],
    ['deletePageSecret', (tx) => sessions.deletePageSecret(tx, 'page_1')],
    ['deletePageSecret', (tx) => sessions.deletePageSecret(tx, 'page_1')],
    ['listShownEvents', (tx) => listShownEvents(tx, 0, 500)],
    ['listLastEvents', (tx) => listLastEvents(tx, 30)],
    ['listLastEnds', (tx) => listLastEnds(tx, 'courier', { at: now, limit: 10 })],
    ['listStoreSpots', (tx) => listStoreSpots(tx, 10)],
    ['listProviders', (tx) => listProviders(tx, 10)],
    ['findRides', (tx) => findRides(tx, ['rid_none'])],
    ['findBookings', (tx) => findBookings(tx, ['bkg_none'])],
    ['findTasks', (tx) => findTasks(tx, ['tsk_none'])],
  ]
}
