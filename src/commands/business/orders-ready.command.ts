import { pickOperationFlags } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/mark_business_order_ready.ts'
import { makeOrderActionCommand } from './orders/action-command.ts'

export const businessOrdersReady = makeOrderActionCommand({
  verb: 'ready',
  summary: 'Mark orders as ready and send couriers for deliveries',
  description: '',
  flags: pickOperationFlags(spec, {
    instructions: { field: 'collection_instructions', value: 'TEXT' },
    note: 'note',
  }),
  examples: [
    'dray business orders ready 7K2M',
    'dray business orders ready 7K2M --instructions "Side door, ring twice"',
  ],
  telling: { done: 'Order {display_number} is ready.', next: 'dray business orders show {display_number}' },
})
