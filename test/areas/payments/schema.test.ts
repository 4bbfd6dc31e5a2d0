/** A card has its token, and nothing else has one. */
import { expect, test } from 'vitest'
import { PAYMENT_METHODS } from '../../../src/areas/payments/rules/payment.ts'
import { assertPaymentToken, tokenFaults } from '../../../src/areas/payments/schema.ts'

test.each(PAYMENT_METHODS)('%s has a token if and only if it is a card', (method) => {
  const fault = (detail: RegExp, code: string) => [
    { pointer: '/payment/payment_token', code, detail: expect.stringMatching(detail) as string },
  ]
  const isCard = method === 'card'
  expect(tokenFaults({ method })).toEqual(isCard ? fault(/^payment_token is required/, 'required') : [])
  expect(tokenFaults({ method, payment_token: 'tok_ok' })).toEqual(
    isCard ? [] : fault(new RegExp(`only, not with ${method}$`), 'mutually_exclusive'),
  )
})

test('a payment with a fault is refused, and one without is not', () => {
  expect(() => assertPaymentToken({ method: 'card' })).toThrow(
    expect.objectContaining({ code: 'invalid_request' }) as Error,
  )
  expect(() => assertPaymentToken({ method: 'card', payment_token: 'tok_ok' })).not.toThrow()
})
