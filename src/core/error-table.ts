/**
 * The closed table of all errors (docs/rules/requests.md#each-status-has-one-meaning). A code that is not here cannot be
 * thrown.
 */

/** Exit codes of the command line; the names are what `dray help exit-codes` prints. */
export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  not_confirmed: 3,
  auth: 4,
  not_found: 5,
  rejected: 6,
  conflict: 7,
  pending: 8,
  partial: 9,
  rate_limited: 10,
  unavailable: 11,
} as const

export type ExitName = keyof typeof EXIT

export type ErrorEntry = {
  /** HTTP status; null for errors that only a client has. */
  status: number | null
  exit: ExitName
  title: string
  /** True if the same request may succeed later unchanged. */
  retryable?: true
  /** The next step for the user, in one sentence. */
  hint?: string
}

const table = {
  // 400
  malformed_json: { status: 400, exit: 'rejected', title: 'Body is not valid JSON' },
  invalid_request: { status: 400, exit: 'rejected', title: 'Request does not match the schema' },
  invalid_cursor: {
    status: 400,
    exit: 'rejected',
    title: 'Invalid cursor',
    hint: 'Start again without a cursor and keep the filters unchanged between pages.',
  },
  invalid_tracking_number: {
    status: 400,
    exit: 'rejected',
    title: 'Invalid tracking number',
    hint: 'Check the number: two letters, nine digits, two letters.',
  },
  idempotency_key_required: {
    status: 400,
    exit: 'rejected',
    title: 'Idempotency-Key is required',
    hint: 'Send an Idempotency-Key header; reuse the same key when you retry.',
  },
  idempotency_key_invalid: {
    status: 400,
    exit: 'rejected',
    title: 'Invalid Idempotency-Key',
    hint: 'Use 1 to 255 visible ASCII characters.',
  },
  scenario_not_allowed: { status: 400, exit: 'rejected', title: 'Unknown sandbox scenario' },
  // 401, 402, 403
  missing_token: {
    status: 401,
    exit: 'auth',
    title: 'Credential is missing',
    hint: 'Send Authorization: Bearer <token>. `dray login` gets a token; in a sandbox, `dray sandbox account token everything` makes one.',
  },
  invalid_token: {
    status: 401,
    exit: 'auth',
    title: 'Credential is not valid',
    hint: 'Run `dray login` again; in a sandbox, `dray sandbox account token everything` makes one.',
  },
  payment_required: { status: 402, exit: 'rejected', title: 'Payment is required', retryable: true },
  payment_declined: { status: 402, exit: 'rejected', title: 'Payment was declined' },
  insufficient_funds: { status: 402, exit: 'rejected', title: 'Wallet balance is too low', retryable: true },
  insufficient_scope: { status: 403, exit: 'auth', title: 'Credential lacks the scope' },
  membership_required: {
    status: 403,
    exit: 'rejected',
    title: 'An active membership is required',
    retryable: true,
    hint: 'Check `get_membership_status`; start a membership and try again.',
  },
  agreement_required: {
    status: 403,
    exit: 'rejected',
    title: 'An active agreement is required',
    retryable: true,
    hint: 'Use an account that holds the agreement: `--as <account>` in the sandbox.',
  },
  origin_not_allowed: { status: 403, exit: 'auth', title: 'Origin or Host is not allowed' },
  // 404
  route_not_found: { status: 404, exit: 'not_found', title: 'Path not found' },
  merchant_not_found: { status: 404, exit: 'not_found', title: 'Merchant not found' },
  item_not_found: { status: 404, exit: 'not_found', title: 'Item not found' },
  quote_not_found: { status: 404, exit: 'not_found', title: 'Quote not found' },
  order_not_found: { status: 404, exit: 'not_found', title: 'Order not found' },
  adjustment_not_found: { status: 404, exit: 'not_found', title: 'Adjustment not found' },
  problem_not_found: { status: 404, exit: 'not_found', title: 'Problem not found' },
  table_not_found: { status: 404, exit: 'not_found', title: 'Table not found' },
  ride_not_found: { status: 404, exit: 'not_found', title: 'Ride not found' },
  delivery_not_found: { status: 404, exit: 'not_found', title: 'Delivery not found' },
  shipment_not_found: {
    status: 404,
    exit: 'not_found',
    title: 'Shipment not found',
    hint: '`dray carrier list` shows your parcels.',
  },
  hub_not_found: {
    status: 404,
    exit: 'not_found',
    title: 'Hub not found',
    hint: '`dray carrier hubs` lists your hubs.',
  },
  manifest_not_found: { status: 404, exit: 'not_found', title: 'Collection manifest not found' },
  provider_not_found: { status: 404, exit: 'not_found', title: 'Provider not found' },
  booking_not_found: { status: 404, exit: 'not_found', title: 'Booking not found' },
  task_type_not_found: { status: 404, exit: 'not_found', title: 'Task type not found' },
  task_not_found: { status: 404, exit: 'not_found', title: 'Task not found' },
  business_day_not_found: {
    status: 404,
    exit: 'not_found',
    title: 'Business day not found',
    hint: '`dray business day list` lists the closed days.',
  },
  category_not_found: {
    status: 404,
    exit: 'not_found',
    title: 'Category not found',
    hint: '`dray business catalog list` shows your items and their categories.',
  },
  webhook_endpoint_not_found: {
    status: 404,
    exit: 'not_found',
    title: 'Webhook endpoint not found',
    hint: '`dray webhooks list` shows your endpoints.',
  },
  webhook_delivery_not_found: {
    status: 404,
    exit: 'not_found',
    title: 'Webhook delivery not found',
    hint: '`dray webhooks deliveries` lists those of an endpoint.',
  },
  media_not_found: { status: 404, exit: 'not_found', title: 'Media not found' },
  account_not_found: {
    status: 404,
    exit: 'not_found',
    title: 'Account not found',
    hint: '`dray sandbox account list` shows the sandbox accounts.',
  },
  snapshot_not_found: {
    status: null,
    exit: 'not_found',
    title: 'Snapshot not found',
    hint: '`dray sandbox snapshot list` lists saved snapshots.',
  },
  // other 4xx of the transport
  method_not_allowed: { status: 405, exit: 'rejected', title: 'Method is not allowed here' },
  not_acceptable: { status: 406, exit: 'rejected', title: 'Only JSON is served here' },
  request_timeout: {
    status: 408,
    exit: 'unavailable',
    title: 'Request took too long to arrive',
    retryable: true,
  },
  payload_too_large: { status: 413, exit: 'rejected', title: 'Body is too large' },
  unsupported_media_type: { status: 415, exit: 'rejected', title: 'Content-Type must be application/json' },
  headers_too_large: { status: 431, exit: 'rejected', title: 'Headers are too large' },
  // 409
  quote_expired: { status: 409, exit: 'conflict', title: 'Quote has expired' },
  quote_already_used: { status: 409, exit: 'conflict', title: 'Quote is already used' },
  invalid_state: { status: 409, exit: 'conflict', title: 'Not possible in this status' },
  not_movable: { status: 409, exit: 'conflict', title: 'Can no longer be moved' },
  not_cancellable: { status: 409, exit: 'conflict', title: 'Can no longer be cancelled' },
  fulfillment_type_mismatch: {
    status: 409,
    exit: 'conflict',
    title: 'Not possible for this fulfilment type',
  },
  table_check_open: { status: 409, exit: 'conflict', title: 'Table bill is still open', retryable: true },
  unpaid_orders_open: {
    status: 409,
    exit: 'conflict',
    title: 'Unpaid orders are still open',
    retryable: true,
  },
  active_ride_exists: { status: 409, exit: 'conflict', title: 'Another ride is active', retryable: true },
  slot_unavailable: { status: 409, exit: 'conflict', title: 'Slot is not available' },
  item_unavailable: { status: 409, exit: 'conflict', title: 'Item is not available', retryable: true },
  merchant_closed: { status: 409, exit: 'conflict', title: 'Merchant is closed', retryable: true },
  tier_unavailable: { status: 409, exit: 'conflict', title: 'Tier is not available', retryable: true },
  no_courier_available: { status: 409, exit: 'conflict', title: 'No courier available', retryable: true },
  no_qualified_provider: {
    status: 409,
    exit: 'conflict',
    title: 'No qualified tasker available',
    retryable: true,
  },
  idempotency_in_flight: {
    status: 409,
    exit: 'conflict',
    title: 'The same request is still being processed',
    retryable: true,
  },
  duplicate_reference: { status: 409, exit: 'conflict', title: 'Reference is already used' },
  duplicate_item: { status: 409, exit: 'conflict', title: 'Item already exists' },
  adjustment_not_allowed: { status: 409, exit: 'conflict', title: 'Cannot be adjusted like this' },
  amount_exceeds_paid: { status: 409, exit: 'conflict', title: 'Amount exceeds what can still be refunded' },
  claim_not_allowed: { status: 409, exit: 'conflict', title: 'Claim is not possible' },
  problem_window_over: { status: 409, exit: 'conflict', title: 'Too late to report a problem' },
  version_conflict: { status: 409, exit: 'conflict', title: 'Changed by someone else' },
  // 410
  position_gone: {
    status: 410,
    exit: 'conflict',
    title: 'Position is not in this store',
    hint: 'Read on from the first position that this error gives, or from 0 for all events.',
  },
  // 422
  idempotency_key_reused: {
    status: 422,
    exit: 'conflict',
    title: 'Idempotency-Key was used with other content',
    hint: 'Use a new key for new content.',
  },
  unknown_field: { status: 422, exit: 'rejected', title: 'Unknown response field' },
  quote_mismatch: { status: 422, exit: 'conflict', title: 'Quote does not match' },
  hidden_characters: { status: 422, exit: 'rejected', title: 'Text contains hidden characters' },
  invalid_modifier_selection: { status: 422, exit: 'rejected', title: 'Invalid option selection' },
  minimum_order_not_met: { status: 422, exit: 'rejected', title: 'Minimum order is not met' },
  outside_delivery_area: { status: 422, exit: 'rejected', title: 'Outside the delivery area' },
  outside_service_area: { status: 422, exit: 'rejected', title: 'Outside the service area' },
  fulfillment_not_offered: { status: 422, exit: 'rejected', title: 'Fulfilment type is not offered' },
  payment_method_not_accepted: { status: 422, exit: 'rejected', title: 'Payment method is not accepted' },
  address_unresolvable: { status: 422, exit: 'rejected', title: 'Address cannot be resolved' },
  pickup_equals_dropoff: { status: 422, exit: 'rejected', title: 'Pickup and drop-off are the same' },
  distance_limit_exceeded: { status: 422, exit: 'rejected', title: 'Distance is over the limit' },
  tier_not_quoted: { status: 422, exit: 'rejected', title: 'Tier was not quoted' },
  capacity_exceeded: { status: 422, exit: 'rejected', title: 'Too many passengers' },
  amount_too_large: { status: 422, exit: 'rejected', title: 'Amount is too large' },
  parcel_limits_exceeded: {
    status: 422,
    exit: 'rejected',
    title: 'Parcel is too large or too heavy',
    hint: 'At most 30 kg, longest side 1200 mm, length + 2 × width + 2 × height 3000 mm.',
  },
  prohibited_item: { status: 422, exit: 'rejected', title: 'Item is prohibited' },
  destination_not_covered: {
    status: 422,
    exit: 'rejected',
    title: 'Destination is not covered',
    hint: '`dray carrier coverage --postal-code "EC2A 1AN" --country GB` checks delivery coverage.',
  },
  service_level_not_available: {
    status: 422,
    exit: 'rejected',
    title: 'Service level is not available there',
    hint: '`dray carrier rates` lists service levels and prices for an address.',
  },
  manifest_too_large: {
    status: 422,
    exit: 'rejected',
    title: 'Manifest has more than 500 rows',
    hint: 'Send at most 500 rows at once; `dray carrier upload --split` does that for you.',
  },
  service_not_offered: { status: 422, exit: 'rejected', title: 'Service is not offered' },
  duration_not_allowed: { status: 422, exit: 'rejected', title: 'Duration is not allowed' },
  window_invalid: { status: 422, exit: 'rejected', title: 'Invalid time window' },
  requirements_invalid: { status: 422, exit: 'rejected', title: 'Invalid requirements' },
  evidence_rules_invalid: { status: 422, exit: 'rejected', title: 'Invalid evidence rules' },
  invalid_modifier_group: { status: 422, exit: 'rejected', title: 'Invalid modifier group' },
  invalid_shares: { status: 422, exit: 'rejected', title: 'Shares do not divide the bill' },
  invalid_barcode: { status: 422, exit: 'rejected', title: 'Invalid barcode' },
  options_conflict: { status: 422, exit: 'rejected', title: 'Delivery options exclude each other' },
  not_awaiting_collection: { status: 422, exit: 'rejected', title: 'Parcel does not await collection' },
  currency_mismatch: { status: 422, exit: 'rejected', title: 'Currency does not match' },
  // 429, 5xx
  rate_limited: { status: 429, exit: 'rate_limited', title: 'Too many requests', retryable: true },
  internal_error: { status: 500, exit: 'internal', title: 'Internal error', retryable: true },
  font_not_installed: { status: 501, exit: 'rejected', title: 'Font is not installed' },
  service_unavailable: { status: 503, exit: 'unavailable', title: 'Service is unavailable', retryable: true },
  storage_full: {
    status: 507,
    exit: 'unavailable',
    title: 'Storage is full',
    retryable: true,
    hint: 'Free disk space and run the same command again; the call that failed changed nothing.',
  },
  // errors of clients: no HTTP status
  usage: { status: null, exit: 'usage', title: 'Invalid command' },
  file_error: { status: null, exit: 'usage', title: 'Cannot use this file' },
  output_failed: { status: null, exit: 'internal', title: 'Could not write the result' },
  failed_after_done: {
    status: null,
    exit: 'internal',
    title: 'The change was made, but the command failed afterwards',
  },
  config_error: { status: null, exit: 'usage', title: 'Invalid configuration' },
  store_error: { status: null, exit: 'usage', title: 'Cannot open the data store' },
  not_confirmed: { status: null, exit: 'not_confirmed', title: 'Not confirmed; nothing changed' },
  call_cancelled: {
    status: null,
    exit: 'not_confirmed',
    title: 'Cancelled before it started; nothing changed',
  },
  not_logged_in: { status: null, exit: 'auth', title: 'Not logged in', hint: 'Run `dray login`.' },
  login_denied: {
    status: null,
    exit: 'auth',
    title: 'The login was denied',
    hint: 'If that was a mistake, run the same command again and approve it.',
  },
  login_expired: {
    status: null,
    exit: 'auth',
    title: 'The code was not entered in time',
    hint: 'Run the same command again for a new code.',
  },
  answer_too_large: { status: null, exit: 'rejected', title: 'Response is too large for an MCP tool' },
  all_rows_rejected: { status: null, exit: 'rejected', title: 'Every row was rejected' },
  some_rows_rejected: { status: null, exit: 'partial', title: 'Some rows were rejected' },
  call_unresolved: { status: null, exit: 'conflict', title: 'An earlier call is still pending' },
  price_above_limit: {
    status: null,
    exit: 'conflict',
    title: 'Price is above the limit; nothing was bought',
  },
  approval_required: {
    status: null,
    exit: 'not_confirmed',
    title: 'A user must approve this first; nothing was bought',
  },
  spend_limit_reached: {
    status: null,
    exit: 'conflict',
    title: 'Spending limit reached; nothing was bought',
  },
  printer_in_use: { status: null, exit: 'conflict', title: 'Another process prints to this printer' },
  printer_unavailable: {
    status: null,
    exit: 'unavailable',
    title: 'The printer cannot print now',
    retryable: true,
  },
  still_pending: { status: null, exit: 'pending', title: 'Not finished yet' },
  network_error: {
    status: null,
    exit: 'unavailable',
    title: 'Cannot reach the server',
    retryable: true,
  },
  invalid_response: {
    status: null,
    exit: 'unavailable',
    title: 'The response did not come from a dray server',
    retryable: true,
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof table

export const ERRORS: Readonly<Record<ErrorCode, ErrorEntry>> = table
