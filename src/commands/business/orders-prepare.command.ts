import { pickOperationFlags } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/start_business_order_prep.ts'
import { makeOrderActionCommand } from './orders/action-command.ts'

export const businessOrdersPrepare = makeOrderActionCommand({
  verb: 'prepare',
  summary: 'Start preparing accepted orders',
  description: '',
  flags: pickOperationFlags(spec, {
    'prep-time': {
      field: 'prep_time_minutes',
      value: 'MINUTES',
      description: 'minutes until it is ready, 1 to 180',
    },
    note: 'note',
  }),
  examples: ['dray business orders prepare 7K2M', 'dray business orders prepare 7K2M 9XQ4'],
  telling: {
    done: 'Order {display_number} is being prepared; ready time {prep.estimated_ready_at}.',
    next: 'dray business orders ready {display_number}',
  },
})
