/** Every statement about collection manifests, for the test that runs all of them on both engines. */
import * as manifests from '../../src/areas/carrier/queries/manifests.ts'
import * as shipments from '../../src/areas/carrier/queries/shipments.ts'
import type { ShipmentRecord } from '../../src/areas/carrier/queries/shipments.ts'
import type { Tx } from '../../src/core/db.ts'
import * as timeline from '../../src/db/timeline.ts'
import { invoiceStatements } from './invoice-statements.ts'

const MANIFEST = {
  manifest_id: 'mnf_1',
  seq: 1,
  agreement_id: 'agr_1',
  hub_id: 'hub_1',
  created_at: 1_790_000_000_000,
  parcels: [],
}

type Statement = readonly [name: string, run: (tx: Tx) => Promise<unknown>]

/** Returns the statements of manifests, and of the lines that collected parcels bring; they need agreement, hub and parcel. */
export function collectionStatements(parcel: ShipmentRecord): readonly Statement[] {
  return [...MANIFESTS, ...invoiceStatements(parcel)]
}

const MANIFESTS: readonly Statement[] = [
  ['listShipmentsBySeq', (tx) => shipments.listShipmentsBySeq(tx, [1, 2])],
  ['listShipmentsAfter', (tx) => shipments.listShipmentsAfter(tx, 0, 2)],
  ['findShipmentsByNumber', (tx) => shipments.findShipmentsByNumber(tx, ['none'])],
  ['lockWaiting', (tx) => shipments.lockWaiting(tx, 'agr_1', 'hub_1')],
  ['countWaiting', (tx) => shipments.countWaiting(tx, 'agr_1')],
  ['alignSchedules', (tx) => timeline.alignSchedules(tx, ['none', 'nobody'], 'collected')],
  ['insertManifest', (tx) => manifests.insertManifest(tx, MANIFEST)],
  ['findManifest', (tx) => manifests.findManifest(tx, 'mnf_1')],
  ['findLastManifest', (tx) => manifests.findLastManifest(tx, 'agr_1', 'hub_1')],
]
