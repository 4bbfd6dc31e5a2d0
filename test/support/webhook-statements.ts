import * as webhooks from '../../src/areas/account/queries/webhooks.ts'
/** Returns the statements of webhooks, in an order in which each has rows to use. */
import type { WebhookDelivery, WebhookEndpoint } from '../../src/areas/account/rules/webhooks.ts'
import type { Tx } from '../../src/core/db.ts'

type Statements = readonly (readonly [name: string, run: (tx: Tx) => Promise<unknown>])[]

export function webhookStatements(now: number): Statements {
  const endpoint: WebhookEndpoint = {
    endpoint_id: 'whe_1',
    account_id: 'acc_1',
    status: 'enabled',
    since_seq: 3,
    created_at: now,
    url: 'https://shop.example',
    description: null,
    types: ['ride.completed'],
    scopes: ['rides.read'],
    disabled_reason: null,
    failing_since: null,
    rotations: 0,
    rotated_at: null,
  }
  const deliveries = [1, 2, 3].map((index): WebhookDelivery => ({
    delivery_id: `whd_${index}`,
    endpoint_id: 'whe_1',
    seq: index,
    resource_id: index < 3 ? 'rid_1' : 'rid_2',
    type: 'ride.completed',
    status: 'pending',
    due_at: now,
    occurred_at: now + index,
    scope: 'rides.read',
    body: '{}',
    tries: 0,
    attempts: [],
  }))
  const lease = (tx: Tx, holder: string, at: number) =>
    webhooks.leaseOutbox(tx, { holder, now: at, until: at + 10 })
  return [
    ['insertEndpoint', (tx) => webhooks.insertEndpoint(tx, endpoint)],
    ['insertEndpoint', (tx) => webhooks.insertEndpoint(tx, { ...endpoint, endpoint_id: 'whe_2' })],
    ['insertWebhookDeliveries', (tx) => webhooks.insertWebhookDeliveries(tx, deliveries)],
    ['listEndpoints', (tx) => webhooks.listEndpoints(tx, 'acc_1')],
    ['listWebhookTargetUrls', webhooks.listWebhookTargetUrls],
    ['listAllEndpoints', webhooks.listAllEndpoints],
    ['listDueDeliveries', (tx) => webhooks.listDueDeliveries(tx, 'whe_1', now, 9)],
    ['listDueDeliveries', (tx) => webhooks.listDueDeliveries(tx, 'whe_1', now - 1, 9)],
    ['lockWebhookDelivery', (tx) => webhooks.lockWebhookDelivery(tx, 'whd_1')],
    [
      'updateWebhookDelivery',
      (tx) => webhooks.updateWebhookDelivery(tx, { ...deliveries[0], status: 'failed' } as WebhookDelivery),
    ],
    ['listDueDeliveries', (tx) => webhooks.listDueDeliveries(tx, 'whe_1', now, 9)],
    ['lockEndpoint', (tx) => webhooks.lockEndpoint(tx, 'whe_1')],
    ['updateEndpoint', (tx) => webhooks.updateEndpoint(tx, { ...endpoint, status: 'disabled' })],
    [
      'listDeliveries',
      (tx) => webhooks.listDeliveries(tx, 'whe_1', { status: undefined, before: undefined }, 2),
    ],
    [
      'listDeliveries',
      (tx) => webhooks.listDeliveries(tx, 'whe_1', { status: 'pending', before: deliveries[2] }, 2),
    ],
    [
      'pruneWebhookDeliveries',
      (tx) => webhooks.pruneWebhookDeliveries(tx, 'whe_1', { before: now - 9, keep: 2 }),
    ],
    ['listDeliveriesOf', (tx) => webhooks.listDeliveriesOf(tx, 'whe_1', { from: now + 2, to: now + 3 }, 9)],
    ['skipPendingWebhookDeliveries', (tx) => webhooks.skipPendingWebhookDeliveries(tx, 'whe_1')],
    ['readOutbox', webhooks.readOutbox],
    ['leaseOutbox', (tx) => lease(tx, 'one', now)],
    ['leaseOutbox', (tx) => lease(tx, 'two', now + 5)],
    ['leaseOutbox', (tx) => lease(tx, 'one', now + 5)],
    ['leaseOutbox', (tx) => lease(tx, 'two', now + 20)],
    ['leaseOutbox', (tx) => lease(tx, 'three', now - 100_000)],
    ['moveOutbox', (tx) => webhooks.moveOutbox(tx, 0, 7)],
    ['moveOutbox', (tx) => webhooks.moveOutbox(tx, 5, 9)],
    ['readOutbox', webhooks.readOutbox],
    ['deleteEndpoint', (tx) => webhooks.deleteEndpoint(tx, 'whe_1')],
  ]
}
