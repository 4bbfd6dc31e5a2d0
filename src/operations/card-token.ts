import { AppError } from '../errors.ts'

/** A card has its token, and nothing else has one. Throws `invalid_request`. */
export function assertToken({ method, payment_token }: { method: string; payment_token?: string }): void {
  if ((method === 'card') === (payment_token !== undefined)) return
  const missing = payment_token === undefined
  const detail = missing
    ? 'payment_token is required with method card'
    : `payment_token goes with method card only, not with ${method}`
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [
      { pointer: '/payment/payment_token', code: missing ? 'required' : 'mutually_exclusive', detail },
    ],
  })
}
