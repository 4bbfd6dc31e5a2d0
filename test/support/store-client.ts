import { ORDER_VERB_TEXTS, ORDER_VERBS } from '../../src/areas/orders/rules/stages.ts'
import { sumOrderTotals } from '../../src/areas/orders/rules/waiting.ts'
import { isOrderOver } from '../../src/areas/orders/states.ts'
import { countsAsPaid } from '../../src/areas/payments/rules/payment.ts'
import type { Client } from '../../src/client/client.ts'
import { withOperationTypes } from '../../src/client/client.ts'
import { mayDo, type BusinessOrderOutput } from '../../src/commands/business/orders/order.ts'
import { AppError } from '../../src/core/errors.ts'

type StoreCall = {
  operation: string
  orderId: string
  body: Record<string, unknown>
  key: string | undefined
}

export type StoreClient = Client & {
  /** The calls that change something, in order. */
  sent: StoreCall[]
  /** Adds an order, or replaces its state. */
  put(order: BusinessOrderOutput): void
  /** Sets the error of the next call for an order. */
  fail(orderId: string, error: AppError): void
}

const NOW = Date.parse('2026-11-20T09:10:00Z')

/**
 * A fake service with a store's orders and the plain state machine, for states that a real service cannot be brought
 * to.
 */
export function storeClient(orders: readonly BusinessOrderOutput[], { frozen = false } = {}): StoreClient {
  const all = new Map(orders.map((order) => [order.order_id, order]))
  const failures = new Map<string, AppError>()
  const sent: StoreCall[] = []
  const find = (id: string): BusinessOrderOutput => {
    const order = all.get(id)
    if (order === undefined) throw new AppError('order_not_found', 'There is no such order.')
    return order
  }
  const act = (
    operation: string,
    { order_id, ...body }: Record<string, unknown>,
    key?: string,
  ): BusinessOrderOutput => {
    const orderId = String(order_id)
    const verb = ORDER_VERBS.find((each) => ORDER_VERB_TEXTS[each].operation === operation)
    if (verb === undefined) throw new AppError('route_not_found', `There is no ${operation}.`)
    sent.push({ operation, orderId, body, key })
    const failure = failures.get(orderId)
    failures.delete(orderId)
    if (failure !== undefined) throw failure
    const order = find(orderId)
    if (!mayDo(verb, order)) {
      throw new AppError('invalid_state', `The order is ${order.status}.`, {
        extra: { current_status: order.status },
      })
    }
    const after = { ...order, status: ORDER_VERB_TEXTS[verb].to }
    all.set(orderId, after)
    return after
  }
  const answer = (operation: string, input: Readonly<Record<string, unknown>>, key?: string): unknown => {
    if (operation === 'get_business_order') return find(String(input['order_id']))
    if (operation === 'get_store_statement') {
      const paid = [...all.values()].filter(({ payment }) => countsAsPaid(payment))
      return { orders: paid.length, net_sales: sumOrderTotals(paid) ?? { amount: 0, currency: 'GBP' } }
    }
    if (operation !== 'list_business_orders') return act(operation, input, key)
    const data = [...all.values()].filter(
      ({ status, payment, problems }) =>
        (input['problem'] === undefined || problems.some((problem) => problem.status === input['problem'])) &&
        (input['active'] !== true || !isOrderOver(status)) &&
        (input['payment_status'] === undefined || input['payment_status'] === payment.status),
    )
    return { data, has_more: false, next_cursor: null }
  }
  const serviceTime = { now: NOW, frozen }
  return {
    sent,
    put: (order) => void all.set(order.order_id, order),
    fail: (orderId, error) => void failures.set(orderId, error),
    call: withOperationTypes(async (operation, input, { idempotencyKey } = {}) => ({
      value: answer(operation, input, idempotencyKey),
      status: 200,
      replayed: false,
      requestId: 'req_1',
      serviceTime,
    })),
    whoAmI: async () => ({ accountId: undefined, account: undefined, scopes: undefined }),
    serviceTime: async () => serviceTime,
    latestFacts: () => ({ time: serviceTime, environment: 'sandbox' }),
    control: async () => {
      throw new Error('no control plane here')
    },
    createPageLink: async () => {
      throw new Error('no pages here')
    },
    share: async () => {
      throw new Error('no pages here')
    },
    withdraw: async () => {
      throw new Error('no pages here')
    },
    saveSnapshot: async () => {
      throw new Error('no control plane here')
    },
    loadSnapshot: async () => {
      throw new Error('no control plane here')
    },
    media: async () => {
      throw new Error('no pictures here')
    },
    close: async () => {},
  }
}
