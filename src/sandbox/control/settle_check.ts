import * as Type from 'typebox'
import { settleTableCheck } from '../../areas/orders/lifecycle/check.ts'
import { strictObject } from '../../core/schema.ts'
import { defineControl } from './control.ts'
import { changeOrderMoney, orderMoney, orderMoneyColumns } from './named-order.ts'

export const settleCheck = defineControl({
  name: 'settle_check',
  method: 'POST',
  path: '/sandbox/checks/{check_id}/settle',
  summary: 'Let the guests of a table pay its check, which closes it',
  input: strictObject({
    check_id: Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'order ID or number, or its check',
    }),
  }),
  output: orderMoney,
  errors: ['order_not_found', 'invalid_state'],
  example: (done) => ({ check_id: done['order_at_table'].order_id }),
  cli: {
    command: 'sandbox check settle',
    danger: 'write',
    positionals: ['check_id'],
    flags: { check_id: 'order' },
    columns: orderMoneyColumns,
    done: 'The check of order {display_number} is paid and closed.',
    next: 'dray business orders complete {display_number} --as {store_account}',
    examples: ['dray sandbox check settle ord_01m7vkystgfp1b10jk5dh9yvxy'],
  },
  run: (context, { check_id }) => changeOrderMoney(context, check_id, settleTableCheck),
})
