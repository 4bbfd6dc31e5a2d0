import { expect, test } from 'vitest'
import { InterruptedError } from '../../src/cli/io.ts'
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

test('a lost response, a failing service and a bug leave the outcome unknown, and no other error does', () => {
  /** By these statuses a service says that it did not look at the call, or did not end it. */
  const isUnsettled = (status: number | null): boolean =>
    status === 408 || status === 429 || (status !== null && status >= 500)
  const inDoubt = codes.filter((code) => isUnsettled(ERRORS[code].status))
  expect(inDoubt).toContain('request_timeout')
  const ofTheClient = ['network_error', 'invalid_response', 'output_failed'] as const
  const unknown = codes.filter((code) => judged(code) === 'unknown')
  expect(unknown.toSorted()).toEqual([...inDoubt, ...ofTheClient, 'idempotency_in_flight'].toSorted())
  expect(classifyFailure(new InterruptedError())).toBe('unknown')
  expect(classifyFailure(new TypeError('a bug'))).toBe('unknown')
})

test('an error before the key is checked says nothing about an earlier attempt', () => {
  const unsent = codes.filter((code) => judged(code) === 'unsent')
  for (const code of ['invalid_token', 'insufficient_scope', 'payload_too_large', 'not_logged_in'] as const)
    expect(unsent).toContain(code)
  for (const code of unsent) {
    const afterLoss = new AppError(code, 'Said.', { extra: { idempotency_key: 'k' } })
    expect(classifyFailure(afterLoss)).toBe('unknown')
  }
})
