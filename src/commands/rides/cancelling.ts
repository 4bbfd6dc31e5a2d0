/** The cost of cancelling a ride, for the question before it and the dry run. */
import { countsAsPaid } from '../../areas/payments/rules/payment.ts'
import type { Client } from '../../client/client.ts'
import type { Answer } from '../../client/operations.ts'
import { spellMoney } from '../../core/money.ts'

type Ride = Answer<'get_ride'>

/** Asks the service for it. Returns a sentence, or undefined when the ride cannot be cancelled. */
export async function costOfCancelling(client: Client, rideId: string): Promise<string | undefined> {
  const { value } = await client.call('get_ride', { ride_id: rideId })
  return costText(value)
}

export function costText({
  cancellation_fee: fee,
  payment,
}: Pick<Ride, 'cancellation_fee' | 'payment'>): string | undefined {
  if (fee === null) return undefined
  if (fee.amount === 0) return 'Cancelling is free now.'
  return countsAsPaid(payment)
    ? `Cancelling costs ${spellMoney(fee)}, kept from your payment.`
    : `Cancelling costs ${spellMoney(fee)}, charged with your next ride.`
}
