import { expect, test } from 'vitest'
import { Interrupted } from '../../src/cli/io.ts'
import { classifyFailure } from '../../src/client/outcome.ts'
import { AppError, ERRORS } from '../../src/core/errors.ts'
import type { ErrorCode } from '../../src/core/errors.ts'

const codes = Object.keys(ERRORS) as ErrorCode[]
const judged = (code: ErrorCode) => classifyFailure(new AppError(code, 'Said.'))

test('an error of the business rules is final, even if the call may succeed later', () => {
  const refusals = codes.filter((code) => {
    const { status } = ERRORS[code]
    return status !== null && [402, 404, 409, 422].includes(status)
  })
  const open = refusals.filter((code) => judged(code) !== 'refused')
  expect(open).toEqual(['route_not_found', 'idempotency_in_flight'])
  expect(judged('membership_required')).toBe('refused')
})

test('a lost response, a failing service and a bug leave the outcome unknown', () => {
  const inDoubt = codes.filter((code) => (ERRORS[code].status ?? 0) >= 500)
  for (const code of [...inDoubt, 'network_error', 'invalid_response', 'rate_limited'] as const) {
    expect(judged(code)).toBe('unknown')
  }
  expect(classifyFailure(new Interrupted())).toBe('unknown')
  expect(classifyFailure(new TypeError('a bug'))).toBe('unknown')
})

test('an error before the key is checked says nothing about an earlier attempt', () => {
  for (const code of ['invalid_token', 'insufficient_scope', 'payload_too_large', 'not_logged_in'] as const) {
    expect(judged(code)).toBe('unsent')
    const afterLoss = new AppError(code, 'Said.', { extra: { idempotency_key: 'k' } })
    expect(classifyFailure(afterLoss)).toBe('unknown')
  }
})
