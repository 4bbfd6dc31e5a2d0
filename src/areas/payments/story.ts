import { type Money, spellMoney } from '../../core/money.ts'

/** Returns a note about a refund, if there is one. */
export function refundNotes(refund: { status: string; amount: Money; destination: string } | null): string[] {
  if (refund === null) return []
  const { amount, destination, status } = refund
  return [`Refund of ${spellMoney(amount)} to ${destination.replaceAll('_', ' ')}: ${status}`]
}
