import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import * as accounts from '../../src/areas/account/queries/accounts.ts'
import * as hubs from '../../src/areas/carrier/queries/hubs.ts'
import * as rateCards from '../../src/areas/carrier/queries/rate-cards.ts'
import * as scans from '../../src/areas/carrier/queries/scans.ts'
import { countAgreementShipmentsByStatus } from '../../src/areas/carrier/queries/shipment-counts.ts'
import * as shipmentEvents from '../../src/areas/carrier/queries/shipment-events.ts'
import {
  listAgreementShipments,
  type ShipmentFilters,
} from '../../src/areas/carrier/queries/shipment-list.ts'
import * as shipmentWords from '../../src/areas/carrier/queries/shipment-words.ts'
import * as shipments from '../../src/areas/carrier/queries/shipments.ts'
import type { RateCard } from '../../src/areas/carrier/rules/rates.ts'
import * as catalog from '../../src/areas/catalog/queries/catalog.ts'
import * as couriers from '../../src/areas/couriers/queries/couriers.ts'
import * as deliveries from '../../src/areas/couriers/queries/deliveries.ts'
import * as merchants from '../../src/areas/merchants/queries.ts'
import { NO_SETTINGS } from '../../src/areas/merchants/rules.ts'
import * as payments from '../../src/areas/payments/queries/ledger.ts'
import type { Payment, Refund } from '../../src/areas/payments/rules/payment.ts'
import * as media from '../../src/areas/proofs/queries.ts'
import * as quotes from '../../src/areas/quotes/queries.ts'
import type { Account } from '../../src/core/account.ts'
import type { ShipmentParty } from '../../src/core/address.ts'
import type { Db, Tx } from '../../src/core/db.ts'
import { AppError } from '../../src/core/errors.ts'
import * as counters from '../../src/db/counters.ts'
import * as events from '../../src/db/events.ts'
import * as idempotency from '../../src/db/idempotency.ts'
import { assertIntegrity } from '../../src/db/integrity.ts'
import * as status from '../../src/db/status.ts'
import { listTables } from '../../src/db/tables.ts'
import * as world from '../../src/db/world.ts'
import * as deviceCodes from '../../src/oauth/queries/device-codes.ts'
import * as grants from '../../src/oauth/queries/grants.ts'
import { PLANNED_EVENTS } from '../../src/sandbox/due-events.ts'
import { approverStatements } from '../support/approver-statements.ts'
import { assignmentStatements } from '../support/assignment-statements.ts'
import { bookingStatements } from '../support/booking-statements.ts'
import { catalogueStatements } from '../support/catalogue-statements.ts'
import { codeStatements } from '../support/code-statements.ts'
import { collectionStatements } from '../support/manifest-statements.ts'
import { orderStatements } from '../support/order-statements.ts'
import { pageStatements } from '../support/page-statements.ts'
import { rideStatements } from '../support/ride-statements.ts'
import { snapshotStatements } from '../support/snapshot-statements.ts'
import { ROOT } from '../support/sources.ts'
import { ENGINES, openTestStore } from '../support/stores.ts'
import { taskStatements } from '../support/task-statements.ts'
import { timelineStatements } from '../support/timeline-statements.ts'
import { versionStatements } from '../support/version-statements.ts'
import { webhookStatements } from '../support/webhook-statements.ts'
import { wordStatements } from '../support/word-statements.ts'
import { positionStatements, withoutTable, WORLD_STATEMENTS } from '../support/world-statements.ts'

const NOW = 1_790_000_000_000
const SCAN = { limit: 3, scan: 2 }

const WORLD: world.StoredWorld = {
  world: {
    environment: 'sandbox',
    seed: '42',
    currency: 'GBP',
    timezone: 'Europe/London',
    countryCode: 'GB',
    supply: 'normal',
  },
  clock: { mode: 'real', real: 0, service: 0, factor: 1, high: NOW },
  cursorKey: 'key',
  generation: 'g0',
  generationFrom: 0,
}
const PERIOD = { current_period_start: NOW, current_period_end: NOW + 1000, anchor_day: 20 }
const ACCOUNT: Account = {
  account_id: 'acc_1',
  handle: 'shipper',
  name: 'Ship Ltd',
  scopes: ['shipments.read', 'shipments.create'],
  membership: {
    status: 'active',
    plan_code: 'one',
    ...PERIOD,
    cancel_at_period_end: false,
  },
  carrierAgreement: { agreement_id: 'agr_1', kind: 'carrier', status: 'active' },
  businessAgreement: undefined,
}

const TOKEN: accounts.StoredToken = {
  token_hash: 'hash',
  account_id: 'acc_1',
  scopes: ['shipments.read'],
  expires_at: NOW + 1000,
  created_at: NOW,
}

const CLIENT: grants.OAuthClient = {
  client_id: 'cli_1',
  secret_hash: 'secret',
  account_id: 'acc_1',
  scopes: ['shipments.read'],
  created_at: NOW,
}

const GRANT: grants.Grant = {
  grant_id: 'gra_1',
  client_id: 'dray-cli',
  account_id: 'acc_1',
  scopes: ['shipments.read'],
  device: 'A laptop',
  created_at: NOW,
}

const USED = { token_hash: 'refresh', grant_id: 'gra_1', turn: { at: NOW, salt: 'salt' } }

const DEVICE = {
  user_code: 'BCDF-GHJK',
  client_id: 'dray-cli',
  device: 'A laptop',
  scopes: ['shipments.read', 'food.read'] as const,
  interval_s: 5,
  created_at: NOW,
  expires_at: NOW + 1,
}

const KEY: idempotency.IdempotencyScope = { account_id: 'acc_1', operation: 'create_shipment', key: 'k' }

const PARTY: ShipmentParty = {
  contact: { name: 'Zoë' },
  address: { line1: '1 High Street', city: 'London', postal_code: 'E1 1AA', country_code: 'GB' },
}

const HUB: hubs.Hub = {
  hub_id: 'hub_1',
  code: 'LON1',
  name: 'London East',
  address: PARTY.address,
  location: { latitude: 51.5, longitude: -0.1 },
  timezone: 'Europe/London',
  collection: { days: ['mon'], from: '08:00', cutoff: '17:00' },
  service_levels: ['next_day'],
  capacity_per_day: null,
  active: true,
}

const PLACE = { hub_id: null, name: 'East', city: 'London', country_code: 'GB', point: null }

function makeShipment(index: number): shipments.ShipmentRecord {
  return {
    tracking_number: `DR00000000${index}GB`,
    seq: index,
    ordinal: index,
    agreement_id: 'agr_1',
    reference: index === 1 ? null : `order ${index}`,
    customer: index === 2 ? 'Green Cup' : null,
    content_hash: `content ${index}`,
    status: index === 3 ? 'delivered' : 'pre_transit',
    service_level: 'next_day',
    hub_id: 'hub_1',
    batch_id: index === 4 ? 'bat_1' : null,
    created_at: NOW + index,
    updated_at: NOW + index,
    delivered_at: index === 3 ? NOW + 100 : null,
    // The store saves documents as text, so this content does not matter.
    doc: { zone: 'A', sender: PARTY, recipient: PARTY, collected_at: null } as shipments.ShipmentDoc,
  }
}

const PAYMENT: Payment = {
  payment_id: 'pay_1',
  resource_id: 'ord_1',
  account_id: 'acc_1',
  merchant_id: 'mer_1',
  method: 'card',
  status: 'paid',
  collected_by: 'platform',
  amount: { amount: 3018, currency: 'GBP' },
  created_at: NOW,
  paid_at: NOW,
  share: -2,
  refunds: [],
}

const REFUND: Refund = {
  refund_id: 'rfd_1',
  status: 'succeeded',
  destination: 'platform_wallet',
  amount: { amount: 3018, currency: 'GBP' },
  reason: 'rejected',
  borne_by: 'store',
  share: 2,
  created_at: NOW + 1,
  settled_at: NOW + 2,
}

const MERCHANT: merchants.MerchantRecord = {
  merchant_id: 'mer_1',
  seq: 1,
  agreement_id: 'agr_1',
  name: 'Lime Street Noodles',
  search_text: 'lime street noodles thai',
  kind: 'restaurant',
  location: { latitude: 51.5114, longitude: -0.0806 },
  week: '',
  timezone: 'Europe/London',
  currency: 'GBP',
  paused_until: null,
  busy_minutes: 0,
  busy_until: null,
  menu_version: 1,
  menu_updated_at: NOW,
  doc: {
    cuisines: ['thai'],
    fulfillment_types: ['pickup'],
    delivery: null,
    prep_time_minutes: 20,
    rating_tenths: null,
  } as unknown as merchants.MerchantDoc,
}

const AROUND = { south: 51.4, north: 51.6, west: -0.2, east: 0 }

const CANDIDATE_FILTERS: merchants.CandidateFilters[] = [
  {},
  { kind: 'restaurant', cuisine: 'thai', fulfillment_type: 'pickup' },
  { kind: 'grocery' },
  { cuisine: 'tha' },
  { fulfillment_type: 'delivery' },
]

const SECTION: catalog.CategoryRecord = {
  category_id: 'cat_1',
  merchant_id: 'mer_1',
  name: 'Noodles',
  name_key: 'noodles',
  sort_order: 1,
  schedule: null,
}

/**
 * Returns an item: every third is unavailable, every fourth lacks a required choice, every fifth is in another section.
 */
function makeItem(index: number): catalog.ItemRecord {
  const modifier = { modifier_id: `mod_${index}`, name: 'Tofu', price_delta: { amount: 0, currency: 'GBP' } }
  const group = {
    modifier_group_id: `mgr_${index}`,
    name: 'Base',
    max_selections: null,
    allow_repeats: false,
  }
  return {
    item_id: `itm_${index}`,
    seq: index,
    merchant_id: 'mer_1',
    category: index % 5 === 0 ? { ...SECTION, category_id: 'cat_2' } : SECTION,
    name: `Pad Thai ${index}`,
    name_key: `pad thai ${index}`,
    sort_order: index % 2,
    external_ref: index === 1 ? null : `ref ${index}`,
    barcode: index === 2 ? '5012345678900' : null,
    available: index % 3 !== 0,
    unavailable_until: index === 6 ? NOW + 10 : null,
    stock: index === 4 ? 0 : null,
    restock: null,
    stock_day: null,
    schedule: index % 3 === 0 ? '0-1440' : null,
    version: 1,
    created_at: NOW,
    updated_at: NOW + index,
    deleted_at: null,
    doc: {
      modifier_groups: [
        {
          ...group,
          min_selections: 1,
          modifiers: [{ ...modifier, available: index !== 4, is_default: true }],
        },
      ],
      price: { amount: 850 + index, currency: 'GBP' },
    } as unknown as catalog.ItemDoc,
  }
}

const ITEM_FILTERS: catalog.ItemFilters[] = [
  {},
  { category_id: 'cat_1' },
  { q: 'thai 1' },
  { updated_since: NOW + 3 },
  { obtainable: { is: true, now: NOW + 9 } },
  { obtainable: { is: true, now: NOW + 10 } },
  { obtainable: { is: false, now: NOW + 10 } },
  { category_id: 'cat_1', q: 'pad', updated_since: NOW, obtainable: { is: true, now: NOW } },
]

const LEVELS = ['next_day', 'economy'] as const

const FILTERS: ShipmentFilters[] = [
  {},
  { kinds: { statuses: ['pre_transit'], levels: LEVELS } },
  { kinds: { statuses: ['pre_transit', 'delivered', 'lost'], levels: ['next_day'] } },
  { reference: 'order 2' },
  { reference: 'order 2', kinds: { statuses: ['pre_transit'], levels: LEVELS } },
  { batch_id: 'bat_1' },
  { created_from: NOW + 2, created_to: NOW + 4 },
  { delivered_from: NOW },
  { customer: '' },
  { customer: '', kinds: { statuses: ['pre_transit'], levels: LEVELS }, delivered_from: NOW },
  { delivered_to: NOW + 101, kinds: { statuses: ['delivered', 'lost'], levels: LEVELS } },
  { delivered_from: NOW, kinds: { statuses: ['lost'], levels: LEVELS } },
  { delivered_from: NOW, batch_id: 'bat_1', reference: 'order 2' },
  { delivered_from: NOW + 200 },
]

function makeDelivery(index: number, order_id: string | null): deliveries.DeliveryRecord {
  return {
    delivery_id: `dlv_${index}`,
    seq: 200 + index,
    ordinal: index,
    account_id: 'acc_1',
    order_id,
    quote_id: null,
    status: 'pending',
    created_at: NOW,
    updated_at: NOW,
    delivered_at: null,
    doc: { offers: 1 } as deliveries.DeliveryDoc,
  }
}

/**
 * Every function of `src/db` that runs a statement, in an order in which each finds its rows, once for each of its
 * statements. The name comes first; a function without a line fails the last test.
 */
const STATEMENTS: readonly (readonly [name: string, run: (tx: Tx) => Promise<unknown>])[] = [
  ['findWorld', world.findWorld],
  ['insertWorld', (tx) => world.insertWorld(tx, WORLD)],
  ...WORLD_STATEMENTS,
  ...assignmentStatements(NOW),
  ['saveClock', (tx) => world.saveClock(tx, { ...WORLD.clock, mode: 'frozen', high: NOW + 5 })],
  ['findWorld', world.findWorld],
  ['nextSeq', (tx) => counters.nextSeq(tx, NOW + 10, 3)],
  ['nextOrdinal', (tx) => counters.nextOrdinal(tx, 'shipment')],
  ['nextOrdinal', (tx) => counters.nextOrdinal(tx, 'shipment', 4)],
  ['readOrdinals', counters.readOrdinals],
  ['newIds', (tx) => counters.newIds({ tx, world: WORLD.world, at: NOW }, 'bat', 2)],
  ['insertAccount', (tx) => accounts.insertAccount(tx, ACCOUNT, 1)],
  ['insertAccount', (tx) => accounts.insertAccount(tx, { ...ACCOUNT, account_id: 'acc_2' }, 2)],
  ['findAccount', (tx) => accounts.findAccount(tx, 'acc_1')],
  ['findAccount', (tx) => accounts.findAccount(tx, 'shipper')],
  ['findAccount', (tx) => accounts.findAccount(tx, 'nobody')],
  ['requireAccount', (tx) => accounts.requireAccount(tx, undefined, 'shiper').catch(String)],
  ['loadAccount', (tx) => accounts.loadAccount(tx, 'acc_1')],
  ['listAllAccounts', accounts.listAllAccounts],
  ['lockAccount', (tx) => accounts.lockAccount(tx, 'acc_1')],
  ['lockAccounts', (tx) => accounts.lockAccounts(tx, ['acc_1', 'acc_9'], { skipLocked: false })],
  ['lockAccounts', (tx) => accounts.lockAccounts(tx, ['acc_1', 'acc_9'], { skipLocked: true })],
  [
    'updateMembership',
    (tx) => accounts.updateMembership(tx, 'acc_1', { ...ACCOUNT.membership, plan_code: null }),
  ],
  ['insertToken', (tx) => accounts.insertToken(tx, TOKEN)],
  ['findTokenWithAccount', (tx) => accounts.findTokenWithAccount(tx, 'hash')],
  ['findCaller', (tx) => accounts.findCaller(tx, { tokenHash: 'hash' })],
  ['findCaller', (tx) => accounts.findCaller(tx, { tokenHash: 'other' })],
  ['findCaller', (tx) => accounts.findCaller(tx, { idOrHandle: 'acc_1' })],
  ['recordOwnerSeen', (tx) => accounts.recordOwnerSeen(tx, 'acc_1', NOW)],
  ['findStoreOwnerLastSeenAt', (tx) => accounts.findStoreOwnerLastSeenAt(tx, 'agr_1')],
  ['findHolder', (tx) => accounts.findHolder(tx, 'agr_1')],
  ['findHolder', (tx) => accounts.findHolder(tx, 'agr_9')],
  ['deleteExpiredTokens', (tx) => accounts.deleteExpiredTokens(tx, 'acc_1', NOW)],
  ['deleteToken', (tx) => accounts.deleteToken(tx, 'hash')],
  ['insertClient', (tx) => grants.insertClient(tx, CLIENT)],
  ['findClient', (tx) => grants.findClient(tx, 'cli_1')],
  ['insertGrant', (tx) => grants.insertGrant(tx, GRANT)],
  [
    'insertRefreshToken',
    (tx) => grants.insertRefreshToken(tx, { token_hash: 'refresh', grant_id: 'gra_1', expires_at: NOW + 1 }),
  ],
  ['lockGrantOf', (tx) => grants.lockGrantOf(tx, 'refresh')],
  ['lockGrantOf', (tx) => grants.lockGrantOf(tx, 'other')],
  ['findRefreshToken', (tx) => grants.findRefreshToken(tx, 'refresh')],
  ['useRefreshToken', (tx) => grants.useRefreshToken(tx, USED, NOW)],
  ['useRefreshToken', (tx) => grants.useRefreshToken(tx, USED, NOW)],
  ['findRefreshToken', (tx) => grants.findRefreshToken(tx, 'refresh')],
  ['insertToken', (tx) => accounts.insertToken(tx, { ...TOKEN, token_hash: 'next', turned_from: 'refresh' })],
  ['recordFirstTokenUse', (tx) => accounts.recordFirstTokenUse(tx, 'next')],
  ['findTokenWithAccount', (tx) => accounts.findTokenWithAccount(tx, 'next')],
  ['findRefreshToken', (tx) => grants.findRefreshToken(tx, 'refresh')],
  ['deleteToken', (tx) => accounts.deleteToken(tx, 'next')],
  ['listDeadGrants', (tx) => grants.listDeadGrants(tx, 'acc_1', NOW)],
  ['listDeadGrants', (tx) => grants.listDeadGrants(tx, 'acc_1', NOW + 1)],
  ['deleteExpiredRefreshTokens', (tx) => grants.deleteExpiredRefreshTokens(tx, 'gra_1', NOW + 1)],
  ['deleteGrant', (tx) => grants.deleteGrant(tx, 'gra_1')],
  ...approverStatements(NOW),
  ['insertDevice', (tx) => deviceCodes.insertDevice(tx, 'code', DEVICE)],
  ['insertDevice', (tx) => deviceCodes.insertDevice(tx, 'other code', DEVICE)],
  ['findDeviceByUserCode', (tx) => deviceCodes.findDeviceByUserCode(tx, DEVICE.user_code)],
  ['markPolled', (tx) => deviceCodes.markPolled(tx, 'code', NOW, 10)],
  ['decideDeviceRow', (tx) => deviceCodes.decideDeviceRow(tx, 'none', undefined, NOW)],
  [
    'decideDeviceRow',
    (tx) =>
      deviceCodes.decideDeviceRow(
        tx,
        DEVICE.user_code,
        { accountId: 'acc_1', scopes: ['shipments.read'] },
        NOW,
      ),
  ],
  ['markDeviceUsed', (tx) => deviceCodes.markDeviceUsed(tx, 'code')],
  ['lockDevice', (tx) => deviceCodes.lockDevice(tx, 'code')],
  ['deleteExpiredDevices', (tx) => deviceCodes.deleteExpiredDevices(tx, NOW + 1)],
  [
    'storeAnswer',
    (tx) =>
      idempotency.storeAnswer(tx, KEY, {
        fingerprint: 'print',
        status: 201,
        location: undefined,
        body: '{}',
        completed_at: NOW,
      }),
  ],
  ['findAnswer', (tx) => idempotency.findAnswer(tx, KEY)],
  ['deleteCompletedResponses', (tx) => idempotency.deleteCompletedResponses(tx, 'acc_1', NOW)],
  [
    'appendEvents',
    (tx) =>
      events.appendEvents(tx, WORLD.world, NOW, [
        {
          type: 'shipment.delivered',
          resource_id: 's',
          owner_id: 'agr_1',
          occurred_at: NOW,
          from: null,
          to: 'delivered',
          by: 'x',
        },
      ]),
  ],
  ['listRecordedEvents', (tx) => events.listRecordedEvents(tx, 0, 10)],
  ['listEventsOf', (tx) => events.listEventsOf(tx, 'ord_1', 0)],
  ['lastEventSeq', events.lastEventSeq],
  ...positionStatements(WORLD),
  ['countEvents', (tx) => events.countEvents(tx, 0)],
  [
    'insertMedia',
    (tx) =>
      media.insertMedia(tx, {
        media_id: 'med_1',
        owner_id: 'agr_1',
        content_type: 'image/png',
        sha256: 'sha',
        bytes: new Uint8Array([1, 2]),
      }),
  ],
  ['findMedia', (tx) => media.findMedia(tx, 'med_1')],
  [
    'insertRateCard',
    (tx) => rateCards.insertRateCard(tx, { rate_card_id: 'card_1', version: 1, currency: 'GBP' } as RateCard),
  ],
  [
    'insertHubs',
    (tx) => hubs.insertHubs(tx, [HUB, { ...HUB, hub_id: 'hub_2', code: 'MAN1', active: false }]),
  ],
  [
    'insertAgreement',
    (tx) =>
      rateCards.insertAgreement(tx, 'agr_1', {
        rateCardId: 'card_1',
        sender: PARTY,
        hubIds: ['hub_1', 'hub_2'],
      }),
  ],
  ['findCarrierTerms', (tx) => rateCards.findCarrierTerms(tx, 'agr_1')],
  ['listAgreementHubs', (tx) => hubs.listAgreementHubs(tx, 'agr_1')],
  ['listAllHubs', hubs.listAllHubs],
  ['findHubByIdOrCode', (tx) => hubs.findHubByIdOrCode(tx, 'hub_1')],
  ['findHubByIdOrCode', (tx) => hubs.findHubByIdOrCode(tx, 'MAN1')],
  ['insertShipments', (tx) => shipments.insertShipments(tx, [1, 2, 3, 4].map(makeShipment))],
  ['findShipment', (tx) => shipments.findShipment(tx, makeShipment(2).tracking_number)],
  ['lockShipment', (tx) => shipments.lockShipment(tx, makeShipment(2).tracking_number)],
  ...[true, false].map(
    (skipLocked) =>
      [
        'lockShipments',
        (tx: Tx) => shipments.lockShipments(tx, ['none', makeShipment(2).tracking_number], { skipLocked }),
      ] as const,
  ),
  ['updateShipment', (tx) => shipments.updateShipment(tx, { ...makeShipment(1), status: 'cancelled' })],
  ...codeStatements,
  [
    'findCancelledShipmentsByReference',
    (tx) => shipments.findCancelledShipmentsByReference(tx, 'agr_1', ['order 1', 'order 2']),
  ],
  [
    'findLiveShipmentsByReference',
    (tx) => shipments.findLiveShipmentsByReference(tx, 'agr_1', ['order 2', 'order 9']),
  ],
  ...FILTERS.flatMap((filters) =>
    [undefined, { created_at: NOW + 4, seq: 4 }].map(
      (after) =>
        [
          'listAgreementShipments',
          (tx: Tx) => listAgreementShipments(tx, 'agr_1', filters, { after, ...SCAN }),
        ] as const,
    ),
  ),
  ...collectionStatements(makeShipment(1)),
  ['insertShipmentWords', (tx) => shipmentWords.insertShipmentWords(tx, [{ ...makeShipment(1), seq: 1 }])],
  ['fillShipmentWords', shipmentWords.fillShipmentWords],
  [
    'searchShipmentsByWords',
    (tx) => shipmentWords.searchShipmentsByWords(tx, 'agr_1', [[['zo']], [['order']]], 2),
  ],
  ['countShipmentsByStatus', shipments.countShipmentsByStatus],
  ...[{}, { created_from: NOW - 1000, created_to: NOW + 1 }].map(
    (span) =>
      [
        'countAgreementShipmentsByStatus',
        (tx: Tx) => countAgreementShipmentsByStatus(tx, 'agr_1', span, 2),
      ] as const,
  ),
  [
    'insertShipmentEvents',
    (tx) =>
      shipmentEvents.insertShipmentEvents(tx, [
        {
          tracking_number: makeShipment(1).tracking_number,
          sequence: 1,
          code: 'label_created',
          status: 'pre_transit',
          occurred_at: NOW,
          recorded_at: NOW,
          location: PLACE,
          attempt_number: null,
          reason: null,
          scanned_by: null,
        },
      ]),
  ],
  [
    'listShipmentEventsAfter',
    (tx) => shipmentEvents.listShipmentEventsAfter(tx, makeShipment(1).tracking_number, 0, 10),
  ],
  ['listScans', (tx) => scans.listScans(tx, makeShipment(1), 0, 10)],

  ...['quo_1', 'quo_2', 'quo_3'].map(
    (quote_id, index) =>
      [
        'insertQuote',
        (tx: Tx) =>
          quotes.insertQuote(tx, {
            quote_id,
            account_id: 'acc_1',
            kind: 'food',
            created_at: NOW,
            expires_at: NOW + index,
            used_by: null,
            doc: { total: PAYMENT.amount, lines: [], taxes: [], discounts: [] },
          }),
      ] as const,
  ),
  ['markQuoteUsed', (tx) => quotes.markQuoteUsed(tx, 'quo_1', 'ord_1')],
  ['purgeQuotes', (tx) => quotes.purgeQuotes(tx, 'acc_1', NOW + 2)],
  ['lockQuote', (tx) => quotes.lockQuote(tx, 'quo_1')],
  ['lockQuote', (tx) => quotes.lockQuote(tx, 'quo_2')],
  ['lockQuote', (tx) => quotes.lockQuote(tx, 'quo_3')],
  ['insertPayment', (tx) => payments.insertPayment(tx, PAYMENT)],
  ['findPayment', (tx) => payments.findPayment(tx, 'ord_1')],
  ['findPayment', (tx) => payments.findPayment(tx, 'ord_9')],
  ['updatePayment', (tx) => payments.updatePayment(tx, { ...PAYMENT, status: 'refunded' })],
  ['insertLatestRefund', (tx) => payments.insertLatestRefund(tx, { ...PAYMENT, refunds: [REFUND] })],
  ['updateRefund', (tx) => payments.updateRefund(tx, REFUND)],
  ['loadPayment', (tx) => payments.loadPayment(tx, 'ord_1')],
  ['findPayments', (tx) => payments.findPayments(tx, [])],
  ['findPayments', (tx) => payments.findPayments(tx, ['ord_1', 'ord_9'])],
  ['insertWallet', (tx) => payments.insertWallet(tx, 'acc_1', 'GBP')],
  ['insertWallet', (tx) => payments.insertWallet(tx, 'acc_1', 'GBP')],
  ...(['platform', 'card:acc_1'] as const).map(
    (from) =>
      [
        'postTransfer',
        (tx: Tx) =>
          payments.postTransfer(tx, NOW, {
            transaction_id: `from ${from}`,
            kind: 'refund',
            resource_id: 'ord_1',
            from,
            to: 'wallet:acc_1',
            amount: PAYMENT.amount,
          }),
      ] as const,
  ),
  ['lockWallet', (tx) => payments.lockWallet(tx, 'acc_1')],
  ['lockWallet', (tx) => payments.lockWallet(tx, 'acc_2')],
  ['listResourceLedger', (tx) => payments.listResourceLedger(tx, 'ord_1')],
  ['listAccountLedger', (tx) => payments.listAccountLedger(tx, 'wallet:acc_1', 1)],
  ['sumLedger', (tx) => payments.sumLedger(tx, 'debt:acc_1', 'GBP')],
  ['insertMerchants', (tx) => merchants.insertMerchants(tx, [MERCHANT])],
  [
    'insertCategories',
    (tx) =>
      catalog.insertCategories(tx, [
        SECTION,
        { ...SECTION, category_id: 'cat_2', name: 'Sides', name_key: 'sides', sort_order: 2 },
      ]),
  ],
  ['listCategories', (tx) => catalog.listCategories(tx, 'mer_1')],
  ['findCategoryId', (tx) => catalog.findCategoryId(tx, 'mer_1', 'noodles')],
  ['findCategoryId', (tx) => catalog.findCategoryId(tx, 'mer_1', 'none')],
  ['findCategory', (tx) => catalog.findCategory(tx, 'cat_2')],
  ['findMerchant', (tx) => merchants.findMerchant(tx, 'mer_1')],
  ['findMerchant', (tx) => merchants.findMerchant(tx, 'mer_9')],
  ['lockMerchant', (tx) => merchants.lockMerchant(tx, 'mer_1')],
  ['listMerchantsOf', (tx) => merchants.listMerchantsOf(tx, 'agr_1')],
  ['listStoreNames', (tx) => merchants.listStoreNames(tx)],
  ['listMerchantsBySeq', (tx) => merchants.listMerchantsBySeq(tx, [9, 1])],
  ['listMerchantsBySeq', (tx) => merchants.listMerchantsBySeq(tx, [])],
  ['hasFewMerchants', merchants.hasFewMerchants],
  ['updateHours', (tx) => merchants.updateHours(tx, MERCHANT)],
  ['updateSettings', (tx) => merchants.updateSettings(tx, MERCHANT, NO_SETTINGS)],
  ['bumpMenuVersion', (tx) => merchants.bumpMenuVersion(tx, 'mer_1', NOW + 5)],
  ['insertItems', (tx) => catalog.insertItems(tx, [1, 2, 3, 4, 5, 6, 7].map(makeItem))],
  ['findItem', (tx) => catalog.findItem(tx, 'itm_2')],
  ['findItem', (tx) => catalog.findItem(tx, 'itm_9')],
  ...CANDIDATE_FILTERS.map(
    (filters) => ['listCandidates', (tx: Tx) => merchants.listCandidates(tx, AROUND, filters)] as const,
  ),
  ...['lime', 'tofu', 'pad thai 3'].map(
    (q) => ['findMerchantSeqsByText', (tx: Tx) => merchants.findMerchantSeqsByText(tx, [1, 9], q)] as const,
  ),
  ...catalogueStatements(),
  ['findItems', (tx) => catalog.findItems(tx, ['itm_5', 'itm_2', 'itm_9'])],
  ['findLastSorts', (tx) => catalog.findLastSorts(tx, ['cat_1', 'cat_9'])],
  ...ITEM_FILTERS.flatMap((filters) =>
    [undefined, { category_sort: 1, category_id: 'cat_1', sort_order: 0, item_id: 'itm_4' }].map(
      (after) =>
        ['listItems', (tx: Tx) => catalog.listItems(tx, 'mer_1', filters, { after, limit: 3 })] as const,
    ),
  ),
  ['updateItem', (tx) => catalog.updateItem(tx, { ...makeItem(7), deleted_at: NOW + 20 })],
  ['findItemWithDeleted', (tx) => catalog.findItemWithDeleted(tx, 'itm_7')],
  ['findItemsWithDeleted', (tx) => catalog.findItemsWithDeleted(tx, ['itm_7', 'itm_9'])],
  ...versionStatements,
  ['listReplaced', (tx) => catalog.listReplaced(tx, 'mer_1', NOW)],
  [
    'listItems',
    (tx) => catalog.listItems(tx, 'mer_1', { q: '3' }, { limit: 3, bounds: { items: 2, sections: 1 } }),
  ],
  ['listMenuItems', (tx) => catalog.listMenuItems(tx, 'mer_1')],

  ...orderStatements(NOW),
  [
    'insertCouriers',
    (tx) =>
      couriers.insertCouriers(tx, [
        {
          courier_id: 'cou_1',
          sort: 1,
          name: 'Zoë',
          vehicle_type: 'bicycle',
          phone: '+447700900101',
          rating_tenths: 49,
          home: { latitude: 51.5, longitude: -0.1 },
        },
      ]),
  ],
  ['listCouriers', couriers.listCouriers],
  ['insertDelivery', (tx) => deliveries.insertDelivery(tx, makeDelivery(1, 'ord_1'))],
  ['insertDelivery', (tx) => deliveries.insertDelivery(tx, makeDelivery(2, null))],
  ['findDelivery', (tx) => deliveries.findDelivery(tx, 'dlv_1')],
  ['listDeliveriesIn', (tx) => deliveries.listDeliveriesIn(tx, ['pending', 'delivered'])],
  ['findDelivery', (tx) => deliveries.findDelivery(tx, 'dlv_9')],
  ['findDeliveries', (tx) => deliveries.findDeliveries(tx, ['dlv_2', 'dlv_9', 'dlv_1'])],
  ['lockDelivery', (tx) => deliveries.lockDelivery(tx, 'dlv_2')],
  ['lockDeliveries', (tx) => deliveries.lockDeliveries(tx, ['dlv_2', 'dlv_9'], { skipLocked: false })],
  ['lockDeliveries', (tx) => deliveries.lockDeliveries(tx, ['dlv_2'], { skipLocked: true })],
  [
    'updateDelivery',
    (tx) =>
      deliveries.updateDelivery(tx, {
        ...makeDelivery(2, null),
        status: 'delivered',
        delivered_at: NOW + 9,
        updated_at: NOW + 9,
      }),
  ],
  ...rideStatements(NOW),
  ...bookingStatements(NOW),
  ...taskStatements(NOW),
  ...pageStatements(NOW),
  ...timelineStatements(NOW),
  ...webhookStatements(NOW),

  ['countStoreRows', (tx) => status.countStoreRows(tx, NOW + 2, 1000)],
  ['countStoreRows', (tx) => status.countStoreRows(tx, NOW + 2, 1)],
  [
    'assertIntegrity',
    (tx) =>
      assertIntegrity(
        tx,
        tx.forUpdate === '' ? 'sqlite' : 'postgres',
        PLANNED_EVENTS,
        (why) => new AppError('store_error', why),
      ).catch(String),
  ],
  // Undone, so that rows remain for the comparison.
  ['clearStore', (tx) => undone(tx, () => status.clearStore(tx))],
  ...snapshotStatements(undone, NOW),
  ...wordStatements(undone),
]

async function undone(tx: Tx, work: () => Promise<unknown>): Promise<void> {
  const undo = new Error('undo')
  const attempt = tx.savepoint(async () => {
    await work()
    throw undo
  })
  await attempt.catch((error: unknown) => {
    if (error !== undo) throw error
  })
}

describe('every statement gives the same on both engines', () => {
  const stores: Db[] = []

  beforeAll(async () => {
    for (const engine of ENGINES) stores.push(await openTestStore(engine))
  })

  test.each(STATEMENTS.map(([name, run], index) => ({ name, run, index })))(
    '$index $name',
    async ({ run }) => {
      const results: unknown[] = []
      for (const store of stores) results.push(await store.write(run))
      expect(results).toHaveLength(ENGINES.length)
      for (const result of results) expect(withoutTable(result)).toEqual(withoutTable(results[0]))
    },
  )

  test('and leaves the same rows', async () => {
    const tables = listTables()
    expect(tables.length).toBeGreaterThan(10)
    for (const { name, columns } of tables) {
      const all = columns.map((_, at) => at + 1).join(', ')
      const rows = await Promise.all(
        stores.map((store) => store.read((tx) => tx.all(`select * from ${name} order by ${all}`))),
      )
      for (const found of rows) expect(found).toEqual(rows[0])
    }
  })
})

// The lists built by `lists.ts` are tested above.
test('the list above has every function that runs a statement', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) =>
      /^(?:(?:areas\/\w+|oauth)\/queries(?:\/[\w-]+)?|db\/(?!(?:migrate|lists)\.ts)[\w-]+)\.ts$/.test(name),
    )
  const found = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, 'src', file), 'utf8')
    const names = text.matchAll(/^export (?:async )?function (\w+)\(\s*tx: Tx/gm)
    return [...names].map(([, name]) => `${name} of src/${file}`)
  })
  expect(found.length).toBeGreaterThan(30)
  const covered = new Set(STATEMENTS.map(([name]) => name))
  const wanting = found.filter((line) => !covered.has(line.split(' ', 1)[0] ?? ''))
  expect(wanting, 'add calls to STATEMENTS here, or to a file of test/support that it takes in').toEqual([])
})
