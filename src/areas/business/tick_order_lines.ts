import * as Type from 'typebox'
import { strictObject } from '../../core/schema.ts'
import { tickLines } from '../orders/lifecycle/ticks.ts'
import { lineId } from '../orders/schema.ts'
import { makeOrderExampleCalls } from './order-action.ts'
import { OWN_STORE_ORDER } from './own-order.ts'

export const tickOrderLines = OWN_STORE_ORDER.action({
  name: 'tick_order_lines',
  toolset: 'store-day',
  summary: 'Tick the lines of an order that are made',
  description:
    'Allowed while the order is accepted, preparing or ready. Lines that are not named keep their ticks; the status stays. Every kitchen screen shows the ticks, the customer sees none.',
  method: 'PUT',
  below: '/ticks',
  spends: { how: 'nothing' },
  input: {
    lines: Type.Array(
      strictObject({
        line_id: lineId,
        done: Type.Boolean({ description: 'True if it is made; false takes the tick back' }),
      }),
      { minItems: 1, maxItems: 200, description: 'Lines to tick' },
    ),
  },
  brief: { usual: 'order_id,display_number,status,kitchen_lines' },
  errors: ['invalid_state'],
  exampleNeeds: [
    ...makeOrderExampleCalls('to_tick'),
    {
      operation: 'accept_business_order',
      name: 'accepted_to_tick',
      input: (done) => ({ order_id: done['order_to_tick'].order_id }),
    },
  ],
  example: (done) => ({
    order_id: done['order_to_tick'].order_id,
    lines: [{ line_id: 'line_1', done: true }],
  }),
  cli: {
    command: 'business orders tick',
    columns: ['display_number', 'order_id', 'status', 'kitchen_lines'],
  },
  act: tickLines,
})
