import { actionCommand, NOTE, PREP_TIME } from './orders/action-command.ts'

export const businessOrdersAccept = actionCommand({
  verb: 'accept',
  summary: 'Accept orders that were placed',
  description: 'An order that is paid by card or wallet can be accepted once it is paid.',
  flags: [PREP_TIME, NOTE],
  examples: ['dray business orders accept 7K2M', 'dray business orders accept 7K2M 9XQ4 --prep-time 20'],
  telling: {
    done: 'Order {display_number} is accepted; it is to be ready by {prep.estimated_ready_at}.',
    next: 'dray business orders prepare {order_id}',
  },
})
