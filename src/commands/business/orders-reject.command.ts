import { REJECT_REASONS } from '../../areas/orders/states.ts'
import { actionCommand, NOTE } from './orders/action-command.ts'

export const businessOrdersReject = actionCommand({
  verb: 'reject',
  summary: 'Reject orders; what was paid goes back to the customer',
  description:
    'Possible until a courier has collected it. A script must give --reason; a person is asked. It cannot be taken back, so the order is typed to confirm it, as it was named, or given with --confirm; of several orders their count (--confirm 3). --item with --mark-unavailable takes what has run out off sale as well.',
  flags: [
    {
      flag: 'reason',
      field: 'reason_code',
      kind: 'enum',
      choices: REJECT_REASONS,
      description: 'reason; the customer sees it',
    },
    {
      flag: 'item',
      field: 'item_ids',
      kind: 'text',
      value: 'ITEM',
      repeat: true,
      description: 'an item of the order that it is about, by name or id',
    },
    {
      flag: 'mark-unavailable',
      field: 'mark_unavailable',
      kind: 'boolean',
      description: 'take those items off sale',
    },
    { ...NOTE, description: 'a note; the customer sees it' },
  ],
  examples: [
    'dray business orders reject 7K2M --reason too_busy',
    'dray business orders reject 7K2M --reason item_unavailable --item "Pad Thai" --mark-unavailable',
    'dray business orders reject 7K2M 9XQ4 --reason store_closed --confirm 2',
  ],
  telling: { done: 'Order {display_number} is rejected.', next: 'dray business orders list --active' },
})
