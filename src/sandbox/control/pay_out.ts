import * as Type from 'typebox'
import { findMerchant } from '../../areas/merchants/queries.ts'
import { recordPayout } from '../../areas/payments/lifecycle/payment.ts'
import { sumDue } from '../../areas/payments/queries/sales.ts'
import { AppError } from '../../core/errors.ts'
import { formatMoney } from '../../core/money.ts'
import { strictObject, idParam, instant, describeField, money, moneyField } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { newIds } from '../../db/counters.ts'
import { lockClock } from '../../db/world.ts'
import { runDueEvents } from '../due-events.ts'
import { defineControl } from './control.ts'

export const payOut = defineControl({
  name: 'pay_out',
  method: 'POST',
  path: '/sandbox/payouts',
  summary: 'Pay a store what the platform owes it, or a part',
  input: strictObject({
    merchant_id: idParam('Store'),
    amount: Type.Optional(moneyField('Amount; all that is due when left out')),
  }),
  output: strictObject({
    payout_id: Type.String({ meaning: 'Payout' }),
    merchant_id: Type.String({ meaning: 'Store' }),
    amount: describeField('Paid out', money),
    due: describeField('Still due', money, 'Still due'),
    at: describeField('Time of the payout', instant),
  }),
  errors: ['merchant_not_found', 'invalid_state'],
  example: (done) => ({ merchant_id: done['get_restaurant_menu'].merchant_id }),
  cli: {
    command: 'sandbox payout',
    danger: 'write',
    positionals: ['merchant_id'],
    columns: ['payout_id', 'merchant_id', 'amount', 'due', 'at'],
    done: 'The platform paid {amount} to the store.',
    next: 'dray business report month',
    examples: ['dray sandbox payout mer_01m7vkystgfp1b10jk5dh9yvxy'],
  },
  run: ({ write }, { merchant_id, amount }) =>
    write(async (tx, { world }, now) => {
      const merchant = await findMerchant(tx, merchant_id)
      if (merchant === undefined)
        throw new AppError('merchant_not_found', `No store ${merchant_id.slice(0, 60)}.`)
      if (merchant.agreement_id !== null)
        await runDueEvents({ tx, world, at: now }, { counterparty: merchant.agreement_id })
      const at = await lockClock(tx, now)
      const { currency } = merchant
      const due = {
        amount: await sumDue(tx, merchant_id, { from: 0, to: Number.MAX_SAFE_INTEGER }),
        currency,
      }
      const paid = amount ?? due
      if (paid.amount <= 0 || paid.amount > due.amount || paid.currency !== currency)
        throw new AppError(
          'invalid_state',
          `${formatMoney(paid)} cannot be paid out: ${merchant.name} is due ${formatMoney(due)}.`,
        )
      const [payout_id = ''] = await newIds({ tx, world, at }, 'pyo')
      await recordPayout(tx, at, { payoutId: payout_id, merchantId: merchant_id, amount: paid })
      const left = { amount: due.amount - paid.amount, currency }
      return { payout_id, merchant_id, amount: paid, due: left, at: toTimestamp(at) }
    }),
})
