import * as Type from 'typebox'
import type { Context } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import type { Money } from '../../core/money.ts'
import { defineOperation } from '../../core/operation.ts'
import { businessDateOf, businessDay as stretchOf } from '../../core/period.ts'
import { closed, date, moneyFor } from '../../core/schema.ts'
import { addDays } from '../../core/time.ts'
import { lockMoment } from '../../store/world.ts'
import type { MerchantRecord } from '../merchants/store.ts'
import { merchantId } from '../orders/schema.ts'
import { findFirstEntry } from '../payments/store/sales.ts'
import { findUnpaid } from './books.ts'
import { businessDay } from './day-schema.ts'
import { type BusinessDay, closeDay, dayOf } from './days.ts'
import { loadOwnStore } from './own.ts'
import { listDays } from './store.ts'

/** The documents that one call makes. */
const MOST_DAYS = 31

export const closeBusinessDay = defineOperation({
  name: 'close_business_day',
  area: 'business',
  toolset: 'store-day',
  summary: 'Close the business day of your store',
  description:
    'A business day runs from 05:00 to 05:00 at the store. Earlier days that are open are closed first. A closed day never changes: later payments and refunds count in the next day. Refused while an unpaid order that is promised by the end of the day is open.',
  details: `A call closes at most ${MOST_DAYS} days, the earliest first; open_days tells how many are left.`,
  method: 'POST',
  path: '/v1/business/days',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  input: closed({
    through: Type.Optional({ ...date, description: 'Last day to close; the present one when left out' }),
    counted_cash: Type.Optional(moneyFor('Counted cash of the day')),
    merchant_id: Type.Optional(merchantId),
  }),
  output: closed({
    data: Type.Array(businessDay, { meaning: 'Days that were closed, the earliest first' }),
    open_days: Type.Integer({ meaning: 'Days that are still open' }),
  }),
  errors: ['merchant_not_found', 'invalid_state', 'unpaid_orders_open', 'currency_mismatch'],
  example: () => ({}),
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
    done: 'Days that are still open: {open_days}.',
    examples: [
      'dray business day close',
      'dray business day close --through yesterday --counted-cash 312.40 --yes',
    ],
  },
  touches: (_input, { account }) =>
    account.businessAgreement === undefined
      ? undefined
      : { counterparty: account.businessAgreement.agreement_id },
  async run(context, { through, counted_cash, merchant_id }) {
    const { tx, now } = context
    const store = await loadOwnStore(context, merchant_id, 'pointer')
    assertCurrency(counted_cash, store)
    // The lock keeps others from writing a payment or closing a day until this ends.
    const at = await lockMoment(tx, now)
    const [last] = await listDays(tx, store.merchant_id, { limit: 1 })
    const dates = await datesToClose(context, store, { at, through, last: last && dayOf(last) })
    const closing = dates.slice(0, MOST_DAYS)
    if (counted_cash !== undefined) assertOneDay(dates)
    await assertPaid(context, store, { through: closing.at(-1) ?? '', at })
    const data: BusinessDay[] = []
    let before = last
    for (const each of closing) {
      before = await closeDay(context, { store, date: each, at, last: before, counted: counted_cash })
      data.push(dayOf(before))
    }
    return { data, open_days: dates.length - closing.length }
  },
})

type Wanted = { at: number; through: string | undefined; last: BusinessDay | undefined }

/** Returns the open days up to the wanted one. Throws for a day that is closed or has not begun. */
async function datesToClose(
  { tx }: Pick<Context, 'tx'>,
  { merchant_id, timezone }: MerchantRecord,
  { at, through, last }: Wanted,
): Promise<string[]> {
  const today = businessDateOf(at, timezone)
  const end = through ?? today
  if (last !== undefined && end <= last.date)
    throw new AppError('invalid_state', `The business day ${end} is closed: ${last.date} is the last one.`, {
      hint: 'Payments and refunds that come later count in the next day.',
    })
  const first =
    last === undefined
      ? businessDateOf((await findFirstEntry(tx, merchant_id)) ?? at, timezone)
      : addDays(last.date, 1)
  if (end < first || end > today) {
    const detail =
      end > today
        ? `through must be ${today} or earlier: that is the present business day at the store`
        : `through must be ${first} or later: no earlier day has a payment`
    throw new AppError('invalid_request', `${detail}.`, {
      errors: [{ pointer: '/through', code: 'out_of_range', detail }],
    })
  }
  const dates = [first]
  for (let each = first; each < end; dates.push(each)) each = addDays(each, 1)
  return dates
}

function assertCurrency(counted: Money | undefined, { currency }: MerchantRecord): void {
  if (counted === undefined || counted.currency === currency) return
  const detail = `counted_cash must be in ${currency}`
  throw new AppError('currency_mismatch', `${detail}.`, {
    errors: [{ pointer: '/counted_cash/currency', code: 'invalid_enum', detail }],
  })
}

/** Throws for counted cash of several days: nobody could tell of which one it is. */
function assertOneDay(dates: readonly string[]): void {
  const before = dates.at(-2)
  if (before === undefined) return
  const detail = `counted_cash is of one day, and ${dates.length} are open`
  throw new AppError('invalid_request', `${detail}: close through ${before} first.`, {
    errors: [{ pointer: '/counted_cash', code: 'mutually_exclusive', detail }],
  })
}

/** Throws while an unpaid order that is promised before the end of a day is open, and names all of them. */
async function assertPaid(
  context: Pick<Context, 'tx'>,
  { merchant_id, timezone }: MerchantRecord,
  { through, at }: { through: string; at: number },
): Promise<void> {
  const unpaid = await findUnpaid(context, merchant_id, at + 1, stretchOf(through, timezone).to)
  if (unpaid.length === 0) return
  const numbers = unpaid.map(({ display_number }) => display_number).join(', ')
  const [are, them] = unpaid.length === 1 ? ['order is', 'it'] : ['orders are', 'each']
  throw new AppError('unpaid_orders_open', `Unpaid ${are} open until the end of ${through}: ${numbers}.`, {
    hint: `Complete or reject ${them}, then close the day.`,
    extra: { orders: unpaid.map(({ order_id, display_number }) => ({ order_id, display_number })) },
  })
}
