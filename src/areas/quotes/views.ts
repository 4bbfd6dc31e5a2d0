/** A quote of any area as its caller sees it. Pure. */
import { type Account, isMembershipActive } from '../../core/account.ts'
import { toTimestamp } from '../../core/time.ts'
import type { PaymentMethod } from '../payments/rules/payment.ts'

/** Returns the members that tell what the confirm of a quote needs: one of these ways to pay, and a membership. */
export function serializeQuoteTerms(
  payment_methods: readonly PaymentMethod[],
  account: Account,
  { created_at }: { created_at: number },
) {
  return {
    payment_methods: [...payment_methods],
    needs_membership: !isMembershipActive(account.membership, created_at),
  }
}

/** Returns the fields that every quote shows when it is new. */
export function serializeQuote<Kind extends string>(
  kind: Kind,
  { quote_id, created_at, expires_at }: { quote_id: string; created_at: number; expires_at: number },
) {
  return {
    quote_id,
    kind,
    status: 'open' as const,
    created_at: toTimestamp(created_at),
    expires_at: toTimestamp(expires_at),
    expires_in_seconds: (expires_at - created_at) / 1000,
  }
}
