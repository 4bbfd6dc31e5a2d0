import { fields } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/reject_business_order.ts'
import { actionCommand } from './orders/action-command.ts'

export const businessOrdersReject = actionCommand({
  verb: 'reject',
  summary: 'Reject orders; what was paid goes back to the customer',
  description:
    'Possible until a courier has collected it. A script must give --reason; a person is asked. It cannot be taken back, so the order is typed to confirm it, as it was named, or given with --confirm; of several orders their count (--confirm 3). --item with --mark-unavailable takes what has run out off sale as well.',
  flags: fields(spec, {
    reason: { field: 'reason_code', description: 'reason; the customer sees it' },
    item: {
      field: 'item_ids',
      description: 'an item of the order that it is about, by name or id',
    },
    'mark-unavailable': 'mark_unavailable',
    note: { field: 'note', description: 'a note; the customer sees it' },
  }),
  examples: [
    'dray business orders reject 7K2M --reason too_busy',
    'dray business orders reject 7K2M --reason item_unavailable --item "Pad Thai" --mark-unavailable',
    'dray business orders reject 7K2M 9XQ4 --reason store_closed --confirm 2',
  ],
  telling: { done: 'Order {display_number} is rejected.', next: 'dray business orders list --active' },
})
