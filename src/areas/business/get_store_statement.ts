import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { BUSINESS_DAY_START } from '../../core/period.ts'
import { strictObject, businessDayOrDateTime } from '../../core/schema.ts'
import { merchantId } from '../orders/schema.ts'
import { sumDue, sumPayouts } from '../payments/queries/sales.ts'
import { loadOwnStore } from './access.ts'
import { readStatement } from './books.ts'
import { sumLostOrders } from './losses.ts'
import { findLateEntries } from './moved-entries.ts'
import { storeStatement } from './statement-schema.ts'
import { MAX_STATEMENT_DAYS, toStatementStretch } from './statement-stretch.ts'

export const getStoreStatement = defineOperation({
  name: 'get_store_statement',
  area: 'business',
  toolset: 'store-day',
  summary: 'Add up your store’s money for a period',
  description:
    'Net sales, VAT by rate, fees and tips apart, payments by who collected them, and what the platform owes the store. A sale counts when it is paid, a refund when it is made. Amounts below 0 go the other way.',
  details: `A date is a business day of the store, which begins at ${BUSINESS_DAY_START}. At most ${MAX_STATEMENT_DAYS} days.`,
  method: 'GET',
  path: '/v1/business/statement',
  scope: 'orders.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    from: businessDayOrDateTime('Start'),
    to: businessDayOrDateTime('End, not included'),
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
      'from',
      'to',
      'orders',
      'gross_goods',
      'discounts.platform',
      'discounts.store',
      'refunded_goods',
      'net_sales',
      'vat',
      'without_rate.goods',
      'held.fees',
      'held.tips',
      'borne_by_platform',
      'payments',
      'unpaid',
      'lost',
      { field: 'counted_later.entries', label: 'Counted in the next day' },
      { field: 'counted_later.net_sales', label: 'Net sales of these' },
      { field: 'from_earlier.entries', label: 'Counted from the day before' },
      { field: 'from_earlier.net_sales', label: 'Net sales of those' },
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
    const stretch = toStatementStretch({ from, to }, store.timezone)
    const { merchant_id: id } = store
    const opening = await sumDue(context.tx, id, { from: 0, to: stretch.from })
    const { statement, withoutRate } = await readStatement(context, store, {
      stretch,
      entries: stretch,
      opening,
      closing: opening + (await sumDue(context.tx, id, stretch)),
      payouts: await sumPayouts(context.tx, id, stretch),
    })
    return {
      ...statement,
      without_rate: {
        goods: { amount: withoutRate, currency: store.currency },
        rate_bps: store.doc.tax_rate_bps,
      },
      ...(await findLateEntries(context, store, stretch)),
      lost: await sumLostOrders(context, store, stretch),
    }
  },
})
