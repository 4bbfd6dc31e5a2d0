import { expect, test } from 'vitest'
import { makePaint } from '../../../src/cli/output/colour.ts'
import { toLine } from '../../../src/commands/hosting/log-line.ts'

const ENTRY = {
  time: '2026-11-20T12:00:00.000Z',
  request_id: 'req_1',
  method: 'GET',
  path: '/v1/orders/{order_id}',
  operation: 'get_order',
  account_id: 'cus_1',
  status: 404,
  code: 'order_not_found',
  duration_ms: 3.21,
  traceparent: null,
}

test('a person at a terminal reads one line for each request, and a bug with its stack', () => {
  expect(toLine(ENTRY, makePaint(false)).slice(8)).toBe(
    '  404  GET   get_order                      3.2 ms  order_not_found  cus_1',
  )
  const lost = { ...ENTRY, operation: null, path: null, account_id: null, code: 'route_not_found' }
  expect(toLine(lost, makePaint(false))).toContain('no such path')
  expect(toLine(ENTRY, makePaint(true))).toContain('\x1b[33m404\x1b[39m')
  expect(
    toLine({ time: ENTRY.time, where: 'uncaught', error: 'Error: no\n    at x' }, makePaint(false)).slice(8),
  ).toBe('  uncaught  Error: no\n    at x')
})
