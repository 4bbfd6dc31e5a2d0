/** Suggests the next call after a failure. It names a tool, because an agent cannot type a command. */
import type { Area } from '../core/areas.ts'
import { ERRORS } from '../core/errors.ts'
import type { AppError, ErrorCode } from '../core/errors.ts'
import { RESOURCES } from '../generated/resources.ts'
import type { Tool } from './tools.ts'

/** Returns the tools for the placeholders of an area: the operations of its first resource. */
function toolsOf(area: Area): Readonly<Record<string, string | undefined>> {
  const resource = Object.values(RESOURCES).find((each) => each.area === area)
  if (resource === undefined) return {}
  const { quote, held, creates, show, list, find, menu, starts } = resource
  return { quote, confirm: held && creates[0], show, list, find, menu, starts }
}

const CORRECT = 'Correct the arguments that are named in errors, then call {tool} again.'
const REPEAT = 'Call {tool} again with the same arguments: nothing is done twice.'
const LATER = 'Wait {wait}, then call {tool} again with the same arguments: nothing is done twice.'
const REQUOTE =
  'Call {quote} again, show the new price, and call {confirm} with its quote_id once it is agreed to.'
const LOOK = 'Call {show} to see its state now.'
const FIND = 'Call {find} to see what is available.'
const MENU = 'Call {menu} to see the available items and options.'
const STARTS = 'Call {starts} for another time, show it, and continue with it.'
const PAYMENT = 'Ask for another payment method; a new quote from {quote} may be needed.'
const PERSON = 'No tool can change this: ask the user to run `dray login` in a terminal.'

const NEXT: Partial<Record<ErrorCode, string>> = {
  malformed_json: CORRECT,
  invalid_request: CORRECT,
  idempotency_key_invalid: CORRECT,
  hidden_characters: CORRECT,
  idempotency_key_required: 'Call {tool} again with your own idempotency_key, and reuse it for retries.',
  idempotency_key_reused: 'Leave out idempotency_key, or use a new one for a new call.',
  idempotency_in_flight: LATER,
  invalid_cursor: 'Call {tool} again without cursor, and keep the filters unchanged between pages.',
  invalid_tracking_number: 'Check the number: two letters, nine digits, two letters. {list} lists them all.',
  missing_token: PERSON,
  invalid_token: PERSON,
  not_logged_in: PERSON,
  insufficient_scope: PERSON,
  membership_required:
    'Call get_membership_status and tell the user. Earlier orders can still be seen and cancelled.',
  agreement_required: 'No tool can change this: tell the user that the account needs the agreement.',
  merchant_not_found: 'Call search_restaurants to see the stores.',
  merchant_closed: 'Call search_restaurants for a store that is open, or {quote} with scheduled_for.',
  item_not_found: MENU,
  item_unavailable: MENU,
  invalid_modifier_selection: MENU,
  minimum_order_not_met: 'Ask what to add, then call {quote} with more in the basket.',
  fulfillment_not_offered: FIND,
  outside_delivery_area:
    'Call search_restaurants with the drop-off as the point, for stores that ride there.',
  outside_service_area: FIND,
  address_unresolvable: 'Ask for the address again, or give its location, then call {tool}.',
  quote_not_found: REQUOTE,
  quote_expired: REQUOTE,
  quote_mismatch: REQUOTE,
  tier_not_quoted: REQUOTE,
  tier_unavailable: REQUOTE,
  capacity_exceeded: REQUOTE,
  quote_already_used:
    'It was already bought and must not be bought again: call {show} with the ID given here.',
  hub_not_found: 'Call list_hubs to see the hubs.',
  provider_not_found: 'Call search_service_providers to see the providers.',
  task_type_not_found: 'Call list_task_types to see the task types available there.',
  payment_required: 'It is not paid yet: call {show} later, and continue once it is paid.',
  payment_declined: PAYMENT,
  insufficient_funds: PAYMENT,
  payment_method_not_accepted: PAYMENT,
  invalid_state: LOOK,
  not_cancellable: LOOK,
  fulfillment_type_mismatch: LOOK,
  table_check_open: 'The table has not paid yet: call {show} later, and continue once its bill is closed.',
  active_ride_exists: 'Call list_rides: one ride is under way already.',
  slot_unavailable: STARTS,
  duration_not_allowed: STARTS,
  window_invalid: STARTS,
  service_not_offered: FIND,
  no_qualified_provider: FIND,
  no_courier_available: 'Call {quote} again later, or for a later pickup_ready_at.',
  requirements_invalid: FIND,
  evidence_rules_invalid: FIND,
  duplicate_reference: 'It is sent already: call get_shipment with the tracking number given here.',
  duplicate_item: 'It is on the menu already: call list_catalog_items, or update_catalog_item to change it.',
  version_conflict: 'Call list_catalog_items for the current item, then {tool} with its version.',
  destination_not_covered: 'Call check_coverage to see what is served.',
  service_level_not_available: 'Call quote_rates to see the levels and prices to that address.',
  manifest_too_large: 'Call {tool} with at most 500 rows at once.',
  rate_limited: LATER,
  request_timeout: REPEAT,
  service_unavailable: LATER,
  storage_full: LATER,
  internal_error: REPEAT,
  network_error: REPEAT,
  invalid_response: REPEAT,
}

/** Returns one sentence for an agent; undefined when no call helps. */
export function nextCall(
  { code, hint, extra }: AppError,
  { name, area }: Pick<Tool, 'name' | 'area'>,
): string | undefined {
  const seconds = extra['retry_after_seconds']
  const wait = Number.isSafeInteger(seconds) ? `${String(seconds)} s` : 'a moment'
  const words: Readonly<Record<string, string | undefined>> = { ...toolsOf(area), tool: name, wait }
  // This machine's own disk is full, so waiting does not help.
  if (code === 'storage_full' && hint !== ERRORS[code].hint) return hint
  const text = NEXT[code] ?? whereIds(code, area)
  const missing = [...(text ?? '').matchAll(/\{(\w+)\}/g)].some(([, word = '']) => words[word] === undefined)
  if (text !== undefined && !missing)
    return text.replaceAll(/\{(\w+)\}/g, (_, word: string) => words[word] ?? '')
  // For these errors the agent must pass the command on to a person.
  if (code === 'approval_required' || code === 'not_confirmed') return hint
  // Other hints for people in a terminal name commands.
  return hint?.includes('`dray') === true ? undefined : hint
}

/** Says where to find the id of a resource. */
function whereIds(code: ErrorCode, area: Area): string | undefined {
  const found = Object.values(RESOURCES).filter(({ notFound }) => notFound === code)
  const resource = found.find((each) => each.area === area) ?? found[0]
  if (resource === undefined) return undefined
  const { noun, id, list, creates } = resource
  return list === undefined
    ? `The ${id} is in the response of ${creates[0]}.`
    : `Call ${list} to see the ${noun}s.`
}
