import { type Money, spellMoney } from '../../core/money.ts'
import { refundsOf } from './rules/payment.ts'

/** Returns a note about each refund. */
export function refundNotes(
  resource: Parameters<typeof refundsOf<{ status: string; amount: Money; destination: string }>>[0],
): string[] {
  return refundsOf(resource).map(
    ({ amount, destination, status }) =>
      `Refund of ${spellMoney(amount)} to ${destination.replaceAll('_', ' ')}: ${status}`,
  )
}
