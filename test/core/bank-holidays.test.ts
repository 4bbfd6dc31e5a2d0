import { expect, test } from 'vitest'
import { holidaysByRule, isHoliday } from '../../src/core/bank-holidays.ts'
import { BANK_HOLIDAYS } from '../support/bank-holidays.ts'

test.each(Object.entries(BANK_HOLIDAYS))(
  'the holidays of %s are those of the published list',
  (year, days) => {
    expect(holidaysByRule(year)).toEqual(days)
    for (const day of days) expect(isHoliday(`${year}-${day}`)).toBe(true)
  },
)

test('Christmas, Boxing Day and New Year’s Day are holidays on a weekend too, beside their substitutes', () => {
  const days = ['2027-12-25', '2027-12-26', '2027-12-27', '2027-12-28', '2028-01-01', '2028-01-03']
  expect(days.map(isHoliday)).toEqual(days.map(() => true))
  expect(['2027-12-24', '2027-12-29', '2028-01-02', '2028-01-04'].map(isHoliday)).toEqual(
    Array(4).fill(false),
  )
})

test('a year beyond every list has its holidays by rule', () => {
  expect(holidaysByRule('2101')).toEqual([
    '01-03',
    '04-15',
    '04-18',
    '05-02',
    '05-30',
    '08-29',
    '12-26',
    '12-27',
  ])
})
