import { expect, test } from 'vitest'
import { isWorkingDay, nextWorkingDay } from '../../src/core/working-days.ts'

test('the next working day leaves out the weekend, or only its Sunday', () => {
  expect(nextWorkingDay('2026-11-19')).toBe('2026-11-20')
  expect(nextWorkingDay('2026-11-20')).toBe('2026-11-23')
  expect(nextWorkingDay('2026-11-20', { saturday: true })).toBe('2026-11-21')
  expect(nextWorkingDay('2026-11-21', { saturday: true })).toBe('2026-11-23')
  expect(isWorkingDay('2026-11-21')).toBe(false)
  expect(isWorkingDay('2026-11-21', { saturday: true })).toBe(true)
})

test('the next working day leaves out bank holidays, also where Saturdays are worked', () => {
  expect(nextWorkingDay('2026-12-24', { saturday: true })).toBe('2026-12-29')
  expect(nextWorkingDay('2027-03-25')).toBe('2027-03-30')
  expect(nextWorkingDay('2027-12-24', { saturday: true })).toBe('2027-12-29')
})
