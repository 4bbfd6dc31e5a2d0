/** The kitchen's orders and what is done to them: keeps them up to date, and says what happened. */
import { cookedWords } from '../../areas/orders/rules/kitchen-lines.ts'
import { mergeLostOrders } from '../../areas/orders/rules/losses.ts'
import { formatOrderState, ORDER_VERB_TEXTS, type OrderVerb } from '../../areas/orders/rules/stages.ts'
import { summarizeOpenProblems, formatOrderProblem } from '../../areas/orders/rules/wrong-words.ts'
import { type TimedResult, ConnectionLostError, ProblemError, SessionExpiredError } from '../core/call.ts'
import type { Clock } from '../core/clock.ts'
import type { Notice } from '../core/notices.tsx'
import { createStateStore, joinCalls } from '../core/state-store.ts'
import type { StateStore } from '../core/state-store.ts'
import type { Order } from './order.ts'
import { NO_SOUND_YET, planSound, type Sound, type SoundMemory } from './sounds.ts'

type Store = { id: string; name: string }

/** An order that needs a confirmation before it is rejected, or a part of it is removed. */
export type PendingDialog = { about: 'reject' | 'adjust'; order: Order }

export type Kitchen = {
  /** Undefined until they are known. */
  orders: readonly Order[] | undefined
  /** Orders that were lost and not acknowledged, the latest first. */
  lost: readonly Order[]
  /** Orders with a problem that waits for the store's answer; undefined until they are known. */
  problems: readonly Order[] | undefined
  /** The stores to choose from, where the account has several. */
  stores: readonly Store[] | undefined
  /** The reason why nothing can be shown. */
  refused: string | undefined
  /** The time at which the service was last heard of, while it does not answer. */
  lostSince: number | undefined
  /** The time of the last try that failed, by the monotonic clock. */
  triedAt: number
  signedOut: boolean
  asked: PendingDialog | undefined
  /** The orders that something is being done to. */
  busy: ReadonlySet<string>
  /** The new orders that make no sound on this screen any more. */
  silenced: ReadonlySet<string>
  notices: readonly Notice[]
}

export const NOTHING: Kitchen = {
  orders: undefined,
  lost: [],
  problems: undefined,
  stores: undefined,
  refused: undefined,
  lostSince: undefined,
  triedAt: 0,
  signedOut: false,
  asked: undefined,
  busy: new Set(),
  silenced: new Set(),
  notices: [],
}

export type KitchenDeps = {
  /** Returns all active orders of a store, in the order of their placing. */
  load(store: string | undefined): Promise<TimedResult<Order[]>>
  /** Returns the orders that were lost lately. */
  loadLost(store: string | undefined, now: number): Promise<Order[]>
  loadProblems(store: string | undefined): Promise<Order[]>
  loadOne(orderId: string): Promise<Order>
  send(
    action: OrderVerb,
    orderId: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<TimedResult<Order>>
  /** The storage key for the ids of acknowledged lost orders. */
  acknowledged: { has(id: string): boolean; add(ids: readonly string[]): void }
  clock: Clock
  elapsed(): number
  ring(sound: Sound): void
  /** Called with each new state. */
  show(kitchen: Kitchen): void
}

export type KitchenController = {
  /** Looks at the service again. Calls while it looks are joined. */
  refresh(): Promise<void>
  act(action: OrderVerb, order: Order, body?: Readonly<Record<string, unknown>>): Promise<void>
  /** Makes another change of an order, and says `done`. Returns why it failed; undefined where it did not. */
  change(order: Order, send: Change['send'], done: Change['done']): Promise<Failure>
  /** Asks about an order, until it moves; undefined ends the question. */
  ask(asked: PendingDialog | undefined): void
  /** Removes the lost orders from the page: a user has seen them. */
  acknowledge(): void
  choose(store: string): void
  dismiss(id: number): void
  /** Ends the sounds of a new order on this screen. */
  silence(orderId: string): void
  /** Makes the sound that is due. Call it each second. */
  tick(): void
}

export type Failure = ProblemError | ConnectionLostError | undefined

const MAX_KITCHEN_NOTICES = 4

/** The kitchen that runs: its present state, and what it is about to do. */
type Inner = {
  deps: KitchenDeps
  held: StateStore<Kitchen>
  store: string | undefined
  refresh(): Promise<void>
  sounds: SoundMemory
  /** The time since when there is no connection, by the monotonic clock. */
  lostFrom: number | undefined
}

/** Runs the kitchen of a store; undefined for the only one. */
export function runKitchen(deps: KitchenDeps, store: string | undefined): KitchenController {
  const inner: Inner = {
    deps,
    held: createStateStore(NOTHING, deps.show, MAX_KITCHEN_NOTICES),
    store,
    refresh: joinCalls(() => refreshKitchen(inner)),
    sounds: NO_SOUND_YET,
    lostFrom: undefined,
  }
  return {
    refresh: inner.refresh,
    act: (action, order, body = {}) => act(inner, action, order, body),
    change: (order, send, done) => change(inner, order, { send, done }),
    ask(asked) {
      // An action that is under way decides what becomes of the order.
      if (asked === undefined || !inner.held.state.busy.has(asked.order.order_id)) inner.held.set({ asked })
    },
    acknowledge() {
      deps.acknowledged.add(inner.held.state.lost.map(({ order_id }) => order_id))
      inner.held.set({ lost: [] })
    },
    choose(id) {
      inner.store = id
      inner.held.set({ stores: undefined, lost: [], problems: undefined })
      void inner.refresh()
    },
    dismiss: (id) => inner.held.dismiss(id),
    silence: (orderId) => inner.held.set({ silenced: new Set([...inner.held.state.silenced, orderId]) }),
    tick: () => soundDue(inner),
  }
}

async function refreshKitchen(inner: Inner): Promise<void> {
  const { deps } = inner
  try {
    const { value: orders, time } = await deps.load(inner.store)
    deps.clock.set(time)
    const known = inner.held.state.orders
    inner.lostFrom = undefined
    inner.held.set({ orders, stores: undefined, refused: undefined, lostSince: undefined })
    soundDue(inner)
    if (known !== undefined) await announceOrders(inner, known, orders)
    putLost(inner, await deps.loadLost(inner.store, deps.clock.now()))
    putProblems(inner, await deps.loadProblems(inner.store))
  } catch (error) {
    fail(inner, error)
  }
}

/** Lost orders stay on the page until a user acknowledges them. */
function putLost({ deps, held }: Inner, orders: readonly Order[]): void {
  const lost = mergeLostOrders(held.state.lost, orders)
  held.set({ lost: lost.filter(({ order_id }) => !deps.acknowledged.has(order_id)) })
}

/** Says which problems were reported since the last look. */
function putProblems({ held }: Inner, problems: readonly Order[]): void {
  const before = held.state.problems
  held.set({ problems })
  if (before === undefined) return
  const known = new Set(summarizeOpenProblems(before)?.open.map(({ problem }) => problem.problem_id))
  for (const { order, problem } of summarizeOpenProblems(problems)?.open ?? [])
    if (!known.has(problem.problem_id))
      held.say('news', `Problem with ${order.display_number}: ${formatOrderProblem(order, problem)}`)
}

function fail(inner: Inner, error: unknown): void {
  if (error instanceof SessionExpiredError) return inner.held.set({ signedOut: true })
  if (error instanceof ProblemError) {
    const stores = storesOf(error)
    return inner.held.set(stores === undefined ? { refused: error.message } : { stores })
  }
  // Anything else is a page that cannot read the answer; it must not look as if all were well.
  const triedAt = inner.deps.elapsed()
  inner.lostFrom ??= triedAt
  inner.held.set({ lostSince: inner.held.state.lostSince ?? inner.deps.clock.now(), triedAt })
  if (!(error instanceof ConnectionLostError)) throw error
}

/** Says which orders came, and how those that are gone have ended. */
async function announceOrders(
  inner: Inner,
  before: readonly Order[],
  after: readonly Order[],
): Promise<void> {
  const known = new Set(before.map(({ order_id }) => order_id))
  const came = after.filter(({ order_id, status }) => status === 'placed' && !known.has(order_id))
  for (const order of came) inner.held.say('news', `New order ${order.display_number}: ${cookedWords(order)}`)
  const asked = endQuestion(inner, after)
  const still = new Set(after.map(({ order_id }) => order_id))
  const gone = before.filter(({ order_id }) => !still.has(order_id) && !inner.held.state.busy.has(order_id))
  for (const { order_id } of gone) {
    const order = await inner.deps.loadOne(order_id)
    putLost(inner, [order])
    if (order_id === asked) inner.held.say('refused', movedWords(order))
    else inner.held.say('news', formatOrderState(order))
  }
}

/** Ends the question about an order that moved elsewhere, and says so. Returns the id of that order. */
function endQuestion({ held }: Inner, orders: readonly Order[]): string | undefined {
  const { asked } = held.state
  // A change that is under way ends its own question.
  if (asked === undefined || held.state.busy.has(asked.order.order_id)) return undefined
  const order = orders.find(({ order_id }) => order_id === asked.order.order_id)
  if (order !== undefined && isOpen(asked, order)) {
    held.set({ asked: { ...asked, order } })
    return undefined
  }
  held.set({ asked: undefined })
  if (order !== undefined) held.say('refused', movedWords(order))
  return asked.order.order_id
}

/** Returns whether a question still makes sense for its order as it is now: lines can be removed until it leaves. */
function isOpen({ about, order: { status } }: PendingDialog, order: Order): boolean {
  return about === 'reject' ? order.status === status : order.allowed_actions.includes('reject')
}

/** Does it to one order. A second click while the first is under way does nothing; without a connection nothing is sent. */
async function act(
  inner: Inner,
  action: OrderVerb,
  order: Order,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { order_id, display_number } = order
  const { busy, lostSince } = inner.held.state
  if (busy.has(order_id)) return
  const notDone = `${display_number} was not ${ORDER_VERB_TEXTS[action].done}`
  if (lostSince !== undefined) return inner.held.say('refused', `${notDone}: there is no connection.`)
  const send = () => inner.deps.send(action, order_id, body)
  const failure = await change(inner, order, { send, done: formatOrderState })
  if (failure === undefined) return
  const moved = failure instanceof ProblemError ? await readMoved(inner, order) : undefined
  if (moved === undefined) inner.held.say('refused', `${notDone}: ${failure.message}`)
  else inner.held.say('news', movedWords(moved))
}

/** Returns an order that is in another state than this page showed; undefined for one that is not, or cannot be read. */
async function readMoved({ deps }: Inner, { order_id, status }: Order): Promise<Order | undefined> {
  try {
    const order = await deps.loadOne(order_id)
    return order.status === status ? undefined : order
  } catch {
    return undefined
  }
}

type Change = { send: () => Promise<TimedResult<Order>>; done: (order: Order) => string }

async function change(
  { deps, held, refresh }: Inner,
  order: Order,
  { send, done }: Change,
): Promise<Failure> {
  const { order_id } = order
  if (held.state.busy.has(order_id))
    return new ConnectionLostError('Another change of this order is under way.')
  held.set({ busy: new Set([...held.state.busy, order_id]) })
  try {
    const { value, time } = await send()
    deps.clock.set(time)
    const { orders = [], problems } = held.state
    const answered = problems?.map((each) => (each.order_id === order_id ? value : each))
    held.set({ orders: put(orders, value), problems: answered })
    held.say('done', done(value))
    return undefined
  } catch (error) {
    if (error instanceof ProblemError || error instanceof ConnectionLostError) return error
    if (!(error instanceof SessionExpiredError)) throw error
    held.set({ signedOut: true })
    return undefined
  } finally {
    held.set({ busy: new Set([...held.state.busy].filter((id) => id !== order_id)) })
    void refresh()
  }
}

/** Makes the sound that is due. */
function soundDue(inner: Inner): void {
  const { deps, held } = inner
  const { orders = [], silenced, signedOut } = held.state
  if (signedOut) return
  const scene = {
    orders,
    silenced,
    now: deps.clock.now(),
    elapsed: deps.elapsed(),
    lostSince: inner.lostFrom,
  }
  const { sound, memory } = planSound(scene, inner.sounds)
  inner.sounds = memory
  if (sound !== undefined) deps.ring(sound)
}

const OVER: readonly Order['status'][] = ['completed', 'rejected', 'cancelled', 'failed']

/** Puts an answer in the place of its order; one that is over leaves. */
function put(orders: readonly Order[], order: Order): Order[] {
  return orders
    .map((each) => (each.order_id === order.order_id ? order : each))
    .filter(({ status }) => !OVER.includes(status))
}

/** Says what another screen, the customer or the clock did to an order. */
function movedWords(order: Order): string {
  const moved = Object.values(ORDER_VERB_TEXTS).find(({ to }) => to === order.status)
  return moved === undefined || order.status === 'rejected'
    ? formatOrderState(order)
    : `${order.display_number} was ${moved.done} on another screen.`
}

/** Returns the stores that an error names, where the account has several. */
function storesOf({ extra }: ProblemError): Store[] | undefined {
  const { merchants } = extra as { merchants?: { merchant_id: string; name: string }[] }
  return merchants?.map(({ merchant_id, name }) => ({ id: merchant_id, name }))
}
