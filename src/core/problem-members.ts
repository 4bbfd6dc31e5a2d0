/**
 * Additional fields of problem documents, besides those of RFC 9457 and those in every document of this service.
 * Each is listed with its error codes.
 */

type NamedReference = {
  type: 'object'
  properties: Record<string, { type: 'string'; description: string }>
  required: string[]
}
type Member = {
  type: 'string' | 'integer' | 'array'
  items?: { type: 'string' } | NamedReference
  description: string
}
type Money = { $ref: '#/components/schemas/Money'; description: string }

const text = (description: string): Member => ({ type: 'string', description })
const integer = (description: string): Member => ({ type: 'integer', description })
const texts = (description: string): Member => ({ type: 'array', items: { type: 'string' }, description })
const named = (id: string, description: string, name = 'name'): Member => ({
  type: 'array',
  items: {
    type: 'object',
    properties: {
      [id]: { type: 'string', description: 'ID' },
      [name]: { type: 'string', description: name === 'name' ? 'Name' : 'Number' },
    },
    required: [id, name],
  },
  description,
})
const money = (description: string): Money => ({ $ref: '#/components/schemas/Money', description })

/** The schema of each field. A field that is missing here does not compile. */
export const PROBLEM_MEMBERS = {
  accepted_methods: texts('`payment_method_not_accepted`: accepted methods.'),
  allowed_statuses: texts('`invalid_state`: statuses that allow the call.'),
  alternatives: texts(
    '`slot_unavailable`: free starts. `service_level_not_available`: available service levels. `address_unresolvable`: possible places. `unknown_field`: similar fields.',
  ),
  amount: money(
    '`adjustment_not_allowed`: amount that goes back now. `amount_exceeds_paid`: largest amount.',
  ),
  available_from: text('`item_unavailable`: time from which the items are on sale.'),
  available_quantity: integer('`item_unavailable`: stock that is left of the item.'),
  balance: money('`insufficient_funds`: wallet balance. `table_check_open`: balance due on the bill.'),
  balance_due: money('`quote_mismatch`: fee that the account owes for a cancelled ride.'),
  booking_id: text('`quote_already_used`: booking made from the quote.'),
  business_day: text('`invalid_state`: business day that has not ended.'),
  came_at: text('`adjustment_not_allowed`: time at which a driver, a courier or a provider came.'),
  check_id: text('`table_check_open`: table bill.'),
  completed_at: text('`adjustment_not_allowed`: time at which the order was handed over.'),
  current_status: text(
    '`invalid_state`, `not_cancellable`, `not_movable`, `fulfillment_type_mismatch`, `quote_already_used`: status of the resource.',
  ),
  current_version: integer('`version_conflict`: current version of the item.'),
  day_ends_at: text('`invalid_state`: time at which that business day ends.'),
  delivery_id: text('`quote_already_used`: delivery made from the quote.'),
  existing_item_id: text('`duplicate_item`: existing item.'),
  existing_tracking_number: text('`duplicate_reference`: parcel with this reference.'),
  first: text('`position_gone`: position from which to read on.'),
  install_command: text('`font_not_installed`: command that installs the fonts where the service runs.'),
  item_ids: texts('`item_unavailable`, `item_not_found`: unavailable or unknown items.'),
  latest_delivery_at: text('`adjustment_not_allowed`: latest delivery time that was promised.'),
  limit: integer(
    'Largest accepted value. `payload_too_large`: bytes. `manifest_too_large`: rows. `capacity_exceeded`: passengers. `distance_limit_exceeded`: metres. `amount_too_large`: minor units.',
  ),
  merchant_ids: texts('`invalid_request`: stores of the caller; name one of them.'),
  merchants: named(
    'merchant_id',
    '`invalid_request`, `merchant_not_found`: stores of the caller with their names.',
  ),
  minimum_order: money('`minimum_order_not_met`: minimum order value.'),
  movable_until: text('`not_movable`: last time at which the start could be moved.'),
  operations: texts('Operations that `detail`, `hint` and `errors` name.'),
  order_id: text('`quote_already_used`: order made from the quote.'),
  orders: named(
    'order_id',
    '`unpaid_orders_open`: orders that are still to be paid. `quote_mismatch`: orders that came onto the bill of the table since, or all of them.',
    'display_number',
  ),
  problem_id: text('`adjustment_not_allowed`: earlier problem about the same line or delivery.'),
  promised_at: text('`adjustment_not_allowed`: time that was promised.'),
  quote_operation: text('`quote_expired`: operation that returns a new quote.'),
  reason_code: text('`destination_not_covered`: reason code of `check_coverage`.'),
  required_entitlement: text('`membership_required`, `agreement_required`: missing entitlement.'),
  required_scope: text('`insufficient_scope`: missing scope.'),
  resource_id: text('`invalid_state`, `not_cancellable`, `not_movable`: resource.'),
  retry_after_seconds: integer('`rate_limited`: seconds to wait before retrying.'),
  ride_id: text('`quote_already_used`: ride made from the quote.'),
  starts_at: text('`quote_mismatch`: quoted start. `not_movable`: present start.'),
  tables: texts('`table_not_found`: tables of the store.'),
  task_id: text('`quote_already_used`: task made from the quote.'),
  total: money('`quote_mismatch`: quoted total, or that of the bill. `insufficient_funds`: amount due.'),
} as const

/** Additional fields of problem documents that only a client creates. */
type ClientMember =
  | 'ambiguous'
  | 'approval_id'
  | 'approve_command'
  | 'column'
  | 'command'
  | 'current_quote_id'
  | 'current_total'
  | 'differing'
  | 'done'
  | 'error_id'
  | 'expected_total'
  | 'expires_at'
  | 'file'
  | 'id'
  | 'idempotency_key'
  | 'call_id'
  | 'left'
  | 'line'
  | 'max_total'
  | 'missing'
  | 'more_at'
  | 'period'
  | 'price'
  | 'profile'
  | 'quote_id'
  | 'quoted_total'
  | 'reason'
  | 'remote_code'
  | 'request_id'
  | 'snippet'

export type ProblemMember = keyof typeof PROBLEM_MEMBERS | ClientMember
