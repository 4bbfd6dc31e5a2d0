/** The kitchen's orders and what is done to them: keeps them up to date, and says what happened. */
import { type Answered, Lost, Refusal, SignedOut } from '../page/call.ts'
import type { Clock } from '../page/clock.ts'
import { itemWords, type Order, urgentOrders, words } from './order.ts'

export type Notice = { id: number; text: string; kind: 'news' | 'done' | 'refused' }
export type Store = { id: string; name: string }

export type Kitchen = {
  /** Undefined until they are known. */
  orders: readonly Order[] | undefined
  /** The stores to choose from, where the account has several. */
  stores: readonly Store[] | undefined
  /** Why nothing can be shown. */
  refused: string | undefined
  /** When the service was last heard of, while it does not answer. */
  lostSince: number | undefined
  signedOut: boolean
  /** The orders that something is being done to. */
  busy: ReadonlySet<string>
  notices: readonly Notice[]
}

export const NOTHING: Kitchen = {
  orders: undefined,
  stores: undefined,
  refused: undefined,
  lostSince: undefined,
  signedOut: false,
  busy: new Set(),
  notices: [],
}

export type Action = 'accept' | 'prepare' | 'ready' | 'complete' | 'reject'

/** The operation of each action, its word in `allowed_actions`, and how a failure reads. */
export const ACTIONS = {
  accept: { operation: 'accept_business_order', word: 'accept', label: 'Accept', failed: 'accepted' },
  prepare: { operation: 'start_business_order_prep', word: 'preparing', label: 'Start', failed: 'started' },
  ready: { operation: 'mark_business_order_ready', word: 'ready', label: 'Ready', failed: 'marked ready' },
  complete: {
    operation: 'complete_business_order',
    word: 'complete',
    label: 'Complete',
    failed: 'completed',
  },
  reject: { operation: 'reject_business_order', word: 'reject', label: 'Reject', failed: 'rejected' },
} as const satisfies Readonly<
  Record<Action, { operation: string; word: Order['allowed_actions'][number]; label: string; failed: string }>
>

export type KitchenDeps = {
  /** Returns all active orders of a store. */
  load(store: string | undefined): Promise<Answered<Order[]>>
  loadOne(orderId: string): Promise<Order>
  send(action: Action, orderId: string, body: Readonly<Record<string, unknown>>): Promise<Answered<Order>>
  clock: Clock
  elapsed(): number
  ring(kind: 'news' | 'urgent'): void
  /** Called with each new state. */
  show(kitchen: Kitchen): void
}

export type Running = {
  /** Looks at the service again. Calls while it looks are joined. */
  refresh(): Promise<void>
  act(action: Action, order: Order, body?: Readonly<Record<string, unknown>>): Promise<boolean>
  choose(store: string): void
  say(kind: Notice['kind'], text: string): void
  dismiss(id: number): void
  /** Rings again while an order is about to be rejected. Call it each second. */
  tick(): void
}

const RING_AGAIN_MS = 15_000
const MOST_NOTICES = 4

/** Runs the kitchen of a store; undefined for the only one. */
export function runKitchen(deps: KitchenDeps, first: string | undefined): Running {
  let kitchen = NOTHING
  let store = first
  let looking: Promise<void> | undefined
  let again = false
  let rang = -Infinity
  let notices = 0

  function set(change: Partial<Kitchen>): void {
    kitchen = { ...kitchen, ...change }
    deps.show(kitchen)
  }

  function say(kind: Notice['kind'], text: string): void {
    const notice = { id: ++notices, kind, text }
    set({ notices: [...kitchen.notices, notice].slice(-MOST_NOTICES) })
  }

  async function look(): Promise<void> {
    try {
      const { value: orders, time } = await deps.load(store)
      deps.clock.set(time)
      const known = kitchen.orders
      set({ orders, stores: undefined, refused: undefined, lostSince: undefined })
      if (known !== undefined) await tell(known, orders)
    } catch (error) {
      fail(error)
    }
  }

  function fail(error: unknown): void {
    if (error instanceof SignedOut) return set({ signedOut: true })
    if (error instanceof Refusal) {
      const stores = storesOf(error)
      return set(stores === undefined ? { refused: error.message } : { stores })
    }
    // Anything else is a page that cannot read the answer; it must not look as if all were well.
    set({ lostSince: kitchen.lostSince ?? deps.clock.now() })
    if (!(error instanceof Lost)) throw error
  }

  /** Says which orders came, and how those that are gone have ended. */
  async function tell(before: readonly Order[], after: readonly Order[]): Promise<void> {
    const known = new Set(before.map(({ order_id }) => order_id))
    const came = after.filter(({ order_id, status }) => status === 'placed' && !known.has(order_id))
    if (came.length > 0) deps.ring('news')
    for (const order of came) say('news', `New order ${order.display_number}: ${itemWords(order)}`)
    const still = new Set(after.map(({ order_id }) => order_id))
    for (const { order_id } of before.filter(
      (order) => !still.has(order.order_id) && !kitchen.busy.has(order.order_id),
    ))
      say('news', endWords(await deps.loadOne(order_id)))
  }

  return {
    async refresh() {
      if (looking !== undefined) {
        again = true
        return looking
      }
      looking = (async () => {
        do {
          again = false
          await look()
        } while (again)
      })().finally(() => (looking = undefined))
      return looking
    },
    async act(action, order, body = {}) {
      const { order_id, display_number } = order
      if (kitchen.busy.has(order_id)) return false
      set({ busy: new Set([...kitchen.busy, order_id]) })
      try {
        const { value, time } = await deps.send(action, order_id, body)
        deps.clock.set(time)
        set({ orders: put(kitchen.orders ?? [], value) })
        say('done', doneWords(value))
        return true
      } catch (error) {
        if (error instanceof SignedOut) set({ signedOut: true })
        else if (error instanceof Refusal || error instanceof Lost)
          say('refused', `${display_number} was not ${ACTIONS[action].failed}: ${error.message}`)
        else throw error
        return false
      } finally {
        set({ busy: new Set([...kitchen.busy].filter((id) => id !== order_id)) })
        void this.refresh()
      }
    },
    choose(id) {
      store = id
      set({ stores: undefined })
      void this.refresh()
    },
    say,
    dismiss: (id) => set({ notices: kitchen.notices.filter((notice) => notice.id !== id) }),
    tick() {
      if (urgentOrders(kitchen.orders ?? [], deps.clock.now()).length === 0) return
      if (deps.elapsed() - rang < RING_AGAIN_MS) return
      rang = deps.elapsed()
      deps.ring('urgent')
    },
  }
}

const OVER: readonly Order['status'][] = ['completed', 'rejected', 'cancelled', 'failed']

/** Puts an answer in the place of its order; one that is over leaves. */
function put(orders: readonly Order[], order: Order): Order[] {
  const others = orders.filter(({ order_id }) => order_id !== order.order_id)
  return OVER.includes(order.status) ? others : [...others, order]
}

function doneWords(order: Order): string {
  const { display_number, status, refund } = order
  if (status === 'rejected')
    return `${display_number} is rejected${refund === null ? '' : ', and paid back'}.`
  return `${display_number} is ${words(status)}.`
}

function endWords({ display_number, status, rejection }: Order): string {
  const why = rejection === null ? '' : `: ${words(rejection.reason_code)}`
  return `${display_number} is ${words(status)}${why}.`
}

/** Returns the stores that a refusal names, where the account has several. */
function storesOf({ extra, message }: Refusal): Store[] | undefined {
  const ids = extra['merchant_ids']
  if (!Array.isArray(ids)) return undefined
  return ids.map((id: unknown) => {
    const name = new RegExp(`(?:: |, )([^,:]+) \\(${String(id)}\\)`).exec(message)?.[1]
    return { id: String(id), name: name ?? String(id) }
  })
}
