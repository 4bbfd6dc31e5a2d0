/** The rules of webhook endpoints: their secrets, and how often and for how long the service tries. Pure. */
import type { Scope } from '../../../core/account.ts'
import type { ProblemFieldError } from '../../../core/errors.ts'
import { hmacHex } from '../../../core/hash.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The waits after each failed attempt, as the Standard Webhooks specification advises; then the delivery has failed. */
export const RETRY_WAITS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
/** An endpoint that took nothing for so long is disabled. */
const MAX_FAILURE_MS = 120 * HOUR
/** The time in which messages are also signed with the secret before. */
const ROTATION_MS = 24 * HOUR
/** The log of an endpoint keeps deliveries for so long, and this many. */
export const LOG_MS = 30 * 24 * HOUR
export const LOG_COUNT = 10_000
/** The most endpoints of an account. */
export const MAX_ENDPOINTS = 16

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const
export const DISABLED_REASONS = ['by_owner', 'failing', 'gone'] as const
export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'withheld', 'skipped'] as const

export type WebhookEndpoint = {
  endpoint_id: string
  account_id: string
  status: (typeof ENDPOINT_STATUSES)[number]
  /** Only later events are delivered. */
  since_seq: number
  created_at: number
  url: string
  description: string | null
  types: readonly string[]
  /** The scopes of the credential that made it, or that chose its types last. */
  scopes: readonly Scope[]
  disabled_reason: (typeof DISABLED_REASONS)[number] | null
  /** The first failed attempt since the last that succeeded. */
  failing_since: number | null
  /** The number of times that its secret was replaced, and when it was last. */
  rotations: number
  rotated_at: number | null
}

export type Attempt = {
  at: number
  /** The status of the response; null when there was none. */
  status: number | null
  /** The reason why there was no response; null when there was one. */
  error: string | null
  /** The beginning of the response. */
  response: string
}

export type WebhookDelivery = {
  delivery_id: string
  endpoint_id: string
  seq: number
  resource_id: string
  type: string
  status: (typeof WEBHOOK_DELIVERY_STATUSES)[number]
  /** The time of the next attempt, while it is pending. */
  due_at: number
  occurred_at: number
  /** The scope without which the account must not see it any more; null for a test. */
  scope: Scope | null
  /** The message as it is sent, the same at each attempt; empty when it was withheld from the beginning. */
  body: string
  /** The attempts since it was last planned, and those before. */
  tries: number
  attempts: Attempt[]
}

type EndpointRotation = Pick<WebhookEndpoint, 'endpoint_id' | 'rotations' | 'rotated_at'>

/** Returns the secret of an endpoint, as its owner sees it: `whsec_` and base64. `key` is the store's own. */
export function secretOf(
  { endpoint_id, rotations }: Omit<EndpointRotation, 'rotated_at'>,
  key: string,
): string {
  return `whsec_${Uint8Array.fromHex(hmacHex(key, `webhook|${endpoint_id}|${rotations}`)).toBase64()}`
}

/** Returns the secrets that sign a message at `now`, the newest first. */
export function signingSecrets(endpoint: EndpointRotation, key: string, now: number): string[] {
  const { rotations, rotated_at } = endpoint
  const overlaps = rotated_at !== null && now < rotated_at + ROTATION_MS
  return [endpoint, ...(overlaps ? [{ ...endpoint, rotations: rotations - 1 }] : [])].map((each) =>
    secretOf(each, key),
  )
}

/** Writes an attempt at `attempt.at` into its delivery and its endpoint: done, tried again later, or given up. */
export function recordWebhookAttempt(
  endpoint: WebhookEndpoint,
  delivery: WebhookDelivery,
  attempt: Attempt,
): void {
  const { at, status } = attempt
  delivery.attempts.push(attempt)
  delivery.tries += 1
  if (status !== null && status >= 200 && status < 300) {
    delivery.status = 'delivered'
    endpoint.failing_since = null
    return
  }
  const wait = RETRY_WAITS_MS[delivery.tries - 1]
  if (wait === undefined) delivery.status = 'failed'
  else delivery.due_at = at + wait
  endpoint.failing_since ??= at
  if (status === 410) disable(endpoint, 'gone')
  else if (at - endpoint.failing_since >= MAX_FAILURE_MS) disable(endpoint, 'failing')
}

export function disable(endpoint: WebhookEndpoint, reason: WebhookEndpoint['disabled_reason']): void {
  endpoint.status = 'disabled'
  endpoint.disabled_reason = reason
}

/** Plans the first attempt at `now`, or another round of attempts. */
export function planDelivery(delivery: WebhookDelivery, now: number): void {
  delivery.status = 'pending'
  delivery.tries = 0
  delivery.due_at = now
}

/** Returns the fault of an address to deliver to; undefined for one that fits. The service checks where it leads before each attempt. */
export function urlFault(given: string): ProblemFieldError | undefined {
  const fault = (detail: string): ProblemFieldError => ({ pointer: '/url', code: 'out_of_range', detail })
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol)) return fault('url must be an https:// address')
  if (url.username !== '' || url.password !== '') return fault('url must hold no name or password')
  if (url.hash !== '') return fault('url must have no part after #')
  if (url.port === '0') return fault('url must have a port above 0')
  if (url.protocol === 'http:' && isPublicName(url.hostname))
    return fault('url must begin with https://; http:// is for this machine and private networks')
  return undefined
}

/** Names without a dot, and addresses, are checked when they are used. */
function isPublicName(hostname: string): boolean {
  return (
    /[a-z]/i.test(hostname) &&
    hostname.includes('.') &&
    !/(^|\.)(localhost|local|internal|test)\.?$/i.test(hostname)
  )
}
