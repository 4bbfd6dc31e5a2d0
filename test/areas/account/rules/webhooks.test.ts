/** How often and for how long the service tries to deliver a message, and where it may send one. */
import { describe, expect, test } from 'vitest'
import {
  type Attempt,
  planDelivery,
  recordWebhookAttempt,
  RETRY_WAITS_MS,
  secretOf,
  signingSecrets,
  urlFault,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '../../../../src/areas/account/rules/webhooks.ts'
import { partialResponse } from '../../../support/part.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

function makeEndpoint(over: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    ...(partialResponse<WebhookEndpoint>({ endpoint_id: 'whe_1', status: 'enabled' }) as WebhookEndpoint),
    disabled_reason: null,
    failing_since: null,
    rotations: 0,
    rotated_at: null,
    ...over,
  }
}

function makeDelivery(): WebhookDelivery {
  const delivery = partialResponse<WebhookDelivery>({ delivery_id: 'whd_1' }) as WebhookDelivery
  planDelivery(Object.assign(delivery, { attempts: [] }), 0)
  return delivery
}

const attemptAt = (at: number, status: number | null): Attempt => ({
  at,
  status,
  error: status === null ? 'ECONNREFUSED' : null,
  response: '',
})

test.each([
  [199, false],
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [302, false],
  [404, false],
  [500, false],
  [null, false],
])('the response %s counts as delivered: %s', (status, isDelivered) => {
  const [endpoint, delivery] = [makeEndpoint(), makeDelivery()]
  recordWebhookAttempt(endpoint, delivery, attemptAt(1000, status))
  expect([delivery.status, endpoint.failing_since]).toEqual(
    isDelivered ? ['delivered', null] : ['pending', 1000],
  )
  expect(delivery.due_at).toBe(isDelivered ? 0 : 6000)
})

test('a message is tried ten times, after the waits of the ladder, and then has failed', () => {
  const [endpoint, delivery] = [makeEndpoint(), makeDelivery()]
  const waits: number[] = []
  let at = 0
  for (;;) {
    recordWebhookAttempt(endpoint, delivery, attemptAt(at, 500))
    if (delivery.status !== 'pending') break
    waits.push(delivery.due_at - at)
    at = delivery.due_at
  }
  expect(waits).toEqual([5000, 300_000, 1_800_000, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY])
  expect([delivery.status, delivery.tries, delivery.attempts.length]).toEqual(['failed', 10, 10])
  planDelivery(delivery, at)
  expect([delivery.status, delivery.due_at]).toEqual(['pending', at])
  recordWebhookAttempt(endpoint, delivery, attemptAt(at, 500))
  expect([delivery.status, delivery.due_at - at, delivery.attempts.length]).toEqual([
    'pending',
    RETRY_WAITS_MS[0],
    11,
  ])
})

describe('an endpoint', () => {
  test('that took nothing is disabled at five days, and not a millisecond earlier', () => {
    const endpoint = makeEndpoint()
    recordWebhookAttempt(endpoint, makeDelivery(), attemptAt(1000, 500))
    recordWebhookAttempt(endpoint, makeDelivery(), attemptAt(1000 + 5 * DAY - 1, null))
    expect([endpoint.status, endpoint.failing_since]).toEqual(['enabled', 1000])
    recordWebhookAttempt(endpoint, makeDelivery(), attemptAt(1000 + 5 * DAY, 500))
    expect([endpoint.status, endpoint.disabled_reason]).toEqual(['disabled', 'failing'])
  })

  test('that took a message in between has five days from its next failure on', () => {
    const endpoint = makeEndpoint()
    for (const [day, status] of [
      [1, 500],
      [2, 200],
      [6, 500],
      [10, 500],
    ] as const)
      recordWebhookAttempt(endpoint, makeDelivery(), attemptAt(day * DAY, status))
    expect([endpoint.status, endpoint.failing_since]).toEqual(['enabled', 6 * DAY])
    recordWebhookAttempt(endpoint, makeDelivery(), attemptAt(11 * DAY, 500))
    expect(endpoint.status).toBe('disabled')
  })

  test('that answers 410 is gone at once', () => {
    const endpoint = makeEndpoint()
    recordWebhookAttempt(endpoint, makeDelivery(), attemptAt(0, 410))
    expect([endpoint.status, endpoint.disabled_reason]).toEqual(['disabled', 'gone'])
  })

  test('signs with both secrets for a day after its rotation, and with the new one alone from then on', () => {
    const rotated = makeEndpoint({ rotations: 2, rotated_at: 1000 })
    const [now, before] = [2, 1].map((rotations) => secretOf({ endpoint_id: 'whe_1', rotations }, 'key'))
    expect(signingSecrets(rotated, 'key', 1000)).toEqual([now, before])
    expect(signingSecrets(rotated, 'key', 1000 + DAY - 1)).toEqual([now, before])
    expect(signingSecrets(rotated, 'key', 1000 + DAY)).toEqual([now])
    expect(signingSecrets(makeEndpoint(), 'key', 0)).toHaveLength(1)
  })
})

test.each([
  ['https://shop.example/hooks', undefined],
  ['https://10.0.0.1/', undefined],
  ['http://till.local:8080/', undefined],
  ['http://localhost/', undefined],
  ['http://api.localhost/', undefined],
  ['http://till.internal/', undefined],
  ['http://till.test./', undefined],
  ['http://till/', undefined],
  ['http://10.0.0.1/', undefined],
  ['http://[fd00::1]/', undefined],
  ['no address', 'https:// address'],
  ['ftp://shop.example/', 'https:// address'],
  ['httpsx://shop.example/', 'https:// address'],
  ['https://ann@shop.example/', 'name or password'],
  ['https://:pass@shop.example/', 'name or password'],
  ['https://shop.example/#part', 'after #'],
  ['https://shop.example:0/', 'port above 0'],
  ['http://shop.example/', 'begin with https://'],
  ['http://local.example/', 'begin with https://'],
  ['http://mylocal.dev/', 'begin with https://'],
  ['http://notlocalhost.example/', 'begin with https://'],
  ['http://evil-internal.com/', 'begin with https://'],
])('%s as the address of an endpoint: %s', (url, detail) => {
  const found = urlFault(url)?.detail
  expect([found === undefined, found?.includes(detail ?? '') ?? true]).toEqual([detail === undefined, true])
})
