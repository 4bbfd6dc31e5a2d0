import { pickOperationFlags } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/reject_business_order.ts'
import { makeOrderActionCommand } from './orders/action-command.ts'

export const businessOrdersReject = makeOrderActionCommand({
  verb: 'reject',
  summary: 'Reject orders and refund the customers',
  description:
    'Allowed until a courier collects the order. Scripts must pass --reason; in a terminal, dray asks for it. A rejection cannot be undone: type the order number to confirm, or pass it with --confirm; for several orders, type their count (--confirm 3). --item with --mark-unavailable also marks the sold-out items unavailable.',
  flags: pickOperationFlags(spec, {
    reason: { field: 'reason_code', description: 'reason, shown to the customer' },
    item: {
      field: 'item_ids',
      description: 'item that the rejection is about, by name or ID',
    },
    'mark-unavailable': 'mark_unavailable',
    note: { field: 'note', description: 'note to the customer' },
  }),
  examples: [
    'dray business orders reject 7K2M --reason too_busy',
    'dray business orders reject 7K2M --reason item_unavailable --item "Pad Thai" --mark-unavailable',
    'dray business orders reject 7K2M 9XQ4 --reason store_closed --confirm 2',
  ],
  telling: { done: 'Rejected order {display_number}.', next: 'dray business orders list --active' },
})
