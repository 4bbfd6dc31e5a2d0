/**
 * The list of operations. Each file of an area whose name has an underscore is one, as `areas/rides/get_ride.ts`. Their order is
 * that of all lists and pages: first the operations of the interface, in its order, then the calls beside it.
 */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AREAS } from '../core/areas.ts'
import type { AnyOperation } from '../core/operation.ts'
import { camelCase } from './tree.ts'

/** The operations of the interface, in its order. */
const INTERFACE: readonly string[] = [
  'get_membership_status',
  'search_restaurants',
  'get_restaurant_menu',
  'quote_food_order',
  'place_food_order',
  'get_food_order',
  'list_food_orders',
  'cancel_food_order',
  'search_ride_options',
  'quote_ride',
  'request_ride',
  'get_ride',
  'list_rides',
  'cancel_ride',
  'quote_delivery',
  'request_delivery',
  'get_delivery',
  'check_coverage',
  'quote_rates',
  'create_shipment',
  'create_shipments_batch',
  'get_shipment',
  'list_shipments',
  'cancel_shipment',
  'list_shipment_events',
  'list_hubs',
  'search_service_providers',
  'get_provider_availability',
  'quote_service',
  'book_service',
  'get_service_booking',
  'list_task_types',
  'quote_task',
  'create_task',
  'get_task',
  'get_task_evidence',
  'cancel_task',
  'list_business_orders',
  'get_business_order',
  'accept_business_order',
  'reject_business_order',
  'start_business_order_prep',
  'mark_business_order_ready',
  'complete_business_order',
  'list_catalog_items',
  'create_catalog_item',
  'update_catalog_item',
  'set_catalog_item_availability',
  'delete_catalog_item',
  'import_catalog_items',
]

/** The calls beside it, in the order that callers know. One that is not named follows, by area and name. */
const EXTENSIONS: readonly string[] = [
  'check_catalog_prices',
  'get_catalog_item_history',
  'list_catalog_changes',
  'count_shipments',
  'adjust_business_order',
  'get_store_hours',
  'set_store_hours',
  'pause_store',
  'resume_store',
  'set_store_busy',
  'get_store_settings',
  'set_store_settings',
  'tick_order_lines',
  'mark_losses_seen',
  'find_shipments',
  'answer_substitution',
  'report_order_problem',
  'answer_order_problem',
  'appeal_order_problem',
  'cancel_booking',
  'move_booking',
  'set_item_stock',
  'set_item_schedule',
  'set_category_schedule',
  'get_store_statement',
  'list_statement_entries',
  'get_carrier_invoice',
  'redirect_shipment',
  'correct_recipient',
  'create_collection_manifest',
  'get_collection_manifest',
  'create_return',
  'create_claim',
  'list_tables',
  'settle_table',
  'close_business_day',
  'list_business_days',
  'get_business_day',
  'list_account_events',
  'create_webhook_endpoint',
  'list_webhook_endpoints',
  'get_webhook_endpoint',
  'update_webhook_endpoint',
  'rotate_webhook_secret',
  'test_webhook_endpoint',
  'list_webhook_deliveries',
  'get_webhook_delivery',
  'resend_webhooks',
  'delete_webhook_endpoint',
]

type OperationFile = { area: string; name: string }

/** Returns the operations of the areas' folders, in the order of all lists. Throws Error where a named one is missing. */
export function listOperationFiles(root: string): OperationFile[] {
  const files = Object.keys(AREAS).flatMap((area) =>
    readdirSync(join(root, 'src/areas', area))
      .filter((file) => /^[a-z]+(?:_[a-z]+)+\.ts$/.test(file))
      .map((file) => ({ area, name: basename(file, '.ts') })),
  )
  const found = new Map(files.toSorted(byAreaAndName).map((file) => [file.name, file]))
  const named = [...INTERFACE, ...EXTENSIONS]
  const missing = named.find((name) => !found.has(name))
  if (missing !== undefined) throw new Error(`no folder of src/areas/ has ${missing}.ts`)
  return [...new Set([...named, ...found.keys()])].map((name) => found.get(name) as OperationFile)
}

function byAreaAndName(a: OperationFile, b: OperationFile): number {
  const areas = Object.keys(AREAS)
  return areas.indexOf(a.area) - areas.indexOf(b.area) || (a.name < b.name ? -1 : 1)
}

/** Returns the source of the list: name -> the operation, loaded when it is first asked for. */
export function operationListSource(files: readonly OperationFile[]): string {
  const lines = files.map(
    ({ area, name }) =>
      `  ${name}: () => import('../areas/${area}/${name}.ts').then((m) => m.${camelCase(name)}),`,
  )
  return `/** Every operation, loaded when it is first asked for; in the order of all lists and pages. */
export const OPERATIONS = {
${lines.join('\n')}
} as const
`
}

/** Throws Error for a file whose constant or operation has another name than the file, or another area than its folder. */
export function assertNamedByFile({ area, name }: OperationFile, operation: AnyOperation | undefined): void {
  if (operation?.name === name && operation.area === area) return
  const wanted = `src/areas/${area}/${name}.ts exports ${camelCase(name)}, the operation ${name} of ${area}`
  throw new Error(`${wanted}: it does not`)
}
