import { actionCommand, NOTE } from './orders/action-command.ts'

export const businessOrdersReady = actionCommand({
  verb: 'ready',
  summary: 'Mark orders as ready and send couriers for deliveries',
  description: '',
  flags: [
    {
      flag: 'instructions',
      field: 'collection_instructions',
      kind: 'text',
      value: 'TEXT',
      description: 'place and way of the collection',
    },
    NOTE,
  ],
  examples: [
    'dray business orders ready 7K2M',
    'dray business orders ready 7K2M --instructions "Side door, ring twice"',
  ],
  telling: { done: 'Order {display_number} is ready.', next: 'dray business orders show {order_id}' },
})
