import { frame } from './migrations/0001-frame.ts'
import { carrier } from './migrations/0002-carrier.ts'
import { food } from './migrations/0003-food.ts'
import { movingWorld } from './migrations/0004-moving-world.ts'
import { login } from './migrations/0005-login.ts'
import { loginGuards } from './migrations/0006-login-guards.ts'
import { peopleAndStores } from './migrations/0007-people-and-stores.ts'
import { parcelLists } from './migrations/0008-parcel-lists.ts'
import { listsAndWays } from './migrations/0009-lists-and-ways.ts'
import { eventsInOrder } from './migrations/0010-events.ts'
import { pages } from './migrations/0011-pages.ts'
import { itemVersions } from './migrations/0012-item-versions.ts'
import { sharedLinks } from './migrations/0013-shared-links.ts'
import { oldCodes } from './migrations/0014-old-codes.ts'
import { pageSessions } from './migrations/0015-page-sessions.ts'
import { membershipAnchors } from './migrations/0016-membership-anchors.ts'
import { partialRefunds } from './migrations/0017-partial-refunds.ts'
import { origins } from './migrations/0018-origins.ts'
import { refunds } from './migrations/0019-refunds.ts'
import { storeDay } from './migrations/0020-store-day.ts'
import { findingParcels } from './migrations/0021-finding-parcels.ts'
import { businessDays } from './migrations/0022-business-days.ts'
import { webhooks } from './migrations/0023-webhooks.ts'
import { collectionManifests } from './migrations/0024-collection-manifests.ts'
import { menuChanges } from './migrations/0025-menu-changes.ts'
import { menuOrder } from './migrations/0026-menu-order.ts'
import { faults } from './migrations/0027-faults.ts'
import { generations } from './migrations/0028-generations.ts'
import { invoiceLines } from './migrations/0029-invoice-lines.ts'
import { parcelSearch } from './migrations/0030-parcel-search.ts'
import { storeEntries } from './migrations/0031-store-entries.ts'
import { orderNumbers } from './migrations/0032-order-numbers.ts'
import { goodwill } from './migrations/0033-goodwill.ts'

/**
 * The schema, as numbered migrations that are never edited once released. A migration is a list of statements; its
 * index + 1 is the version after it. `{sqlite}` or `{postgres}` begins a statement for one engine alone. The other words in braces
 * depend on the driver: `{int}` 64-bit integer, `{text}`
 * byte-ordered text, `{blob}` bytes, `{strict}` strict typing of the table, `{unclean}` a comparison that holds for a text
 * with a character outside of printable ASCII.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  frame,
  carrier,
  food,
  movingWorld,
  login,
  loginGuards,
  peopleAndStores,
  parcelLists,
  listsAndWays,
  eventsInOrder,
  pages,
  itemVersions,
  sharedLinks,
  oldCodes,
  pageSessions,
  membershipAnchors,
  partialRefunds,
  origins,
  refunds,
  storeDay,
  findingParcels,
  businessDays,
  webhooks,
  collectionManifests,
  menuChanges,
  menuOrder,
  faults,
  generations,
  invoiceLines,
  parcelSearch,
  storeEntries,
  orderNumbers,
  goodwill,
]
