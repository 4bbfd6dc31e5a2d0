import { fields } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/complete_business_order.ts'
import { actionCommand } from './orders/action-command.ts'

export const businessOrdersComplete = actionCommand({
  verb: 'complete',
  summary: 'Complete pickup and dine-in orders',
  description:
    'Deliveries are completed by their courier. A table whose check is open has to settle it first; cash counts as paid now.',
  flags: fields(spec, { 'collected-by': { field: 'collected_by_name', value: 'NAME' }, note: 'note' }),
  examples: [
    'dray business orders complete 7K2M --collected-by "Ana Bright"',
    'dray business orders complete 7K2M 9XQ4',
  ],
  telling: { done: 'Order {display_number} is completed.', next: 'dray business orders list --active' },
})
