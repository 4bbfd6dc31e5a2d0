/** What the program prints with `--json`, by name. */
import type { getMembershipStatus } from '../../src/areas/account/get_membership_status.ts'
import type { checkCoverage } from '../../src/areas/carrier/check_coverage.ts'
import type { createShipmentsBatch } from '../../src/areas/carrier/create_shipments_batch.ts'
import type { getShipment } from '../../src/areas/carrier/get_shipment.ts'
import type { listHubs } from '../../src/areas/carrier/list_hubs.ts'
import type { listShipmentEvents } from '../../src/areas/carrier/list_shipment_events.ts'
import type { listShipments } from '../../src/areas/carrier/list_shipments.ts'
import type { quoteRates } from '../../src/areas/carrier/quote_rates.ts'
import type { Problem } from '../../src/core/errors.ts'
import type { Output } from '../../src/core/operation.ts'

export type Membership = Output<typeof getMembershipStatus>
export type Coverage = Output<typeof checkCoverage>
export type Rates = Output<typeof quoteRates>
export type Hubs = Output<typeof listHubs>
export type Shipment = Output<typeof getShipment>
export type Shipments = Output<typeof listShipments>
export type Events = Output<typeof listShipmentEvents>
export type Batch = Output<typeof createShipmentsBatch>

/** A failure, as printed. */
export type Failure = Problem & { exit_code: number }

/** The report of `dray carrier upload`. */
export type Upload = {
  counts: { total: number; created: number; duplicate: number; rejected: number; not_sent: number }
  total: { amount: number; currency: string } | null
  batch_ids: string[]
  results_file?: string
  errors_file?: string
  data: UploadRow[]
}

export type UploadRow = {
  row: number
  reference: string | null
  result: 'created' | 'duplicate' | 'rejected' | 'not_sent'
  tracking_number: string | null
  total: { amount: number; currency: string } | null
  reason: { code: string; errors: { column: string; code: string; detail: string }[] } | null
}
