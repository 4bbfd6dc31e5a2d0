/**
 * The collection manifest of a hub: parcels that wait are put on it or kept back, and a scan of its code collects them all
 * (docs/rules/parcels.md#a-collection-manifest-is-one-scan).
 */
import { AppError } from '../../../core/errors.ts'
import { newIds, nextSeq } from '../../../db/counters.ts'
import { clampToLastUpdate, type ChangeContext } from '../../../db/lifecycle.ts'
import { alignSchedules, unscheduleResource } from '../../../db/timeline.ts'
import type { Hub } from '../queries/hubs.ts'
import { insertManifest, type ManifestRecord } from '../queries/manifests.ts'
import { findShipmentsByNumber, lockShipments, type ShipmentRecord } from '../queries/shipments.ts'
import {
  collectionTime,
  computeDeliveryEstimate,
  restrictServiceToZone,
  clampDeliveryDate,
  SERVICE_LEVELS,
} from '../rules/rates.ts'
import { recordScan, applyManualScan, SHIPMENT_LIFECYCLE } from './shipment.ts'

/** Puts locked parcels that wait at a hub, and are on no manifest, on a new one. The driver takes all of them at once. */
export async function createManifest(
  scene: ChangeContext,
  { agreement_id, hub }: { agreement_id: string; hub: Hub },
  parcels: readonly ShipmentRecord[],
): Promise<ManifestRecord> {
  const { tx, at } = scene
  const { hub_id } = hub
  const [manifest_id = ''] = await newIds(scene, 'mnf')
  const numbers = parcels.map(({ tracking_number }) => tracking_number)
  for (const parcel of parcels) {
    const own = clampToLastUpdate(scene, parcel)
    parcel.doc.manifest_id = manifest_id
    if (parcel.doc.kept_back === true) await restoreCollection(own, parcel, hub)
    const { move } = await recordScan(own, parcel, { code: 'manifested', by: 'shipper' }, parcel.status)
    await SHIPMENT_LIFECYCLE.transition(own, parcel, move)
  }
  await alignSchedules(tx, numbers, 'collected')
  const seq = await nextSeq(tx, at)
  const manifest = { manifest_id, seq, agreement_id, hub_id, created_at: at, parcels: numbers }
  await insertManifest(tx, manifest)
  return manifest
}

/** A collection, with the delivery date that follows from it. */
export type PlannedCollection = { collect_at: number; estimated_delivery_date: string }

/**
 * Returns the collection of a parcel that its sender keeps back at a time: the one after the next of its hub. With `skipped`
 * 0 it is the next one.
 */
export function planCollection(
  parcel: ShipmentRecord,
  hub: Hub,
  at: number,
  skipped: 0 | 1,
): PlannedCollection {
  const { service_level, doc } = parcel
  const found = SERVICE_LEVELS.find(({ code }) => code === service_level)
  if (found === undefined) throw new Error(`${service_level} is not a service level`)
  const level = restrictServiceToZone(found, doc.zone)
  const next = computeDeliveryEstimate(level, hub, at)
  const collect_at = collectionTime(level, hub, next.collected_on)
  if (skipped === 1) return planCollection(parcel, hub, collect_at, 0)
  const asked = doc.options.not_before_date
  return {
    collect_at,
    estimated_delivery_date: clampDeliveryDate(next.estimated_delivery_date, asked, level),
  }
}

/** Plans the collection of a locked parcel after the next one of its hub; one that is kept back already stays as it is planned. */
export async function postponeCollection(
  given: ChangeContext,
  parcel: ShipmentRecord,
  hub: Hub,
): Promise<PlannedCollection> {
  const scene = clampToLastUpdate(given, parcel)
  const planned = planCollection(parcel, hub, given.at, 1)
  parcel.doc.kept_back = true
  await planAgain(scene, parcel, planned)
  return planned
}

/** Plans a parcel that was kept back for the next collection of its hub. */
async function restoreCollection(scene: ChangeContext, parcel: ShipmentRecord, hub: Hub): Promise<void> {
  delete parcel.doc.kept_back
  await planAgain(scene, parcel, planCollection(parcel, hub, scene.at, 0))
}

async function planAgain(
  scene: ChangeContext,
  parcel: ShipmentRecord,
  { collect_at, estimated_delivery_date }: PlannedCollection,
): Promise<void> {
  parcel.doc.estimated_delivery_date = estimated_delivery_date
  await unscheduleResource(scene.tx, parcel.tracking_number)
  await SHIPMENT_LIFECYCLE.transition(scene, parcel, {
    by: 'shipper',
    next: { event: 'collected', due_at: collect_at },
  })
}

/**
 * Collects the parcels of a manifest that still wait, and returns how many. Throws `invalid_state` where all of them are
 * collected or cancelled.
 */
export async function collectManifest(
  scene: ChangeContext,
  { manifest_id, parcels }: ManifestRecord,
): Promise<number> {
  await lockShipments(scene.tx, parcels, { skipLocked: false })
  const found = await findShipmentsByNumber(scene.tx, parcels)
  const waiting = found.filter(({ status }) => status === 'pre_transit')
  if (waiting.length === 0)
    throw new AppError('invalid_state', `All parcels of ${manifest_id} are collected or cancelled.`)
  for (const parcel of waiting) await applyManualScan(scene, parcel, { code: 'collected', by: 'sandbox' })
  return waiting.length
}
