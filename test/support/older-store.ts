/** Takes a store of the newest schema back to an older one, whose tables are then as that version made them. */
import type { Db } from '../../src/core/db.ts'
import { toDialect } from '../../src/db/migrate.ts'
import { MIGRATIONS } from '../../src/db/schema.ts'

const PAID = 'resource_id, payment_id, account_id, method, amount, currency, created_at, paid_at'
const REFUND =
  'refund_id, refund_status, refund_destination, refund_amount, refund_reason, refunded_at, refund_settled_at'
const PAYMENTS = `${PAID}, collected_by, ${REFUND}`

const STORES =
  'merchant_id, seq, agreement_id, name, search_text, kind, band, latitude_e6, longitude_e6, timezone, currency, week, cuisines, fulfillment_types, radius_m, prep_time_minutes, rating_tenths, menu_version, menu_updated_at, doc'
const LEDGER = 'seq, transaction_id, account, amount, currency, kind, resource_id, at'

/** The statements of a migration that begin with these words, for an engine. */
function original(version: number, words: string, kind: Db['kind'] = 'sqlite'): string[] {
  const statements = MIGRATIONS[version - 1] ?? []
  return toDialect(
    statements.filter((one) => one.startsWith(words)),
    kind,
  )
}

/** The statements that undo a migration. PostgreSQL's tables are compared with nothing, and so keep their constraints. */
const UNDO: Readonly<Record<number, (kind: Db['kind']) => readonly string[]>> = {
  33: (kind) => [
    `delete from ledger where kind = 'goodwill'`,
    'drop index ledger_payouts',
    ...original(19, 'alter table ledger add', kind),
    'update ledger set new_kind = kind',
    ...original(19, 'alter table ledger drop', kind),
    ...original(19, 'alter table ledger rename', kind),
    ...original(31, 'create index ledger_payouts', kind),
  ],
  32: () => ['drop index orders_by_number'],
  31: (kind) => [
    'drop index ledger_payouts',
    'drop index ledger_by_account',
    ...original(3, 'create index ledger_by_account', kind),
    'drop index payments_unpaid',
    ...original(22, 'alter table ', kind),
    `update payments set closed_day = (select e.closed_day from store_entries e
       where e.order_id = payments.resource_id and e.kind = 'capture')`,
    `update refunds set closed_day = (select e.closed_day from store_entries e where e.refund_id = refunds.refund_id)`,
    ...original(19, 'create index ', kind),
    ...original(22, 'create index ', kind),
    'drop table store_entry_parts',
    'drop table store_entries',
  ],
  30: (kind) => ['drop table shipment_search', ...original(21, 'create table shipment_words', kind)],
  29: () => ['drop table invoice_lines'],
  28: () => ['generation', 'generation_from'].map((column) => `alter table world drop column ${column}`),
  27: () => ['alter table world drop column faults'],
  26: (kind) => [
    'drop index catalog_schedules',
    'drop index catalog_changes',
    'drop index catalog_imports',
    'alter table catalog_item_versions drop column seq',
    ...original(25, 'create index catalog_', kind),
  ],
  25: (kind) => [
    'drop index items_in_order',
    ...['catalog_items', 'categories'].map((each) => `alter table ${each} drop column schedule`),
    ...original(20, 'create index items_in_order', kind),
    'drop index catalog_changes',
    'drop index catalog_imports',
    ...['import_id', 'merchant_id'].map((each) => `alter table catalog_item_versions drop column ${each}`),
  ],
  24: () => ['drop table collection_manifests'],
  23: () => ['webhook_endpoints', 'webhook_deliveries', 'webhook_outbox'].map((name) => `drop table ${name}`),
  22: () => [
    'drop index payments_unclosed',
    'drop index refunds_unclosed',
    'alter table payments drop column closed_day',
    'alter table refunds drop column closed_day',
    'drop table business_days',
  ],
  21: () => [
    'drop table shipment_words',
    'drop index shipments_by_customer',
    'drop index shipments_by_customer_kind',
    'alter table shipments drop column customer',
  ],
  // A pause of an older store has no end.
  20: (kind) => [
    'drop index items_in_order',
    ...['stock', 'restock', 'stock_day'].map((each) => `alter table catalog_items drop column ${each}`),
    ...original(9, 'create index items_in_order', kind),
    'drop index merchants_by_place',
    ...(kind === 'postgres'
      ? [
          'alter table merchants add column paused bigint not null default 0',
          'update merchants set paused = 1 where paused_until = 253402300799000',
          'alter table merchants drop column paused_until, drop column busy_minutes, drop column busy_until',
          ...original(3, 'create index merchants_by_place', kind),
        ]
      : [
          // Until the end, other tables name stores that are not there.
          // The second is for a transaction, in which the first does nothing.
          'pragma foreign_keys = off',
          'pragma defer_foreign_keys = on',
          'create table newer_merchants as select * from merchants',
          'drop table merchants',
          ...original(3, 'create table merchants'),
          `insert into merchants (${STORES}, paused)
           select ${STORES}, case when paused_until = 253402300799000 then 1 else 0 end from newer_merchants`,
          'drop table newer_merchants',
          ...original(3, 'create index merchants'),
          'pragma foreign_keys = on',
        ]),
  ],
  // An older store has one refund of a payment: the first. Its ledger knows no shares.
  19: (kind) => {
    const own = (statements: string[]) => statements.filter((one) => !one.includes('orders'))
    return [
      'alter table payments rename to newer_payments',
      ...original(3, 'create table payments', kind),
      ...own(original(17, 'alter table payments', kind)),
      `insert into payments (${PAID}, collected_by, status, ${REFUND})
       select ${PAID.split(', ')
         .map((each) => `p.${each}`)
         .join(', ')}, case when collected_by = 'store' then 'platform' else collected_by end, p.status,
         r.refund_id, r.status, r.destination, r.amount, r.reason, r.refunded_at, r.settled_at
       from newer_payments p left join refunds r on r.resource_id = p.resource_id and r.position = 1`,
      'drop table refunds',
      'drop table newer_payments',
      `delete from ledger where kind in ('share', 'payout')`,
      ...(kind === 'postgres'
        ? []
        : [
            'alter table ledger rename to newer_ledger',
            'drop index ledger_by_account',
            'drop index ledger_by_resource',
            ...original(3, 'create table ledger', kind),
            ...original(3, 'create index ledger', kind),
            `insert into ledger (${LEDGER}) select ${LEDGER} from newer_ledger`,
            'drop table newer_ledger',
          ]),
    ]
  },
  18: () => ['drop index catalog_items_changed', 'alter table catalog_item_versions drop column via'],
  17: (kind) => {
    const older = `case when status <> 'partially_refunded' then status
      when refund_status = 'pending' then 'refund_pending' else 'refunded' end`
    if (kind === 'postgres')
      return [
        `update payments set status = ${older}`,
        `update orders set payment_status = (select status from payments where resource_id = order_id)`,
      ]
    return [
      'alter table payments rename to newer_payments',
      ...original(3, 'create table payments'),
      `insert into payments (${PAYMENTS}, status) select ${PAYMENTS}, ${older} from newer_payments`,
      'drop table newer_payments',
      'drop index orders_by_kind',
      'alter table orders drop column payment_status',
      ...original(9, 'alter table orders'),
      ...original(9, 'update orders'),
      ...original(9, 'create index orders_by_kind'),
    ]
  },
  16: () => ['alter table accounts drop column membership_anchor'],
  15: () => ['alter table page_sessions drop column page'],
  14: () => ['drop table old_codes'],
}

/** Returns the statements that take a store back to version 13 or a later one. */
export function statementsBackTo(version: number, kind: Db['kind'] = 'sqlite'): string[] {
  const undone = Array.from({ length: MIGRATIONS.length - version }, (_, at) => MIGRATIONS.length - at)
  const undo = (each: number): readonly string[] => {
    const statements = UNDO[each]
    if (statements === undefined)
      throw new Error(`Nothing undoes migration ${each}: add it to UNDO of test/support/older-store.ts.`)
    return statements(kind)
  }
  return [
    ...undone.flatMap(undo),
    kind === 'sqlite' ? `pragma user_version = ${version}` : `update schema_version set version = ${version}`,
  ]
}
