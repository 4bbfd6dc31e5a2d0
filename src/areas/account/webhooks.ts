/** The members and checks that the calls for webhook endpoints share. */
import * as Type from 'typebox'
import { liveScopes, type Scope } from '../../core/account.ts'
import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { listEventTypes } from '../../core/event-types.ts'
import { invalidRequest } from '../../core/invalid-request.ts'
import {
  IDENTIFIER,
  createdAt,
  idParam,
  instant,
  describeField,
  component,
  nullable,
  nonBlankText,
} from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { RESOURCES } from '../resources.ts'
import { findWebhookDelivery, findEndpoint, lockEndpoint } from './queries/webhooks.ts'
import {
  WEBHOOK_DELIVERY_STATUSES,
  DISABLED_REASONS,
  ENDPOINT_STATUSES,
  urlFault,
  type WebhookDelivery,
  type WebhookEndpoint,
} from './rules/webhooks.ts'

/** Every type of events, by its name. */
export const EVENT_TYPES = new Map(listEventTypes(RESOURCES).map((type) => [type.type, type]))

export const endpointId = idParam('Webhook endpoint')
export const webhookDeliveryId = idParam('Delivery')
export const webhookDeliveryStatus = Type.Enum(WEBHOOK_DELIVERY_STATUSES, { description: 'Status' })

/** The members of an endpoint that its owner chooses. */
export const chosen = {
  url: Type.String({
    ...IDENTIFIER,
    maxLength: 1000,
    pattern: '^https?://',
    errorMessage: 'must begin with https://',
    description: 'Address that receives the events; http:// only for this machine and private networks',
  }),
  types: Type.Optional(
    Type.Array(Type.Enum([...EVENT_TYPES.keys()]), {
      minItems: 1,
      maxItems: EVENT_TYPES.size,
      uniqueItems: true,
      description: 'Event types. Default: all types that the credential may read',
    }),
  ),
  description: Type.Optional(nonBlankText(200, { description: 'Your own words' })),
}

const shown = {
  endpoint_id: Type.String({ meaning: 'Webhook endpoint' }),
  url: Type.String({ meaning: 'Address' }),
  description: nullable('Your own words', Type.String()),
  types: Type.Array(Type.String(), { meaning: 'Event types' }),
  status: Type.Enum(ENDPOINT_STATUSES, { meaning: 'Status' }),
  disabled_reason: nullable(
    'Reason why nothing is sent: by you, after five days of failures, or after a response 410 Gone',
    Type.Enum(DISABLED_REASONS),
  ),
  failing_since: nullable('First failed attempt since the last success', instant),
  created_at: createdAt,
}

export const endpoint = component('WebhookEndpoint', shown)

export const endpointWithSecret = component('WebhookEndpointWithSecret', {
  ...shown,
  secret: Type.String({ meaning: 'Secret that signs each message, for the libraries of Standard Webhooks' }),
})

/** A delivery without its bodies. */
export const deliveryFields = {
  delivery_id: Type.String({ meaning: 'Delivery; the receiver sees it as webhook-id' }),
  endpoint_id: Type.String({ meaning: 'Webhook endpoint' }),
  type: Type.String({ meaning: 'Event type' }),
  resource_id: Type.String({ meaning: 'Resource' }),
  status: Type.Enum(WEBHOOK_DELIVERY_STATUSES, {
    meaning:
      'Status: withheld where the account may no longer see the resource, skipped while the endpoint was disabled',
  }),
  occurred_at: describeField('Time of the event', instant),
  next_attempt_at: nullable('Time of the next attempt; null unless pending', instant),
  attempt_count: Type.Integer({ meaning: 'Number of attempts', label: 'Attempts' }),
  last_response: nullable(
    'Status of the last response, or why there was none',
    Type.String(),
    'Last response',
  ),
}

export const webhookDelivery = component('WebhookDelivery', deliveryFields)

export function serializeWebhookEndpoint(record: WebhookEndpoint): Type.Static<typeof endpoint> {
  const { endpoint_id, url, description, types, status, disabled_reason, failing_since, created_at } = record
  return {
    endpoint_id,
    url,
    description,
    types: [...types],
    status,
    disabled_reason,
    failing_since: failing_since === null ? null : toTimestamp(failing_since),
    created_at: toTimestamp(created_at),
  }
}

export function serializeWebhookDelivery(record: WebhookDelivery): Type.Static<typeof webhookDelivery> {
  const { delivery_id, endpoint_id, type, resource_id, status, due_at, occurred_at, attempts } = record
  const last = attempts.at(-1)
  return {
    delivery_id,
    endpoint_id,
    type,
    resource_id,
    status,
    occurred_at: toTimestamp(occurred_at),
    next_attempt_at: status === 'pending' ? toTimestamp(due_at) : null,
    attempt_count: attempts.length,
    last_response: last === undefined ? null : (last.error ?? String(last.status)),
  }
}

type Caller = Pick<OperationContext, 'tx' | 'account' | 'scopes'>

/**
 * Loads an endpoint of the caller. Throws `webhook_endpoint_not_found`, and `insufficient_scope` for a credential that may not
 * read what the endpoint gets: it could send that elsewhere.
 */
export async function loadOwnEndpoint(caller: Caller, id: string): Promise<WebhookEndpoint> {
  return owned(await findEndpoint(caller.tx, id), caller)
}

/** As `loadOwnEndpoint`, and locks its row. */
export async function lockOwnEndpoint(caller: Caller, id: string): Promise<WebhookEndpoint> {
  return owned(await lockEndpoint(caller.tx, id), caller)
}

function owned(found: WebhookEndpoint | undefined, caller: Caller): WebhookEndpoint {
  if (found?.account_id !== caller.account.account_id)
    throw new AppError('webhook_endpoint_not_found', 'Webhook endpoint not found.')
  const lacking = lackingScope(found, caller)
  if (lacking === undefined) return found
  throw new AppError('insufficient_scope', `This endpoint needs the scope ${lacking}, for its event types.`)
}

/** Returns a scope that a caller needs to see an endpoint of its account, and lacks; undefined for none. */
export function lackingScope(
  { types }: WebhookEndpoint,
  { account, scopes }: Pick<Caller, 'account' | 'scopes'>,
): Scope | undefined {
  // A right that the account itself has lost gets no deliveries any more.
  const needed = liveScopes(
    types.flatMap((type) => EVENT_TYPES.get(type)?.scope ?? []),
    account,
  )
  return needed.find((scope) => !scopes.includes(scope))
}

/** Loads a delivery to an endpoint. Throws `webhook_delivery_not_found`. */
export async function loadDelivery(
  { tx }: Pick<Caller, 'tx'>,
  { endpoint_id }: WebhookEndpoint,
  id: string,
): Promise<WebhookDelivery> {
  const found = await findWebhookDelivery(tx, id)
  if (found?.endpoint_id === endpoint_id) return found
  throw new AppError('webhook_delivery_not_found', 'Webhook delivery not found.')
}

/** Throws `invalid_request` for an address that cannot be delivered to. */
export function assertUrl(url: string): void {
  const fault = urlFault(url)
  if (fault !== undefined) throw invalidRequest([fault])
}

/**
 * Returns the types that are delivered, and the scopes that count for them: those of the caller. Without a choice these are all
 * that the caller may read. Throws `insufficient_scope` for others, and `invalid_request` where these are none.
 */
export function chooseTypes(
  { scopes }: Pick<OperationContext, 'scopes'>,
  types: readonly string[] | undefined,
): Pick<WebhookEndpoint, 'types' | 'scopes'> {
  const lacks = (name: string): Scope | undefined => {
    const scope = EVENT_TYPES.get(name)?.scope
    return scope === undefined || scopes.includes(scope) ? undefined : scope
  }
  const refused = types?.find((name) => lacks(name) !== undefined)
  if (refused !== undefined)
    throw new AppError('insufficient_scope', `${refused} needs the scope ${lacks(refused)}.`)
  const all = [...EVENT_TYPES.keys()].filter((name) => lacks(name) === undefined)
  if (all.length === 0)
    throw new AppError('invalid_request', 'An endpoint of this credential would get no event.', {
      hint: 'Use a credential with a scope that reads orders, rides, deliveries, parcels, bookings or tasks, such as food.read.',
    })
  return { types: types ?? all, scopes }
}

/** Throws `invalid_state` while an endpoint is disabled. */
export function assertEnabled({ status, disabled_reason }: WebhookEndpoint): void {
  if (status === 'enabled') return
  throw new AppError('invalid_state', `The endpoint is disabled (${disabled_reason}): enable it first.`)
}
