import { expect, test } from 'vitest'
import { codeIn, matchesFilter } from '../../src/core/log-line.ts'
import type { LogFilter } from '../../src/core/log-line.ts'

const LINE = { operation: 'list_rides', account: 'acct_1', status: 404, duration_ms: 20 }

test.each<[LogFilter, boolean]>([
  [{}, true],
  [{ operation: 'list_rides' }, true],
  [{ operation: 'list' }, false],
  [{ status: '404' }, true],
  [{ status: '4xx' }, true],
  [{ status: '5xx' }, false],
  [{ status: '40' }, false],
  [{ accounts: ['shipper', 'acct_1'] }, true],
  [{ accounts: ['acct_2'] }, false],
  [{ accounts: [] }, false],
  [{ failed: true }, true],
  [{ failed: false }, true],
  [{ slower_ms: 20 }, true],
  [{ slower_ms: 21 }, false],
  [{ operation: 'list_rides', status: '4xx', accounts: ['acct_1'], failed: true, slower_ms: 1 }, true],
  [{ operation: 'list_rides', status: '4xx', accounts: ['acct_1'], failed: true, slower_ms: 50 }, false],
])('%j means the line of a slow refusal: %j', (filter, meant) => {
  expect(matchesFilter(LINE, filter)).toBe(meant)
})

test('failures begin at 400, and a filter by account skips calls without one', () => {
  expect(matchesFilter({ ...LINE, status: 399 }, { failed: true })).toBe(false)
  expect(matchesFilter({ ...LINE, status: 400 }, { failed: true })).toBe(true)
  expect(matchesFilter({ ...LINE, account: null }, { accounts: ['acct_1'] })).toBe(false)
})

test.each([
  ['{"code":"ride_not_found","status":404}', 'ride_not_found'],
  ['{"error":"invalid_grant"}', 'invalid_grant'],
  ['{"code":7}', null],
  ['null', null],
  ['<html>', null],
  ['', null],
])('the code in %j is %j', (body, code) => {
  expect(codeIn(body)).toBe(code)
})
