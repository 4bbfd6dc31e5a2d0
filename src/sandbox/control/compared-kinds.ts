/** The kinds of resources that two snapshots are compared by: the tables, and what finds a resource again. */

export type ComparedKind = {
  table: string
  /** The name for people. */
  kind: string
  /** The columns, or paths in the document, that name a resource: another name is another resource, unless `renamed`. */
  name?: readonly string[]
  /** A resource may get another name, and is then found by its id. */
  renamed?: true
  /** The column with the id of the resource that it belongs to, of a kind that is listed before. */
  owner?: string
  /** Each owner has one, with the owner's id. */
  single?: true
}

/** In the order of the report. */
export const KINDS: readonly ComparedKind[] = [
  { table: 'world', kind: 'sandbox', single: true },
  { table: 'rate_cards', kind: 'rate card', name: ['rate_card_id'] },
  { table: 'hubs', kind: 'hub', name: ['code'] },
  { table: 'carrier_agreements', kind: 'carrier agreement', name: ['doc.sender.company'] },
  { table: 'accounts', kind: 'account', name: ['handle'] },
  {
    table: 'webhook_endpoints',
    kind: 'webhook endpoint',
    owner: 'account_id',
    name: ['doc.url'],
    renamed: true,
  },
  { table: 'merchants', kind: 'store', name: ['name'], renamed: true },
  { table: 'categories', kind: 'category', owner: 'merchant_id', name: ['name'], renamed: true },
  { table: 'catalog_items', kind: 'item', owner: 'merchant_id', name: ['name'], renamed: true },
  { table: 'ride_tiers', kind: 'ride tier', name: ['tier'] },
  { table: 'providers', kind: 'provider', name: ['name'] },
  { table: 'task_types', kind: 'task type', name: ['task_type'] },
  { table: 'orders', kind: 'order', owner: 'account_id' },
  { table: 'deliveries', kind: 'delivery', owner: 'account_id' },
  { table: 'rides', kind: 'ride', owner: 'account_id' },
  { table: 'bookings', kind: 'booking', owner: 'account_id' },
  { table: 'tasks', kind: 'task', owner: 'account_id' },
  { table: 'evidence_items', kind: 'evidence item', owner: 'task_id', name: ['sequence'] },
  { table: 'shipments', kind: 'parcel', owner: 'agreement_id', name: ['reference'] },
  { table: 'shipment_events', kind: 'scan', owner: 'tracking_number', name: ['sequence'] },
  { table: 'collection_manifests', kind: 'collection manifest', owner: 'agreement_id' },
  { table: 'payments', kind: 'payment', owner: 'resource_id', single: true },
  { table: 'refunds', kind: 'refund', owner: 'resource_id', name: ['position'] },
  { table: 'wallets', kind: 'wallet', owner: 'account_id', single: true },
  { table: 'ledger', kind: 'ledger entry', owner: 'resource_id', name: ['kind', 'account'] },
  { table: 'business_days', kind: 'business day', owner: 'merchant_id', name: ['number'] },
]

/**
 * Tables that are not compared: counters, keys, quotes, rows derived from others, logs of changes, and the people whom the
 * seed draws. An order or a ride has the name of its own courier or driver.
 */
export const NOT_COMPARED: readonly string[] = [
  'ordinals',
  'agreement_hubs',
  'idempotency',
  'quotes',
  'couriers',
  'drivers',
  'taskers',
  'events',
  'timeline',
  'blobs',
  'media',
  'slot_claims',
  'booked_cells',
  'way_cells',
  'assignments',
  'assigned_minutes',
  'catalog_item_versions',
  'old_codes',
  'invoice_lines',
  'store_entries',
  'store_entry_parts',
  'webhook_deliveries',
  'webhook_outbox',
]

/** Columns that only identify or sort, are derived from others, or hold the time of a read. */
export const LEFT_OUT_COLUMNS: ReadonlySet<string> = new Set([
  'one',
  'seed',
  'seq',
  'since_seq',
  'ordinal',
  'sort',
  'clock_high',
  'quote_id',
  'content_hash',
  'display_number',
  'search_text',
  'name_key',
  'band',
  'business_seen_at',
])

/** Fields of documents, at any depth, that the seed draws for an id. */
export const LEFT_OUT_MEMBERS: ReadonlySet<string> = new Set([
  'quote_id',
  'sha256',
  'claim_sha256',
  'device_id_hash',
  'byte_size',
  'pickup_pin',
  'dropoff_pincode',
])
