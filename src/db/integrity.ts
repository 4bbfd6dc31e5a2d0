/**
 * The sums and references that each store keeps, whoever wrote its rows: checked before the content of a file takes the place
 * of a store's. Each check is a query that finds a row which breaks it, over all rows at once.
 */
import type { Db, SqlRow, Tx } from '../core/db.ts'
import type { AppError } from '../core/errors.ts'
import { listTables } from './tables.ts'
import type { TimelineKind } from './timeline.ts'

/** The resources that a payment may be for: their table, their key, and within `doc` their price and what was removed from it. */
const PAID: readonly (readonly [table: string, key: string, price: readonly string[], off?: string])[] = [
  ['orders', 'order_id', ['total', 'amount'], 'reduced_by'],
  ['deliveries', 'delivery_id', ['price', 'amount']],
  ['rides', 'ride_id', ['fare', 'amount']],
  ['bookings', 'booking_id', ['price', 'amount']],
  ['tasks', 'task_id', ['price', 'amount']],
]

/** The tables with a `seq` from the counter of the world, and those with an ordinal of their own. */
const IN_ORDER = [
  'events',
  'timeline',
  'shipments',
  'collection_manifests',
  'invoice_lines',
  'store_entries',
  'orders',
  'deliveries',
  'rides',
  'bookings',
  'tasks',
  'ledger',
]

/** The row that a planned event is for. An event without it would stay due for ever, and every call would wait for it. */
const PLANNED_FOR: Readonly<Record<TimelineKind, readonly [table: string, key: string]>> = {
  membership: ['accounts', 'account_id'],
  shipment: ['shipments', 'tracking_number'],
  order: ['orders', 'order_id'],
  delivery: ['deliveries', 'delivery_id'],
  booking: ['bookings', 'booking_id'],
  ride: ['rides', 'ride_id'],
  task: ['tasks', 'task_id'],
}

/** The columns that hold an object as JSON, by their names. */
const JSON_COLUMNS = new Set(['doc', 'payload', 'replaced'])
/** Those of them with JSON that may be `null`. */
const NULLABLE = new Set(['replaced'])

/** The events that may be planned for each kind of row. */
type Events = Readonly<Record<TimelineKind, readonly string[]>>

/** Throws the error that `refuse` makes of the first broken sum. */
export async function assertIntegrity(
  tx: Tx,
  kind: Db['kind'],
  events: Events,
  refuse: (why: string) => AppError,
): Promise<void> {
  for (const [why, sql] of checks(kind, events)) {
    const found = await tx.get(`${sql} limit 1`)
    if (found !== undefined) throw refuse(`${why} (${shown(found)})`)
  }
}

/** A sentence about a row that breaks a rule, and the query that finds one. */
type Check = readonly [why: string, sql: string]

const REFUND_CHECKS: readonly Check[] = [
  [
    'what a store is due is not what its payments say',
    `select p.resource_id, p.share, l.sum as ledger from payments p left join (
       select resource_id, sum(amount) as sum from ledger where kind = 'share' and account like 'payable:%'
       group by resource_id) l on l.resource_id = p.resource_id
     where coalesce(l.sum, 0) <> coalesce(p.share, 0) +
       coalesce((select sum(r.share) from refunds r where r.resource_id = p.resource_id), 0)`,
  ],
  [
    'what a store is due is not what its entries say',
    `select p.resource_id, p.share, e.sum as entries from payments p left join (
       select order_id, sum(share + collected) as sum from store_entries where is_posted = 1 group by order_id
     ) e on e.order_id = p.resource_id
     where p.merchant_id is not null and coalesce(e.sum, 0) <> coalesce(p.share, 0) +
       coalesce((select sum(r.share) from refunds r where r.resource_id = p.resource_id), 0)`,
  ],
  [
    'a refund is of no payment',
    `select r.refund_id, r.resource_id from refunds r
     where not exists (select 1 from payments p where p.resource_id = r.resource_id)`,
  ],
]

function checks(kind: Db['kind'], events: Events): Check[] {
  const amountIn = (doc: string, path: readonly string[]): string =>
    kind === 'sqlite'
      ? `json_extract(${doc}, '$.${path.join('.')}')`
      : `cast(cast(${doc} as json) #>> '{${path.join(',')}}' as bigint)`
  return [
    ['it has no world', 'select 0 as worlds where (select count(*) from world) <> 1'],
    ...integerChecks(),
    ...jsonChecks(kind),
    ...planChecks(events),
    [
      'a transaction of its ledger does not add up to zero',
      'select transaction_id, sum(amount) as sum from ledger group by transaction_id having sum(amount) <> 0',
    ],
    [
      'the balance of a wallet is not what its ledger says',
      `select w.account_id, w.balance, coalesce(l.sum, 0) as ledger from wallets w
       left join (select account, sum(amount) as sum from ledger where account like 'wallet:%' group by account) l
         on l.account = 'wallet:' || w.account_id
       where w.balance <> coalesce(l.sum, 0)`,
    ],
    [
      'its ledger has a wallet that is not there',
      `select l.account from ledger l where l.account like 'wallet:%'
       and not exists (select 1 from wallets w where 'wallet:' || w.account_id = l.account)`,
    ],
    [
      'a payment is not what its ledger says',
      `select p.resource_id, p.amount, coalesce(l.captured, 0) as captured, coalesce(l.refunded, 0) as refunded
       from payments p left join (
         select resource_id, sum(case when kind = 'capture' and amount > 0 then amount else 0 end) as captured,
           sum(case when kind = 'refund' and amount > 0 then amount else 0 end) as refunded
         from ledger group by resource_id) l on l.resource_id = p.resource_id
       where coalesce(l.captured, 0) <> case when p.paid_at is null then 0 else p.amount end
         or coalesce(l.refunded, 0) <>
           coalesce((select sum(r.amount) from refunds r where r.resource_id = p.resource_id and r.status = 'succeeded'), 0)`,
    ],
    [
      'its ledger has a transaction of no payment',
      `select l.transaction_id, l.kind, l.resource_id from ledger l where l.kind not in ('opening', 'payout')
       and not exists (select 1 from payments p where p.resource_id = l.resource_id)`,
    ],
    ...PAID.map(([table, key, path, off]) => {
      const less = off === undefined ? '' : ` - coalesce(${amountIn('r.doc', [off])}, 0)`
      const price = `${amountIn('r.doc', path)}${less}`
      return [
        `a payment is not the price of its row of ${table}`,
        `select r.${key} as id, p.amount as paid, ${price} as price
         from ${table} r join payments p on p.resource_id = r.${key} where p.amount <> coalesce(${price}, -1)`,
      ] as const
    }),
    [
      'an order has another status of its payment',
      `select o.order_id, o.payment_status, p.status from orders o left join payments p on p.resource_id = o.order_id
       where p.status is null or o.payment_status <> p.status`,
    ],
    [
      'a payment has another status than its refunds say',
      `select p.resource_id, p.status, p.amount, r.back from payments p left join (
         select resource_id, sum(amount) as back, max(case when status = 'pending' then 1 else 0 end) as waits
         from refunds where status <> 'failed' group by resource_id) r on r.resource_id = p.resource_id
       where case when r.back is null then p.status not in ('unpaid', 'paid', 'failed')
         else p.status <> case when r.back < p.amount then 'partially_refunded'
           when r.waits = 1 then 'refund_pending' else 'refunded' end end`,
    ],
    ...REFUND_CHECKS,
    ...IN_ORDER.map(
      (table) =>
        [
          `the counter of its world is behind ${table}`,
          `select w.seq as counter, (select max(seq) from ${table}) as last from world w
           where w.seq < (select max(seq) from ${table})`,
        ] as const,
    ),
  ]
}

/** A counter beyond this would soon leave the whole numbers that JavaScript has. */
const MAX_COUNTER = 2 ** 52

/** A number that JavaScript does not have as it is could not be read: so each is shown as text. */
function integerChecks(): Check[] {
  const tables = listTables().flatMap(({ name: table, columns, key }): Check[] => {
    const integers = columns.filter(({ kind }) => kind === 'int').map(({ name }) => name)
    if (integers.length === 0) return []
    const most = Number.MAX_SAFE_INTEGER
    const isOver = integers.map((name) => `${name} > ${most} or ${name} < -${most}`).join(' or ')
    const shownColumns = [...new Set([...key, ...integers])].map((name) => `cast(${name} as text) as ${name}`)
    return [
      [
        `a row of ${table} has a number that is too large`,
        `select ${shownColumns.join(', ')} from ${table} where ${isOver}`,
      ],
    ]
  })
  return [
    ...tables,
    ['its counter is too large', `select cast(seq as text) as seq from world where seq > ${MAX_COUNTER}`],
    [
      'a counter of its ids is too large',
      `select kind, cast(last as text) as last from ordinals where last > ${MAX_COUNTER}`,
    ],
  ]
}

function jsonChecks(kind: Db['kind']): Check[] {
  const isNoObject = (column: string): string => {
    const isOther =
      kind === 'sqlite'
        ? `case when json_valid(${column}) then json_type(${column}) <> 'object' else 1 end`
        : `${column} is not json object`
    return `${column} is not null and ${isOther}${NULLABLE.has(column) ? ` and ${column} <> 'null'` : ''}`
  }
  return listTables().flatMap(({ name: table, columns, key }) =>
    columns
      .filter(({ name }) => JSON_COLUMNS.has(name))
      .map(({ name }): Check => [
        `a row of ${table} is damaged`,
        `select ${key.map((column) => `cast(${column} as text) as ${column}`).join(', ')}, substr(${name}, 1, 20) as ${name}
         from ${table} where ${isNoObject(name)}`,
      ]),
  )
}

function planChecks(events: Events): Check[] {
  const isThere = Object.entries(PLANNED_FOR).map(
    ([kind, [table, key]]) =>
      `(t.kind = '${kind}' and exists (select 1 from ${table} r where r.${key} = t.resource_id))`,
  )
  const isKnown = Object.entries(events).map(
    ([kind, names]) => `(t.kind = '${kind}' and t.event in (${names.map((name) => `'${name}'`).join(', ')}))`,
  )
  return [
    [
      'its timeline has an event for a row that is not there',
      `select t.kind, t.resource_id from timeline t where not (${isThere.join(' or ')})`,
    ],
    [
      'its timeline has an event that this dray does not know',
      `select t.kind, t.event, t.resource_id from timeline t where not (${isKnown.join(' or ')})`,
    ],
    [
      'its timeline has a delivery for an order that is not there',
      `select t.link_id from timeline t where t.kind = 'delivery' and t.link_id is not null
       and not exists (select 1 from orders o where o.order_id = t.link_id)`,
    ],
  ]
}

function shown(row: SqlRow): string {
  return Object.entries(row)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')
    .slice(0, 200)
}
