import * as Type from 'typebox'
import type { Static } from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { businessDateOf, BUSINESS_DAY_START } from '../../core/period.ts'
import {
  balance,
  strictObject,
  date,
  instant,
  describeField,
  component,
  nullable,
  paginated,
  paginationParams,
  businessDayOrDateTime,
} from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import type { MerchantRecord } from '../merchants/queries.ts'
import { DUE_CHANGE_KINDS, type DueChange, listDueChanges } from '../orders/queries/store-entries.ts'
import { merchantId } from '../orders/schema.ts'
import { PAYMENT_METHODS } from '../payments/rules/payment.ts'
import { loadOwnStore } from './access.ts'
import { MAX_STATEMENT_DAYS, toStatementStretch } from './statement-stretch.ts'

const statementEntry = component('StatementEntry', {
  at: describeField('Time', instant, 'Time'),
  business_day: describeField('Business day of the store', date, 'Business day'),
  kind: Type.Enum(DUE_CHANGE_KINDS, { meaning: 'Kind of change', label: 'Kind' }),
  amount: describeField('Change of what the platform owes the store', balance, 'Amount'),
  order_id: nullable('Order; null for a payout', Type.String()),
  display_number: nullable('Four-character order number', Type.String()),
  method: nullable('Payment method of the order', Type.Enum(PAYMENT_METHODS)),
  reason: nullable('Reason of a refund', Type.String()),
  payout_id: nullable('Payout', Type.String()),
})

export const listStatementEntries = defineOperation({
  name: 'list_statement_entries',
  area: 'business',
  toolset: null,
  summary: 'List the changes of what the platform owes your store',
  description:
    'The store’s part of each sale and refund, what the store itself collected or paid back, and payouts, oldest first. Their sum is due less opening of the statement of the same time.',
  details: `A date is a business day of the store, which begins at ${BUSINESS_DAY_START}. At most ${MAX_STATEMENT_DAYS} days.`,
  method: 'GET',
  path: '/v1/business/statement/entries',
  scope: 'orders.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    from: businessDayOrDateTime('Start'),
    to: businessDayOrDateTime('End, not included'),
    merchant_id: Type.Optional(merchantId),
    ...paginationParams,
  }),
  output: paginated(statementEntry),
  errors: ['invalid_cursor', 'merchant_not_found'],
  example: () => ({ from: '2026-11-01', to: '2026-12-01' }),
  cli: {
    command: 'business statement',
    danger: 'read',
    flags: { merchant_id: 'merchant' },
    columns: ['at', 'kind', 'display_number', 'amount'],
  },
  touches: (_input, { account }) =>
    account.businessAgreement === undefined
      ? undefined
      : { counterparty: account.businessAgreement.agreement_id },
  async run(context, { from, to, merchant_id }) {
    const { cursor } = context
    const store = await loadOwnStore(context, merchant_id, 'parameter')
    const stretch = toStatementStretch({ from, to }, store.timezone)
    const [at, seq, part] = cursor.after ?? []
    const changes = await listDueChanges(
      context.tx,
      { ...stretch, merchant_id: store.merchant_id },
      {
        after: at === undefined ? undefined : { at: Number(at), seq: Number(seq), part: Number(part) },
        limit: cursor.limit + 1,
      },
    )
    return cursor.page(
      changes,
      (change) => [change.at, change.seq, change.part],
      (change) => toAnswer(change, store),
    )
  },
})

function toAnswer(change: DueChange, { currency, timezone }: MerchantRecord): Static<typeof statementEntry> {
  const { at, seq: _, part: __, amount, ...rest } = change
  return {
    ...rest,
    at: toTimestamp(at),
    business_day: businessDateOf(at, timezone),
    amount: { amount, currency },
  }
}
