import * as Type from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import type { Money } from '../../core/money.ts'
import { defineOperation } from '../../core/operation.ts'
import { businessDayRange } from '../../core/period.ts'
import { strictObject, date, moneyField } from '../../core/schema.ts'
import { lockClock } from '../../db/world.ts'
import type { MerchantRecord } from '../merchants/queries.ts'
import { merchantId } from '../orders/schema.ts'
import { loadOwnStore } from './access.ts'
import { findUnpaid, promisedBefore } from './books.ts'
import { businessDaySchema } from './day-schema.ts'
import { closeDays, toBusinessDay, draftDays } from './days.ts'
import { findOpenDays } from './open-days.ts'
import { listDays } from './queries.ts'

/** The documents that one call makes. */
const MAX_CLOSED_DAYS = 31

export const closeBusinessDay = defineOperation({
  name: 'close_business_day',
  area: 'business',
  toolset: 'store-day',
  summary: 'Close the business day of your store',
  description:
    'A business day runs from 05:00 to 05:00 at the store. Closes all open days that have ended, or all up to `through`. A day ends at 05:00, or earlier once its last opening hours are over and no order promised for it is open. A closed day never changes: later payments and refunds count in the next day. Fails while an unpaid order due by the end of the day is open.',
  details: `A day that has not ended is closed only if through names it. A call closes at most ${MAX_CLOSED_DAYS} days, the earliest first; open_days tells how many are left.`,
  method: 'POST',
  path: '/v1/business/days',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  final: true,
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'each_time',
  input: strictObject({
    through: Type.Optional({
      ...date,
      description: 'Last business day to close, with all before it; without it, the days that have ended',
    }),
    counted_cash: Type.Optional(moneyField('Counted cash of the day')),
    preview: Type.Optional(
      Type.Boolean({ default: false, description: 'Show the documents and close nothing' }),
    ),
    merchant_id: Type.Optional(merchantId),
  }),
  output: strictObject({
    data: Type.Array(businessDaySchema, { meaning: 'Days that were closed, the earliest first' }),
    open_days: Type.Integer({ meaning: 'Ended days that are still open' }),
    not_ended: Type.Integer({
      meaning: 'Number of them that have not ended: 1 if the last one has not, or 0',
    }),
  }),
  errors: ['merchant_not_found', 'invalid_state', 'unpaid_orders_open', 'currency_mismatch'],
  example: () => ({ through: '2026-11-20' }),
  cli: {
    command: 'business day close',
    danger: 'destructive',
    flags: { merchant_id: 'merchant' },
    columns: [
      'number',
      'date',
      'statement.orders',
      'statement.net_sales',
      'cash.expected',
      'cash.difference',
    ],
    done: 'Ended days that are still open: {open_days}.',
    examples: [
      'dray business day close',
      'dray business day close --through yesterday --counted-cash 312.40 --yes',
    ],
  },
  touches: (_input, { account }) =>
    account.businessAgreement === undefined
      ? undefined
      : { counterparty: account.businessAgreement.agreement_id },
  async run(context, { through, counted_cash, merchant_id, preview = false }) {
    const { tx, now } = context
    const store = await loadOwnStore(context, merchant_id, 'pointer')
    assertCurrency(counted_cash, store)
    // The lock keeps others from writing a payment or closing a day until this ends.
    const at = await lockClock(tx, now)
    const [last] = await listDays(tx, store.merchant_id, { limit: 1 })
    const open = await findOpenDays(context, store, { at, through, last: last && toBusinessDay(last).date })
    const dates = open.dates.slice(0, MAX_CLOSED_DAYS)
    if (counted_cash !== undefined) assertOneDay(open.dates)
    await assertPaid(context, store, { through: dates.at(-1) ?? '', at })
    const close = { store, dates, at, last, counted: counted_cash }
    const days = preview ? await draftDays(context, close) : await closeDays(context, close)
    return {
      data: days.map(toBusinessDay),
      open_days: Math.max(0, open.ended - dates.length),
      not_ended: dates.filter((date) => date === open.running).length,
    }
  },
})

function assertCurrency(counted: Money | undefined, { currency }: MerchantRecord): void {
  if (counted === undefined || counted.currency === currency) return
  const detail = `counted_cash must be in ${currency}`
  throw new AppError('currency_mismatch', `${detail}.`, {
    errors: [{ pointer: '/counted_cash/currency', code: 'invalid_enum', detail }],
  })
}

/** Throws for counted cash of several days: its day would be unknown. */
function assertOneDay(dates: readonly string[]): void {
  const before = dates.at(-2)
  if (before === undefined) return
  const detail = `counted_cash is of one day, and ${dates.length} are open`
  throw new AppError('invalid_request', `${detail}: close through ${before} first.`, {
    errors: [{ pointer: '/counted_cash', code: 'mutually_exclusive', detail }],
  })
}

/**
 * Throws while an unpaid order that is promised before the end of a day is open, and names all of them
 * (docs/rules/money.md#a-day-with-unpaid-orders-stays-open).
 */
async function assertPaid(
  context: Pick<OperationContext, 'tx'>,
  store: MerchantRecord,
  { through, at }: { through: string; at: number },
): Promise<void> {
  const { to } = businessDayRange(through, store.timezone)
  const unpaid = await promisedBefore(context, await findUnpaid(context, store, at + 1), to)
  if (unpaid.length === 0) return
  const numbers = unpaid.map(({ display_number }) => display_number).join(', ')
  const [are, them] = unpaid.length === 1 ? ['order is', 'it'] : ['orders are', 'each']
  throw new AppError('unpaid_orders_open', `Unpaid ${are} open until the end of ${through}: ${numbers}.`, {
    hint: `Complete or reject ${them}, then close the day.`,
    extra: { orders: unpaid.map(({ order_id, display_number }) => ({ order_id, display_number })) },
  })
}
