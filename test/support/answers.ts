/** The types that the program prints with `--json`, by name. */
import type { OperationOutput } from '../../src/client/operations.ts'
import type { Problem } from '../../src/core/errors.ts'

export type MembershipOutput = OperationOutput<'get_membership_status'>
export type Coverage = OperationOutput<'check_coverage'>
export type ShippingRates = OperationOutput<'quote_rates'>
export type HubList = OperationOutput<'list_hubs'>
export type Shipment = OperationOutput<'get_shipment'>
export type Shipments = OperationOutput<'list_shipments'>
export type Events = OperationOutput<'list_shipment_events'>
export type ShipmentBatch = OperationOutput<'create_shipments_batch'>

/** A failure, as printed. */
export type PrintedFailure = Problem & { exit_code: number }

/** The report of `dray carrier upload`. */
export type CarrierUploadReport = {
  counts: Record<'total' | 'created' | 'duplicate' | 'rejected' | 'skipped' | 'not_sent', number>
  skipped: { row: number; reference: string | null; reason: string }[]
  warnings: string[]
  total: { amount: number; currency: string } | null
  batch_ids: string[]
  results_file?: string
  errors_file?: string
  data: UploadRow[]
}

export type UploadRow = {
  row: number
  reference: string | null
  result: 'created' | 'duplicate' | 'rejected' | 'skipped' | 'not_sent'
  tracking_number: string | null
  total: { amount: number; currency: string } | null
  reason: { code: string; errors: { column: string; code: string; detail: string }[] } | null
}
