import { pickOperationFlags } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/complete_business_order.ts'
import { makeOrderActionCommand } from './orders/action-command.ts'

export const businessOrdersComplete = makeOrderActionCommand({
  verb: 'complete',
  summary: 'Complete pickup and dine-in orders',
  description:
    'The courier completes a delivery. A dine-in order with an open table bill must be paid first; cash counts as paid now.',
  flags: pickOperationFlags(spec, {
    'collected-by': { field: 'collected_by_name', value: 'NAME' },
    note: 'note',
  }),
  examples: [
    'dray business orders complete 7K2M --collected-by "Ana Bright"',
    'dray business orders complete 7K2M 9XQ4',
  ],
  telling: { done: 'Completed order {display_number}.', next: 'dray business orders list --active' },
})
