/** What the five things share that a store does with an order. */
import * as Type from 'typebox'
import { text } from '../../core/schema.ts'

export const note = Type.Optional(text(300, { description: 'For the store’s own eyes' }))

export const prepTimeMinutes = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 180, description: 'Minutes until it is ready' }),
)

/** How the command line shows an order that was acted on. */
export const actionColumns = [
  { field: 'display_number', label: 'Order' },
  { field: 'order_id', label: 'Id' },
  { field: 'status' },
  { field: 'fulfillment_type', label: 'How' },
  { field: 'payment.status', label: 'Payment' },
  { field: 'prep.estimated_ready_at', label: 'Ready by' },
  { field: 'allowed_actions', label: 'Can be' },
] as const
