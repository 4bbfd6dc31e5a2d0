import { type Money, spellMoney } from '../../core/money.ts'

type Refund = { status: string; amount: Money; destination: string }
type Refunded<R> = { refund: R | null; refunds?: readonly R[] }

/** Returns all refunds of a resource. A service from before there were several sends the latest alone. */
export function refundsOf<R>({ refund, refunds }: Refunded<R>): readonly R[] {
  return refunds ?? (refund === null ? [] : [refund])
}

/** Returns a note about each refund. */
export function refundNotes(resource: Refunded<Refund>): string[] {
  return refundsOf(resource).map(
    ({ amount, destination, status }) =>
      `Refund of ${spellMoney(amount)} to ${destination.replaceAll('_', ' ')}: ${status}`,
  )
}
