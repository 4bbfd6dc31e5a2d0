import * as Type from 'typebox'
import { type DayHours, makeOpeningClock, packWeek } from '../../core/opening-hours.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, nullable } from '../../core/schema.ts'
import { addDays, describePastTime, localDate } from '../../core/time.ts'
import type { CatalogLock } from '../catalog/lifecycle/catalog.ts'
import { merchantId } from '../orders/schema.ts'
import { assertNoHoursOverlap, changeHours, storeHoursError, storeHours } from './hours.ts'
import { daySpan, weekSpan } from './schema.ts'
import { findAffectedOrders, affectedOrdersSchema, previewField } from './touched.ts'

const DAYS_AHEAD = 366
/** The periods of a week, and the single days and their periods: PostgreSQL's index takes no longer text. */
const MAX_PERIODS = 28
const MAX_DATES = 100

export const setStoreHours = defineOperation({
  name: 'set_store_hours',
  area: 'business',
  toolset: 'store-day',
  summary: 'Set the opening hours of your store',
  description:
    'weekly replaces all weekly hours; a day without a period is closed. Each of dates replaces that single day, up to a year ahead: no periods close it, null returns it to the weekly hours. A period belongs to the day on which it begins.',
  details: `At most ${MAX_DATES} single days, with ${MAX_DATES} periods together.`,
  method: 'PUT',
  path: '/v1/business/hours',
  scope: 'menu.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  input: strictObject({
    weekly: Type.Optional(
      Type.Array(weekSpan, { minItems: 1, maxItems: MAX_PERIODS, description: 'Weekly periods, local time' }),
    ),
    dates: Type.Optional(
      Type.Array(
        strictObject({
          date: Type.String({ format: 'date', description: 'Date' }),
          spans: nullable('Periods, local time', Type.Array(daySpan, { maxItems: 8 })),
        }),
        { maxItems: MAX_DATES, description: 'Single days' },
      ),
    ),
    merchant_id: Type.Optional(merchantId),
    preview: previewField,
  }),
  output: strictObject({ ...storeHours.properties, touched_orders: affectedOrdersSchema }),
  errors: ['merchant_not_found'],
  example: () => ({ dates: [{ date: '2026-12-25', spans: [] }] }),
  cli: { command: 'business hours set', danger: 'write' },
  async run(context, { weekly, dates = [], merchant_id, preview = false }) {
    if (weekly === undefined && dates.length === 0)
      throw storeHoursError('/weekly', 'required', 'weekly or dates is required')
    if (weekly !== undefined) assertNoHoursOverlap(weekly, '/weekly')
    let weeks: [before: string, after: string] = ['', '']
    const change = ({ merchant: { doc, timezone, week }, at }: CatalogLock) => {
      const today = localDate(at, timezone)
      for (const [index, { date: day, spans }] of dates.entries()) {
        const pointer = `/dates/${index}`
        if (day < today)
          throw storeHoursError(`${pointer}/date`, 'out_of_range', describePastTime('date', at, timezone))
        if (day > addDays(today, DAYS_AHEAD))
          throw storeHoursError(`${pointer}/date`, 'out_of_range', `date must be within ${DAYS_AHEAD} days`)
        if (dates.findIndex((other) => other.date === day) < index)
          throw storeHoursError(`${pointer}/date`, 'mutually_exclusive', `date ${day} is given twice`)
        assertNoHoursOverlap(spans ?? [], `${pointer}/spans`)
      }
      // Yesterday may still be open: past midnight.
      const kept = (doc.dates ?? []).filter(
        (each) => each.date >= addDays(today, -1) && !dates.some((given) => given.date === each.date),
      )
      const given = dates.flatMap(({ date: day, spans }): DayHours[] =>
        spans === null ? [] : [{ date: day, spans }],
      )
      const all = [...kept, ...given].toSorted((a, b) => (a.date < b.date ? -1 : 1))
      if (all.length > MAX_DATES || all.flatMap(({ spans }) => spans).length > MAX_DATES)
        throw storeHoursError(
          '/dates',
          'out_of_range',
          `more than ${MAX_DATES} single days, or periods of them, are set`,
        )
      const opening_hours = weekly ?? doc.opening_hours
      weeks = [week, packWeek(opening_hours, all)]
      return { doc: { ...doc, opening_hours, dates: all } }
    }
    const hours = await changeHours(context, merchant_id, change, { preview })
    const isOpen = (week: string, at: number): boolean => makeOpeningClock(at).isOpen(week, hours.timezone)
    const touched_orders = await findAffectedOrders(
      context,
      hours.merchant_id,
      (_, at) => isOpen(weeks[0], at) && !isOpen(weeks[1], at),
    )
    return { ...hours, touched_orders }
  },
})
