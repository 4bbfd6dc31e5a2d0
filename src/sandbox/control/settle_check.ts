import * as Type from 'typebox'
import { settleCheck as settle } from '../../areas/orders/life/check.ts'
import { closed } from '../../core/schema.ts'
import { defineControl } from './control.ts'
import { holdOrder, orderMoney, showOrderMoney } from './named-order.ts'

export const settleCheck = defineControl({
  name: 'settle_check',
  method: 'POST',
  path: '/sandbox/checks/{check_id}/settle',
  summary: 'Let the guests of a table pay its check, which closes it',
  input: closed({
    check_id: Type.String({ minLength: 1, maxLength: 60, description: 'Table check, or its order' }),
  }),
  output: orderMoney,
  run: ({ write }, { check_id }) =>
    write(async (tx, { world }, now) => {
      const order = await holdOrder(tx, world, now, check_id)
      await settle(tx, world, now, order)
      return showOrderMoney(tx, order)
    }),
})
