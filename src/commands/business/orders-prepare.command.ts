import { actionCommand, NOTE, PREP_TIME } from './orders/action-command.ts'

export const businessOrdersPrepare = actionCommand({
  verb: 'prepare',
  summary: 'Start preparing orders that are accepted',
  description: '',
  flags: [PREP_TIME, NOTE],
  examples: ['dray business orders prepare 7K2M', 'dray business orders prepare 7K2M 9XQ4'],
  telling: {
    done: 'Order {display_number} is being prepared; it is to be ready by {prep.estimated_ready_at}.',
    next: 'dray business orders ready {order_id}',
  },
})
