import { pickOperationFlags } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/accept_business_order.ts'
import { makeOrderActionCommand } from './orders/action-command.ts'

export const businessOrdersAccept = makeOrderActionCommand({
  verb: 'accept',
  summary: 'Accept placed orders',
  description: 'A card or wallet order must be paid before it can be accepted.',
  flags: pickOperationFlags(spec, {
    'prep-time': {
      field: 'prep_time_minutes',
      value: 'MINUTES',
      description: 'prep time in minutes, 1 to 180',
    },
    note: 'note',
  }),
  examples: ['dray business orders accept 7K2M', 'dray business orders accept 7K2M 9XQ4 --prep-time 20'],
  telling: {
    done: 'Accepted order {display_number}; ready time {prep.estimated_ready_at}.',
    next: 'dray business orders prepare {display_number}',
  },
})
