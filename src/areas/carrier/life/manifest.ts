/** The collection manifest of a hub: parcels that wait are put on it, and a scan of its code collects them all. */
import { AppError } from '../../../core/errors.ts'
import { newIds, nextSeq } from '../../../store/counters.ts'
import { notBefore, type Scene } from '../../../store/life.ts'
import { planTogether } from '../../../store/timeline.ts'
import { insertManifest, type ManifestRecord } from '../store/manifests.ts'
import { findShipments, lockShipments, type ShipmentRecord } from '../store/shipments.ts'
import { recordScan, scanShipment, SHIPMENTS } from './shipment.ts'

/** Puts locked parcels that wait at a hub, and are on no manifest, on a new one. The driver takes all of them at once. */
export async function createManifest(
  scene: Scene,
  { agreement_id, hub_id }: Pick<ManifestRecord, 'agreement_id' | 'hub_id'>,
  parcels: readonly ShipmentRecord[],
): Promise<ManifestRecord> {
  const { tx, at } = scene
  const [manifest_id = ''] = await newIds(scene, 'mnf')
  const numbers = parcels.map(({ tracking_number }) => tracking_number)
  for (const parcel of parcels) {
    const own = notBefore(scene, parcel)
    parcel.doc.manifest_id = manifest_id
    const { move } = await recordScan(own, parcel, { code: 'manifested', by: 'shipper' }, parcel.status)
    await SHIPMENTS.enter(own, parcel, move)
  }
  await planTogether(tx, numbers, 'collected')
  const seq = await nextSeq(tx, at)
  const manifest = { manifest_id, seq, agreement_id, hub_id, created_at: at, parcels: numbers }
  await insertManifest(tx, manifest)
  return manifest
}

/**
 * Collects the parcels of a manifest that still wait, and returns how many. Throws `invalid_state` where all of them are
 * collected or cancelled.
 */
export async function scanManifest(scene: Scene, { manifest_id, parcels }: ManifestRecord): Promise<number> {
  await lockShipments(scene.tx, parcels, { skipLocked: false })
  const found = await findShipments(scene.tx, parcels)
  const waiting = found.filter(({ status }) => status === 'pre_transit')
  if (waiting.length === 0)
    throw new AppError('invalid_state', `All parcels of ${manifest_id} are collected or cancelled.`)
  for (const parcel of waiting) await scanShipment(scene, parcel, { code: 'collected', by: 'sandbox' })
  return waiting.length
}
