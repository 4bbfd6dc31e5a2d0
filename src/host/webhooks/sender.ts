import { findAccount } from '../../areas/account/queries/accounts.ts'
import {
  findEndpoint,
  insertWebhookDeliveries,
  leaseOutbox,
  listAllEndpoints,
  listDueDeliveries,
  lockWebhookDelivery,
  lockEndpoint,
  moveOutbox,
  pruneWebhookDeliveries,
  readOutbox,
  skipPendingWebhookDeliveries,
  updateWebhookDelivery,
  updateEndpoint,
} from '../../areas/account/queries/webhooks.ts'
/**
 * Delivers events to webhook endpoints. The events of the store are the outbox: they were written with the changes themselves.
 * Each turn plans the deliveries of new events, and attempts what is due. One process of all that serve a store sends.
 */
import {
  LOG_COUNT,
  LOG_MS,
  recordWebhookAttempt,
  signingSecrets,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '../../areas/account/rules/webhooks.ts'
import { EVENT_TYPES } from '../../areas/account/webhooks.ts'
import { type Account, liveScopes } from '../../core/account.ts'
import { serviceNow } from '../../core/clock.ts'
import type { Db, Tx } from '../../core/db.ts'
import { typesFor } from '../../core/event-types.ts'
import { toTimestamp } from '../../core/time.ts'
import { messageHeaders } from '../../core/webhook-message.ts'
import { newIds } from '../../db/counters.ts'
import { listShownEvents, type ShownEvent } from '../../db/events.ts'
import { loadWorld } from '../../db/world.ts'
import { renderEvent } from '../../gateway/event-message.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Message, DeliveryOutcome } from './post.ts'

export type SenderDeps = {
  db: Db
  gateway: Pick<Gateway, 'invoke'>
  /** The machine's clock, in milliseconds. */
  now(): number
  /** A name that no other process has. */
  holder: string
  allowPrivate: boolean
  /** Called with a sentence about an endpoint that was disabled. */
  note(what: string): void
  onError(error: unknown): void
}

export type WebhookSender = {
  /** Plans what is new and begins the attempts that are due. Returns whether more is new. */
  turn(): Promise<boolean>
  /** Resolves when no attempt is under way. */
  settled(): Promise<void>
  /** Ends the attempts under way; another process, or the next start, makes them again. */
  end(): Promise<void>
}

const LEASE_MS = 15_000
/** The number of events per planning of deliveries. */
const EVENTS = 100
/** The attempts of one endpoint at the same time. */
const AT_ONCE = 8

type State = SenderDeps & {
  /** The time until which this process sends, by the machine's clock. */
  until: number
  /** The attempts of each endpoint that are under way. */
  running: Map<string, Promise<void>>
  stop: AbortController
}

/** Makes a sender. It works only while there are endpoints. */
export function makeWebhookSender(deps: SenderDeps): WebhookSender {
  const state: State = { ...deps, until: 0, running: new Map(), stop: new AbortController() }
  const settled = async (): Promise<void> => {
    while (state.running.size > 0) await Promise.all(state.running.values())
  }
  return {
    async turn() {
      const endpoints = await state.db.read(listAllEndpoints)
      if (endpoints.length === 0 || !(await renewLease(state))) return false
      const more = await planNew(state, endpoints)
      for (const { endpoint_id, status } of endpoints) {
        if (status === 'disabled' || state.running.has(endpoint_id)) continue
        const work = serve(state, endpoint_id)
          .catch((error: unknown) => {
            if (!state.stop.signal.aborted) state.onError(error)
          })
          .finally(() => state.running.delete(endpoint_id))
        state.running.set(endpoint_id, work)
      }
      return more
    },
    settled,
    async end() {
      state.stop.abort()
      await settled()
    },
  }
}

/** Becomes or stays the process that sends; false while another one is. */
async function renewLease(state: State): Promise<boolean> {
  const { db, holder } = state
  const now = state.now()
  if (state.until - now > LEASE_MS / 2 && state.until - now <= LEASE_MS) return true
  const until = now + LEASE_MS
  const held = await db.write((tx) => leaseOutbox(tx, { holder, now, until }))
  state.until = held ? until : 0
  return held
}

/** Plans the deliveries of the next events. Returns whether there are more events. */
async function planNew(state: State, endpoints: readonly WebhookEndpoint[]): Promise<boolean> {
  const { db } = state
  const { after, events, accounts, generation } = await db.read(async (tx) => {
    const since = Math.min(...endpoints.map(({ since_seq }) => since_seq))
    const after = Math.max(await readOutbox(tx), since)
    return {
      after,
      events: await listShownEvents(tx, after, EVENTS),
      accounts: await ownersOf(tx, endpoints),
      generation: (await loadWorld(tx)).generation,
    }
  })
  const last = events.at(-1)
  if (last === undefined) return false
  const planned: PlannedDelivery[] = []
  for (const event of events)
    for (const endpoint of endpoints) {
      const account = accounts.get(endpoint.account_id)
      if (account !== undefined && endpoint.since_seq < event.seq)
        planned.push(...(await deliveriesOf(state, { endpoint, account }, event)))
    }
  await db.write(async (tx) => {
    const { world, clock, generation: present } = await loadWorld(tx)
    // The store was reset or replaced in the meantime, or another process has planned them.
    if (present !== generation || !(await moveOutbox(tx, after, last.seq))) return
    const at = serviceNow(clock, state.now())
    const ids = planned.length === 0 ? [] : await newIds({ tx, world, at }, 'whd', planned.length)
    await insertWebhookDeliveries(
      tx,
      planned.map((each, index) => ({ ...each, delivery_id: ids[index] ?? '', due_at: at })),
    )
    // A search of the whole log, so not for each event.
    if (Math.floor(after / EVENTS) === Math.floor(last.seq / EVENTS)) return
    for (const { endpoint_id } of endpoints)
      await pruneWebhookDeliveries(tx, endpoint_id, { before: at - LOG_MS, keep: LOG_COUNT })
  })
  return events.length === EVENTS
}

type PlannedDelivery = Omit<WebhookDelivery, 'delivery_id' | 'due_at'>
type EndpointOwner = { endpoint: WebhookEndpoint; account: Account }

async function ownersOf(
  tx: Tx,
  endpoints: readonly WebhookEndpoint[],
): Promise<ReadonlyMap<string, Account>> {
  const found = new Map<string, Account>()
  for (const id of new Set(endpoints.map(({ account_id }) => account_id))) {
    const account = await findAccount(tx, id)
    if (account !== undefined) found.set(id, account)
  }
  return found
}

/** Returns the deliveries of an event to an endpoint: none, one, or two where its account ordered from its own store. */
async function deliveriesOf(
  { gateway }: State,
  { endpoint, account }: EndpointOwner,
  event: ShownEvent,
): Promise<PlannedDelivery[]> {
  const { endpoint_id, status, types } = endpoint
  const told = typesFor(EVENT_TYPES, { account, scopes: endpoint.scopes }, event)
  const planned: PlannedDelivery[] = []
  const { resource_id } = event
  const timestamp = toTimestamp(event.occurred_at)
  for (const type of told.filter((each) => types.includes(each.type))) {
    const scopes = liveScopes(endpoint.scopes, account)
    const body = scopes.includes(type.scope)
      ? await renderEvent(gateway, { account: account.account_id, scopes }, type, { resource_id, timestamp })
      : undefined
    planned.push({
      endpoint_id,
      seq: event.seq,
      resource_id,
      type: type.type,
      status: body === undefined ? 'withheld' : status === 'enabled' ? 'pending' : 'skipped',
      occurred_at: event.occurred_at,
      scope: type.scope,
      body: body ?? '',
      tries: 0,
      attempts: [],
    })
  }
  return planned
}

/** Attempts what is due of one endpoint, until nothing is. */
async function serve(state: State, endpointId: string): Promise<void> {
  while (state.now() < state.until && !state.stop.signal.aborted) {
    const due = await state.db.read(async (tx) => {
      const { clock, generation } = await loadWorld(tx)
      const found = await listDueDeliveries(tx, endpointId, serviceNow(clock, state.now()), AT_ONCE)
      return found.map((delivery) => ({ delivery, generation }))
    })
    const done = await Promise.all(due.map((each) => attempt(state, each)))
    if (!done.includes(true)) return
  }
}

/** A delivery, and the generation of the store in which it is due: another one may have a delivery with its id. */
type DueDelivery = { delivery: WebhookDelivery; generation: string }

/** Makes one attempt, and records its outcome. Returns false for an endpoint that was disabled or deleted in the meantime. */
async function attempt(state: State, due: DueDelivery): Promise<boolean> {
  const { db, allowPrivate, stop } = state
  const { delivery } = due
  const prepared = await db.read((tx) => prepare(state, tx, due))
  if (prepared === undefined) return false
  let outcome: DeliveryOutcome | 'withheld' = 'withheld'
  if (prepared !== 'withheld') {
    const { post } = await import('./post.ts')
    outcome = await post({ ...prepared, body: delivery.body }, { allowPrivate, signal: stop.signal })
  }
  await db.write((tx) => record(state, tx, due, outcome))
  return true
}

/** Returns the address and the headers of an attempt; undefined where nothing may be sent to the endpoint now. */
async function prepare(
  state: State,
  tx: Tx,
  { delivery: { delivery_id, endpoint_id, scope, body }, generation }: DueDelivery,
): Promise<Omit<Message, 'body'> | 'withheld' | undefined> {
  const { clock, cursorKey, generation: present } = await loadWorld(tx)
  if (present !== generation) return undefined
  const endpoint = await findEndpoint(tx, endpoint_id)
  const account = endpoint && (await findAccount(tx, endpoint.account_id))
  if (endpoint?.status !== 'enabled' || account === undefined) return undefined
  if (scope !== null && !liveScopes(endpoint.scopes, account).includes(scope)) return 'withheld'
  const secrets = signingSecrets(endpoint, cursorKey, serviceNow(clock, state.now()))
  return { url: endpoint.url, headers: messageHeaders({ id: delivery_id, body, secrets }, state.now()) }
}

async function record(
  state: State,
  tx: Tx,
  { delivery: { delivery_id, endpoint_id }, generation }: DueDelivery,
  outcome: DeliveryOutcome | 'withheld',
): Promise<void> {
  const { clock, generation: present } = await loadWorld(tx)
  // The store was reset or replaced in the meantime.
  if (present !== generation) return
  const endpoint = await lockEndpoint(tx, endpoint_id)
  const found = await lockWebhookDelivery(tx, delivery_id)
  // The endpoint was deleted in the meantime.
  if (found === undefined || endpoint === undefined) return
  if (outcome === 'withheld') return updateWebhookDelivery(tx, { ...found, status: 'withheld' })
  const wasEnabled = endpoint.status === 'enabled'
  recordWebhookAttempt(endpoint, found, { at: serviceNow(clock, state.now()), ...outcome })
  await updateWebhookDelivery(tx, found)
  await updateEndpoint(tx, endpoint)
  if (!wasEnabled || endpoint.status === 'enabled') return
  await skipPendingWebhookDeliveries(tx, endpoint_id)
  state.note(`The webhook endpoint ${endpoint_id} is disabled: ${endpoint.disabled_reason}.`)
}
