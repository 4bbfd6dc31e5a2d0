import { fields } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/accept_business_order.ts'
import { actionCommand } from './orders/action-command.ts'

export const businessOrdersAccept = actionCommand({
  verb: 'accept',
  summary: 'Accept orders that were placed',
  description: 'An order that is paid by card or wallet can be accepted once it is paid.',
  flags: fields(spec, {
    'prep-time': {
      field: 'prep_time_minutes',
      value: 'MINUTES',
      description: 'minutes until it is ready, 1 to 180',
    },
    note: 'note',
  }),
  examples: ['dray business orders accept 7K2M', 'dray business orders accept 7K2M 9XQ4 --prep-time 20'],
  telling: {
    done: 'Order {display_number} is accepted; it is to be ready by {prep.estimated_ready_at}.',
    next: 'dray business orders prepare {order_id}',
  },
})
