import * as Type from 'typebox'
import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { merchantId } from '../orders/schema.ts'
import { loadOwnStore } from './access.ts'
import { businessDaySchema } from './day-schema.ts'
import { toBusinessDay } from './days.ts'
import { listDays } from './queries.ts'

export const getBusinessDay = defineOperation({
  name: 'get_business_day',
  area: 'business',
  toolset: 'store-day',
  summary: 'Get the document of a closed business day',
  description: 'Each document holds the hash of the one before, so that no day can be changed or left out.',
  method: 'GET',
  path: '/v1/business/days/{number}',
  scope: 'orders.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    number: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Number of the document' }),
    merchant_id: Type.Optional(merchantId),
  }),
  output: businessDaySchema,
  errors: ['merchant_not_found', 'business_day_not_found'],
  example: (done) => ({ number: done['close_business_day'].data[0].number }),
  cli: {
    command: 'business day show',
    danger: 'read',
    positionals: ['number'],
    flags: { merchant_id: 'merchant' },
    examples: ['dray business day show 12', 'dray business day show 12 --json'],
  },
  async run(context, { number, merchant_id }) {
    const store = await loadOwnStore(context, merchant_id, 'parameter')
    const [day] = await listDays(context.tx, store.merchant_id, { before: number + 1, limit: 1 })
    if (day?.number === number) return toBusinessDay(day)
    throw new AppError('business_day_not_found', `No closed business day has the number ${number}.`)
  },
})
