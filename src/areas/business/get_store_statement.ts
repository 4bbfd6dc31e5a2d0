import * as Type from 'typebox'
import type { Context } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import type { Stretch } from '../../core/period.ts'
import { closed, when } from '../../core/schema.ts'
import { toInstant } from '../../core/time.ts'
import { findSections } from '../catalog/store.ts'
import type { MerchantRecord } from '../merchants/store.ts'
import { merchantId } from '../orders/schema.ts'
import { findOrders } from '../orders/store/orders.ts'
import { keptOf } from '../payments/rules/payment.ts'
import { findPayments } from '../payments/store.ts'
import { listSold, listUnpaid, sumDue, sumPayouts } from '../payments/store/sales.ts'
import { loadOwnStore } from './own.ts'
import { storeStatement } from './statement-schema.ts'
import { addSale, closeBook, openBook, type StoreStatement } from './statement.ts'

const DAY_MS = 86_400_000
const MOST_DAYS = 366
/** The orders that are read at once. */
const PAGE = 500
/** The name of the section of an item that is not known any more. */
const NO_SECTION = 'Other'

export const getStoreStatement = defineOperation({
  name: 'get_store_statement',
  area: 'business',
  toolset: 'store-day',
  summary: 'Add up your store’s money over a stretch of time',
  description:
    'Net sales, VAT by rate, fees and tips apart, payments by who collected them, and what the platform owes the store. A sale counts when it is paid, a refund when it is made. Amounts below 0 go the other way.',
  details: `A date begins at midnight at the store. At most ${MOST_DAYS} days.`,
  method: 'GET',
  path: '/v1/business/statement',
  scope: 'orders.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: closed({
    from: when('Start'),
    to: when('End, not included'),
    merchant_id: Type.Optional(merchantId),
  }),
  output: storeStatement,
  errors: ['merchant_not_found'],
  example: () => ({ from: '2026-11-01', to: '2026-12-01' }),
  cli: {
    command: 'business statement',
    danger: 'read',
    flags: { merchant_id: 'merchant' },
    columns: [
      'orders',
      'gross_goods',
      'discounts.platform',
      'discounts.store',
      'refunded_goods',
      'net_sales',
      'vat',
      'held.fees',
      'held.tips',
      'borne_by_platform',
      'payments',
      'unpaid',
      'opening',
      'payouts',
      'due',
    ],
    examples: [
      'dray business statement --from 2026-11-01 --to 2026-12-01',
      'dray business statement --from 2026-11-20 --to 2026-11-21 --json',
    ],
  },
  touches: (_input, { account }) =>
    account.businessAgreement === undefined
      ? undefined
      : { counterparty: account.businessAgreement.agreement_id },
  async run(context, { from, to, merchant_id }) {
    const store = await loadOwnStore(context, merchant_id, 'parameter')
    const stretch = { from: toInstant(from, store.timezone) ?? 0, to: toInstant(to, store.timezone) ?? 0 }
    assertStretch(stretch)
    return loadStatement(context, store, stretch)
  },
})

function assertStretch({ from, to }: Stretch): void {
  const detail =
    from >= to
      ? 'to must be after from'
      : to - from > (MOST_DAYS + 1) * DAY_MS
        ? `to must be within ${MOST_DAYS} days after from`
        : undefined
  if (detail === undefined) return
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ parameter: 'to', code: 'out_of_range', detail }],
  })
}

async function loadStatement(
  { tx }: Pick<Context, 'tx'>,
  { merchant_id, currency }: MerchantRecord,
  stretch: Stretch,
): Promise<StoreStatement> {
  const book = openBook(stretch)
  const ids = await listSold(tx, merchant_id, stretch)
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = ids.slice(at, at + PAGE)
    const [orders, payments] = [await findOrders(tx, page), await findPayments(tx, page)]
    const items = [...orders.values()].flatMap(({ doc }) => doc.lines.map(({ item_id }) => item_id))
    const sections = await findSections(tx, [...new Set(items)])
    for (const id of page) {
      const [order, payment] = [orders.get(id), payments.get(id)]
      if (order !== undefined && payment !== undefined)
        addSale(book, { sold: order.doc, payment }, (item) => sections.get(item) ?? NO_SECTION)
    }
  }
  return closeBook(book, {
    merchant_id,
    currency,
    opening: await sumDue(tx, merchant_id, stretch.from),
    closing: await sumDue(tx, merchant_id, stretch.to),
    payouts: await sumPayouts(tx, merchant_id, stretch),
    unpaid: await findUnpaid({ tx }, merchant_id, stretch.to),
  })
}

async function findUnpaid(
  { tx }: Pick<Context, 'tx'>,
  merchantId: string,
  before: number,
): Promise<StoreStatement['unpaid']> {
  const ids = await listUnpaid(tx, merchantId, before)
  const [orders, payments] = [await findOrders(tx, ids), await findPayments(tx, ids)]
  return ids.flatMap((order_id) => {
    const [order, payment] = [orders.get(order_id), payments.get(order_id)]
    if (order === undefined || payment === undefined) return []
    const { display_number } = order
    const amount = keptOf({ payment, refunds: payment.refunds })
    return [{ order_id, display_number, method: payment.method, amount }]
  })
}
