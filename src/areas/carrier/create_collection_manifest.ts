import * as Type from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { normalizeIdentifier } from '../../core/identifiers.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, identifierText, date, instant, describeField, nullable } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { lockClock } from '../../db/world.ts'
import { requireCarrierAgreement, loadOwnHub, CARRIER_AGREEMENT } from './access.ts'
import {
  createManifest,
  postponeCollection,
  planCollection,
  type PlannedCollection,
} from './lifecycle/manifest.ts'
import { type Hub, listAgreementHubs } from './queries/hubs.ts'
import { findLastManifest, type ManifestRecord } from './queries/manifests.ts'
import {
  countWaiting,
  findLiveShipmentsByReference,
  findShipment,
  findShipmentsByNumber,
  lockWaiting,
  type ShipmentRecord,
} from './queries/shipments.ts'
import { normalizeTrackingNumber } from './rules/tracking-number.ts'
import { manifest } from './schema.ts'
import { serializeManifest } from './views.ts'

/** The most parcels that are named: those of one batch. */
const MAX_NAMED = 500

function parcelNamesField(description: string) {
  return Type.Array(identifierText(64, 'Tracking number or reference'), {
    minItems: 1,
    maxItems: MAX_NAMED,
    description,
  })
}

const RESULTS = ['created', 'existing', 'preview', 'none'] as const

export const createCollectionManifest = defineOperation({
  name: 'create_collection_manifest',
  area: 'carrier',
  toolset: 'parcel-changes',
  summary: 'Create the collection manifest of a hub',
  description:
    'Takes all parcels that await collection at the hub and are on no manifest, or only shipments, or all without some, and records manifested on each. A scan of its code collects them all. Without new parcels, the hub’s last manifest is returned. preview records nothing.',
  details:
    'A parcel is on one manifest at most. The driver takes all parcels of a manifest at the earliest of their cut-off times; parcels on no manifest are collected at their own. A parcel named by without waits for the next collection after this one, and its delivery date follows; a later manifest takes it.',
  method: 'POST',
  path: '/v1/collection-manifests',
  scope: 'shipments.manage',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'each_time',
  input: strictObject({
    hub_id: identifierText(40, 'Collection hub, by code or ID'),
    shipments: Type.Optional(parcelNamesField('Only these parcels')),
    without: Type.Optional(parcelNamesField('All but these parcels, which wait for the next collection')),
    preview: Type.Optional(
      Type.Boolean({ default: false, description: 'Show the manifest and record nothing' }),
    ),
  }),
  output: strictObject({
    result: Type.Enum(RESULTS, {
      meaning: 'Outcome: a new manifest, the last one, a preview, or no manifest and no parcels',
    }),
    ...manifest,
    kept_back: Type.Array(
      strictObject({
        tracking_number: Type.String({ meaning: 'Tracking number' }),
        reference: nullable('Your own reference', Type.String()),
        collection_at: describeField('Time of its collection', instant, 'Collection'),
        estimated_delivery_date: describeField('Estimated delivery date', date, 'Delivery date'),
      }),
      { meaning: 'Parcels that wait for the next collection' },
    ),
    left_behind: Type.Array(
      strictObject({
        hub_code: Type.String({ meaning: 'Hub code' }),
        parcels: Type.Integer({ meaning: 'Parcels that await collection there' }),
      }),
      { meaning: 'Parcels at other hubs, which this driver does not take' },
    ),
  }),
  errors: ['hub_not_found', 'not_awaiting_collection'],
  example: () => ({ hub_id: 'LON2' }),
  cli: {
    command: 'carrier handover',
    danger: 'write',
    flags: { hub_id: 'hub' },
  },
  touches: CARRIER_AGREEMENT.touches,
  async run(context, asked) {
    assertOneChoice(asked)
    const hub = await loadOwnHub(context, asked.hub_id)
    const { result, record, parcels, kept } = await resolveManifest(context, hub, asked)
    return {
      result,
      ...serializeManifest(hub, record, parcels),
      kept_back: kept.map(({ parcel, collect_at, estimated_delivery_date }) => ({
        tracking_number: parcel.tracking_number,
        reference: parcel.reference,
        collection_at: toTimestamp(collect_at),
        estimated_delivery_date,
      })),
      left_behind: await countElsewhere(context, hub),
    }
  },
})

type CollectionManifestResult = {
  result: (typeof RESULTS)[number]
  record?: ManifestRecord
  parcels: ShipmentRecord[]
  kept: (PlannedCollection & { parcel: ShipmentRecord })[]
}

type CollectionManifestRequest = { shipments?: string[]; without?: string[]; preview?: boolean }

/** Throws `invalid_request` for both choices at once. */
function assertOneChoice({ shipments, without }: CollectionManifestRequest): void {
  if (shipments === undefined || without === undefined) return
  const detail = 'Give shipments or without, not both'
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ pointer: '/without', code: 'out_of_range', detail }],
  })
}

async function resolveManifest(
  context: OperationContext,
  hub: Hub,
  asked: CollectionManifestRequest,
): Promise<CollectionManifestResult> {
  const { tx, world, now } = context
  const { hub_id } = hub
  const agreement_id = requireCarrierAgreement(context)
  const waiting = await lockWaiting(tx, agreement_id, hub_id)
  const open = waiting.filter(({ doc }) => doc.manifest_id === undefined)
  const { shipments, without = [], preview = false } = asked
  const chosen = new Set(await findNamed(context, hub, open, asked))
  const fresh = open.filter((parcel) => chosen.has(parcel) === (shipments !== undefined))
  const back = without.length === 0 ? [] : [...chosen]
  const kept: CollectionManifestResult['kept'] = preview
    ? back.map((parcel) => ({ parcel, ...planCollection(parcel, hub, now, 1) }))
    : []
  if (preview && fresh.length > 0) return { result: 'preview', parcels: fresh, kept }
  if (!preview && (fresh.length > 0 || back.length > 0)) {
    const scene = { tx, world, at: await lockClock(tx, now) }
    for (const parcel of back) kept.push({ parcel, ...(await postponeCollection(scene, parcel, hub)) })
    if (fresh.length > 0) {
      const record = await createManifest(scene, { agreement_id, hub }, fresh)
      return { result: 'created', record, parcels: fresh, kept }
    }
  }
  const last = await findLastManifest(tx, agreement_id, hub_id)
  if (last === undefined) return { result: 'none', parcels: [], kept }
  return { result: 'existing', record: last, parcels: await findShipmentsByNumber(tx, last.parcels), kept }
}

/** Returns the parcels that are named, each once. Throws `not_awaiting_collection` for one that no manifest of the hub can take. */
async function findNamed(
  context: OperationContext,
  hub: Hub,
  open: readonly ShipmentRecord[],
  { shipments, without }: CollectionManifestRequest,
): Promise<ShipmentRecord[]> {
  const names = shipments ?? without ?? []
  const byName = new Map(
    open.flatMap((parcel) => [
      [parcel.tracking_number, parcel] as const,
      ...(parcel.reference === null ? [] : [[normalizeIdentifier(parcel.reference), parcel] as const]),
    ]),
  )
  const member = shipments === undefined ? 'without' : 'shipments'
  const found: ShipmentRecord[] = []
  for (const [at, name] of names.entries()) {
    const parcel = byName.get(name) ?? byName.get(normalizeTrackingNumber(name))
    if (parcel === undefined) throw await refuseName(context, hub, name, `/${member}/${at}`)
    found.push(parcel)
  }
  return found
}

/** Returns the error that says why a named parcel cannot be on a manifest of the hub. */
async function refuseName(
  context: OperationContext,
  hub: Hub,
  name: string,
  pointer: string,
): Promise<AppError> {
  const { tx } = context
  const agreementId = requireCarrierAgreement(context)
  const number = normalizeTrackingNumber(name)
  const [[referenced] = []] = (await findLiveShipmentsByReference(tx, agreementId, [name])).values()
  const found = await findShipment(tx, referenced?.tracking_number ?? number)
  const shown = JSON.stringify(name.slice(0, 64))
  const detail =
    found?.agreement_id !== agreementId
      ? `${shown} is no parcel of yours`
      : found.doc.return_of !== undefined
        ? `${shown} is a return: no driver collects it`
        : found.status !== 'pre_transit'
          ? `${shown} is ${found.status}: it does not await collection`
          : found.hub_id !== hub.hub_id
            ? `${shown} awaits collection at another hub than ${hub.code}`
            : `${shown} is on the manifest ${found.doc.manifest_id}`
  return new AppError('not_awaiting_collection', `${detail}.`, {
    errors: [{ pointer, code: 'out_of_range', detail }],
  })
}

async function countElsewhere(
  context: OperationContext,
  { hub_id }: Hub,
): Promise<{ hub_code: string; parcels: number }[]> {
  const agreementId = requireCarrierAgreement(context)
  const counts = await countWaiting(context.tx, agreementId)
  const hubs = await listAgreementHubs(context.tx, agreementId)
  return hubs.flatMap((hub) => {
    const parcels = hub.hub_id === hub_id ? undefined : counts.get(hub.hub_id)
    return parcels === undefined ? [] : { hub_code: hub.code, parcels }
  })
}
