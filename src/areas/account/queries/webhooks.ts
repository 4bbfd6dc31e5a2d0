/** Webhook endpoints, the log of their deliveries, and the place of the sender in the store's events. */
import type { Tx } from '../../../core/db.ts'
import { defineDocTable } from '../../../db/table.ts'
import { readIntegerColumn } from '../../../db/values.ts'
import type { WebhookDelivery, WebhookEndpoint } from '../rules/webhooks.ts'

const ENDPOINTS = defineDocTable<
  WebhookEndpoint,
  'endpoint_id' | 'account_id' | 'status' | 'since_seq' | 'created_at'
>({
  name: 'webhook_endpoints',
  key: 'endpoint_id',
  columns: {
    endpoint_id: 'text',
    account_id: 'text',
    status: 'text',
    since_seq: 'integer',
    created_at: 'integer',
  },
  changing: ['status', 'doc'],
})

const DELIVERIES = defineDocTable<
  WebhookDelivery,
  'delivery_id' | 'endpoint_id' | 'seq' | 'resource_id' | 'type' | 'status' | 'due_at' | 'occurred_at'
>({
  name: 'webhook_deliveries',
  key: 'delivery_id',
  columns: {
    delivery_id: 'text',
    endpoint_id: 'text',
    seq: 'integer',
    resource_id: 'text',
    type: 'text',
    status: 'text',
    due_at: 'integer',
    occurred_at: 'integer',
  },
  changing: ['status', 'due_at', 'doc'],
})

export async function insertEndpoint(tx: Tx, endpoint: WebhookEndpoint): Promise<void> {
  await ENDPOINTS.insert(tx, [endpoint])
}

export const { update: updateEndpoint, find: findEndpoint, lock: lockEndpoint } = ENDPOINTS
export const {
  insert: insertWebhookDeliveries,
  update: updateWebhookDelivery,
  find: findWebhookDelivery,
  lock: lockWebhookDelivery,
} = DELIVERIES

/** Returns the endpoints of an account, the oldest first. */
export async function listEndpoints(tx: Tx, accountId: string): Promise<WebhookEndpoint[]> {
  return ENDPOINTS.list(tx, 'where account_id = $1 order by created_at, endpoint_id', accountId)
}

/** Returns every endpoint of the store. */
export async function listAllEndpoints(tx: Tx): Promise<WebhookEndpoint[]> {
  return ENDPOINTS.list(tx, 'order by endpoint_id')
}

/** Returns the addresses to which a service on this store would send. */
export async function listWebhookTargetUrls(tx: Tx): Promise<string[]> {
  const all = await listAllEndpoints(tx)
  return [...new Set(all.filter(({ status }) => status === 'enabled').map(({ url }) => url))]
}

/** Deletes an endpoint and the log of its deliveries. */
export async function deleteEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.run('delete from webhook_deliveries where endpoint_id = $1', endpointId)
  await tx.run('delete from webhook_endpoints where endpoint_id = $1', endpointId)
}

/** `before` is the place of the last delivery of the page before. */
export type DeliveryFilter = {
  status: WebhookDelivery['status'] | undefined
  before: Pick<WebhookDelivery, 'seq' | 'delivery_id'> | undefined
}

/** Returns the deliveries of an endpoint, the newest event first. */
export async function listDeliveries(
  tx: Tx,
  endpointId: string,
  { status, before }: DeliveryFilter,
  limit: number,
): Promise<WebhookDelivery[]> {
  const { seq, delivery_id } = before ?? { seq: Number.MAX_SAFE_INTEGER, delivery_id: '' }
  const [where, params] = status === undefined ? ['', []] : ['and status = $5', [status]]
  return DELIVERIES.list(
    tx,
    `where endpoint_id = $1 and (seq < $2 or (seq = $2 and delivery_id > $3)) ${where}
     order by seq desc, delivery_id limit $4`,
    endpointId,
    seq,
    delivery_id,
    limit,
    ...params,
  )
}

/** Returns the deliveries of an endpoint whose events happened in a stretch of time, the oldest first. */
export async function listDeliveriesOf(
  tx: Tx,
  endpointId: string,
  { from, to }: { from: number; to: number },
  limit: number,
): Promise<WebhookDelivery[]> {
  return DELIVERIES.list(
    tx,
    'where endpoint_id = $1 and occurred_at >= $2 and occurred_at < $3 order by seq limit $4',
    endpointId,
    from,
    to,
    limit,
  )
}

/**
 * Returns the deliveries of an endpoint that may be attempted at `now`: of each resource only the earliest that is pending,
 * so that its events come in their order.
 */
export async function listDueDeliveries(
  tx: Tx,
  endpointId: string,
  now: number,
  limit: number,
): Promise<WebhookDelivery[]> {
  return DELIVERIES.list(
    tx,
    `d where endpoint_id = $1 and status = 'pending' and due_at <= $2 and not exists (
       select 1 from webhook_deliveries e where e.endpoint_id = d.endpoint_id and e.resource_id = d.resource_id
         and e.status = 'pending' and e.seq < d.seq)
     order by seq limit $3`,
    endpointId,
    now,
    limit,
  )
}

/** Deletes the older part of an endpoint's log: all but its last `keep` deliveries, and those before `before`. Pending ones stay. */
export async function pruneWebhookDeliveries(
  tx: Tx,
  endpointId: string,
  { before, keep }: { before: number; keep: number },
): Promise<void> {
  await tx.run(
    `delete from webhook_deliveries where endpoint_id = $1 and status <> 'pending' and (occurred_at < $2 or seq <=
       (select seq from webhook_deliveries where endpoint_id = $1 order by seq desc limit 1 offset $3))`,
    endpointId,
    before,
    keep,
  )
}

/** Leaves out what waits for an endpoint that was disabled. */
export async function skipPendingWebhookDeliveries(tx: Tx, endpointId: string): Promise<void> {
  await tx.run(
    `update webhook_deliveries set status = 'skipped' where endpoint_id = $1 and status = 'pending'`,
    endpointId,
  )
}

/** Returns the number of the last event whose deliveries were planned. */
export async function readOutbox(tx: Tx): Promise<number> {
  const row = await tx.get('select after_seq from webhook_outbox where one = 1')
  return row === undefined ? 0 : readIntegerColumn(row, 'after_seq')
}

/** Records that the deliveries of all events up to a number are planned; false when another sender did so in the meantime. */
export async function moveOutbox(tx: Tx, from: number, to: number): Promise<boolean> {
  return (
    (await tx.run(
      'update webhook_outbox set after_seq = $1 where one = 1 and after_seq <= $2 and after_seq < $1',
      to,
      from,
    )) === 1
  )
}

/** The longest lease that can be true: a later end was written by a clock that was wrong. */
const MAX_LEASE_MS = 60_000

/**
 * Makes a process the one that sends, or prolongs that, until an instant of the machine's clock. Returns false while another
 * one sends.
 */
export async function leaseOutbox(
  tx: Tx,
  { holder, now, until }: { holder: string; now: number; until: number },
): Promise<boolean> {
  const changed = await tx.run(
    `insert into webhook_outbox (one, after_seq, holder, held_until) values (1, 0, $1, $2)
     on conflict (one) do update set holder = excluded.holder, held_until = excluded.held_until
     where webhook_outbox.holder = excluded.holder or webhook_outbox.held_until < $3 or webhook_outbox.held_until > $4`,
    holder,
    until,
    now,
    now + MAX_LEASE_MS,
  )
  return changed === 1
}
