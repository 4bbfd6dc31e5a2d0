/** The consequence of cancelling what a customer bought, for the question before it and the dry run. */
import { countsAsPaid, refundable } from '../areas/payments/rules/payment.ts'
import { sanitizeForTerminal } from '../cli/output/text.ts'
import type { Client } from '../client/client.ts'
import type { OperationOutput } from '../client/operations.ts'
import { type Money, formatGroupedMoney } from '../core/money.ts'

type CostlyPurchase = Pick<OperationOutput<'get_ride'>, 'cancellation_fee' | 'payment'>
type CancellablePurchase = Pick<
  OperationOutput<'get_food_order' | 'get_task'>,
  'cancellable' | 'payment' | 'refund' | 'refunds'
>

const CONSEQUENCES: Readonly<Record<string, (client: Client, id: string) => Promise<string | undefined>>> = {
  cancel_ride: async (client, ride_id) =>
    costText((await client.call('get_ride', { ride_id })).value, 'charged with your next ride'),
  async cancel_booking(client, booking_id) {
    const { value } = await client.call('get_service_booking', { booking_id })
    const cost = costText(value, 'charged to your card')
    return cost === undefined ? undefined : `${cost} ${sanitizeForTerminal(value.cancellation_policy)}`
  },
  cancel_food_order: async (client, order_id) => {
    const order = (await client.call('get_food_order', { order_id })).value
    return backText(order, order.total)
  },
  cancel_task: async (client, task_id) => {
    const task = (await client.call('get_task', { task_id })).value
    return backText(task, task.price)
  },
}

/** Returns whether the operation cancels one thing of a customer's own: a yes to its consequence confirms it. */
export function cancelsPurchase(operation: string): boolean {
  return operation in CONSEQUENCES
}

/** Asks the service. Returns a sentence; undefined for what cannot be cancelled any more, and for other operations. */
export async function consequenceOf(
  client: Client,
  operation: string,
  id: string,
): Promise<string | undefined> {
  return CONSEQUENCES[operation]?.(client, id)
}

/** Says the price, and what goes back: a cancelled order or task is paid back in full. */
function backText(bought: CancellablePurchase, price: Money): string | undefined {
  if (!bought.cancellable) return undefined
  const back = refundable(bought)
  return back === undefined
    ? `Price ${formatGroupedMoney(price)}. You have paid nothing, and owe nothing.`
    : `Price ${formatGroupedMoney(price)}. ${formatGroupedMoney(back)} goes back the way it was paid.`
}

/** Says what cancelling costs; `unpaid` is how a fee is charged where nothing was paid. */
function costText({ cancellation_fee: fee, payment }: CostlyPurchase, unpaid: string): string | undefined {
  if (fee === null) return undefined
  if (fee.amount === 0) return 'Cancelling is free now.'
  return countsAsPaid(payment)
    ? `Cancelling costs ${formatGroupedMoney(fee)}, kept from your payment.`
    : `Cancelling costs ${formatGroupedMoney(fee)}, ${unpaid}.`
}
