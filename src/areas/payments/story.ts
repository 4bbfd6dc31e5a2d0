import { type Money, spellMoney } from '../../core/money.ts'

/** Returns a note about each refund. */
export function refundNotes(
  refunds: readonly { status: string; amount: Money; destination: string }[],
): string[] {
  return refunds.map(
    ({ amount, destination, status }) =>
      `Refund of ${spellMoney(amount)} to ${destination.replaceAll('_', ' ')}: ${status}`,
  )
}
