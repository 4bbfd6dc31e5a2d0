/**
 * Additional members of problem documents, besides those of RFC 9457 and those in every document of this service.
 * Each is listed with its error codes.
 */

type Named = {
  type: 'object'
  properties: Record<string, { type: 'string'; description: string }>
  required: string[]
}
type Member = {
  type: 'string' | 'integer' | 'array'
  items?: { type: 'string' } | Named
  description: string
}
type Money = { $ref: '#/components/schemas/Money'; description: string }

const text = (description: string): Member => ({ type: 'string', description })
const integer = (description: string): Member => ({ type: 'integer', description })
const texts = (description: string): Member => ({ type: 'array', items: { type: 'string' }, description })
const named = (id: string, description: string): Member => ({
  type: 'array',
  items: {
    type: 'object',
    properties: {
      [id]: { type: 'string', description: 'Id' },
      name: { type: 'string', description: 'Name' },
    },
    required: [id, 'name'],
  },
  description,
})
const money = (description: string): Money => ({ $ref: '#/components/schemas/Money', description })

/** The schema of each member. A member that is missing here does not compile. */
export const PROBLEM_MEMBERS = {
  accepted_methods: texts('`payment_method_not_accepted`: the methods that are accepted.'),
  allowed_statuses: texts('`invalid_state`: the statuses from which the call is possible.'),
  alternatives: texts(
    '`slot_unavailable`: starts that are free. `service_level_not_available`: levels that go there. `address_unresolvable`: places that may be meant. `unknown_field`: fields that may be meant.',
  ),
  balance: money(
    '`insufficient_funds`: what the wallet holds. `table_check_open`: what the check still owes.',
  ),
  balance_due: money('`quote_mismatch`: what the account owes now for a ride that it cancelled.'),
  booking_id: text('`quote_already_used`: the booking that the quote became.'),
  check_id: text('`table_check_open`: the check.'),
  current_status: text(
    '`invalid_state`, `not_cancellable`, `fulfillment_type_mismatch`, `quote_already_used`: the status of the resource.',
  ),
  current_version: integer('`version_conflict`: the version that the item has.'),
  delivery_id: text('`quote_already_used`: the delivery that the quote became.'),
  existing_item_id: text('`duplicate_item`: the item that is there already.'),
  existing_tracking_number: text('`duplicate_reference`: the parcel that has the reference.'),
  item_ids: texts('`item_unavailable`, `item_not_found`: the items that cannot be had.'),
  limit: integer(
    'The largest value that is accepted. `payload_too_large`: bytes. `manifest_too_large`: rows. `capacity_exceeded`: passengers. `distance_limit_exceeded`: metres. `amount_too_large`: minor units.',
  ),
  merchant_ids: texts('`invalid_request`: the stores of the caller, one of which has to be named.'),
  merchants: named(
    'merchant_id',
    '`invalid_request`, `merchant_not_found`: the stores of the caller, with their names.',
  ),
  minimum_order: money('`minimum_order_not_met`: the least that the store delivers.'),
  order_id: text('`quote_already_used`: the order that the quote became.'),
  quote_operation: text('`quote_expired`: the operation that gives a new quote.'),
  reason_code: text('`destination_not_covered`: why, as a word of `check_coverage`.'),
  required_entitlement: text('`membership_required`, `agreement_required`: what the account lacks.'),
  required_scope: text('`insufficient_scope`: the scope that the token lacks.'),
  resource_id: text('`invalid_state`, `not_cancellable`: the resource.'),
  ride_id: text('`quote_already_used`: the ride that the quote became.'),
  starts_at: text('`quote_mismatch`: the start that was quoted.'),
  task_id: text('`quote_already_used`: the task that the quote became.'),
  total: money('`quote_mismatch`: the quoted total. `insufficient_funds`: what was to be paid.'),
} as const

/** Additional members of problem documents that only a client creates. */
type ClientMember =
  | 'ambiguous'
  | 'approval_id'
  | 'approve_command'
  | 'column'
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
  | 'intent_id'
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
