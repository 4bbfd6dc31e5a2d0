import * as Type from 'typebox'
import type { Context } from '../../core/context.ts'
import { defineOperation } from '../../core/operation.ts'
import { closed, code } from '../../core/schema.ts'
import { lockMoment } from '../../store/world.ts'
import { createManifest } from './life/manifest.ts'
import { agreementOf, loadOwnHub, touchesAgreement } from './own.ts'
import { manifest } from './schema.ts'
import { type Hub, listHubs } from './store/hubs.ts'
import { findLastManifest, type ManifestRecord } from './store/manifests.ts'
import { countWaiting, findShipments, lockWaiting, type ShipmentRecord } from './store/shipments.ts'
import { showManifest } from './views.ts'

const RESULTS = ['created', 'existing', 'preview', 'none'] as const

export const createCollectionManifest = defineOperation({
  name: 'create_collection_manifest',
  area: 'carrier',
  toolset: 'parcel-life',
  summary: 'Create the collection manifest of a hub',
  description:
    'Takes all parcels that await collection at the hub and are on no manifest, and records manifested on each. A scan of its code collects them all. Without new parcels, the hub’s last manifest is returned. preview records nothing.',
  details:
    'A parcel is on one manifest at most. The driver takes all parcels of a manifest at the earliest of their cut-off times; parcels on no manifest are collected at their own.',
  method: 'POST',
  path: '/v1/collection-manifests',
  scope: 'shipments.manage',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  input: closed({
    hub_id: code(40, 'Collection hub, by code or ID'),
    preview: Type.Optional(
      Type.Boolean({ default: false, description: 'Show the manifest and record nothing' }),
    ),
  }),
  output: closed({
    result: Type.Enum(RESULTS, {
      meaning: 'Outcome: a new manifest, the last one, a preview, or no manifest and no parcels',
    }),
    ...manifest,
    left_behind: Type.Array(
      closed({
        hub_code: Type.String({ meaning: 'Hub code' }),
        parcels: Type.Integer({ meaning: 'Parcels that await collection there' }),
      }),
      { meaning: 'Parcels at other hubs, which this driver does not take' },
    ),
  }),
  errors: ['hub_not_found'],
  example: () => ({ hub_id: 'LON2' }),
  cli: {
    command: 'carrier handover',
    danger: 'write',
    flags: { hub_id: 'hub' },
  },
  touches: touchesAgreement,
  async run(context, { hub_id, preview = false }) {
    const hub = await loadOwnHub(context, hub_id)
    const { result, record, parcels } = await take(context, hub, preview)
    return { result, ...showManifest(hub, record, parcels), left_behind: await countElsewhere(context, hub) }
  },
})

type Taken = {
  result: (typeof RESULTS)[number]
  record?: ManifestRecord
  parcels: ShipmentRecord[]
}

async function take(context: Context, { hub_id }: Hub, preview: boolean): Promise<Taken> {
  const { tx, world, now } = context
  const agreement_id = agreementOf(context)
  const waiting = await lockWaiting(tx, agreement_id, hub_id)
  const fresh = waiting.filter(({ doc }) => doc.manifest_id === undefined)
  if (fresh.length > 0) {
    if (preview) return { result: 'preview', parcels: fresh }
    const at = await lockMoment(tx, now)
    const record = await createManifest({ tx, world, at }, { agreement_id, hub_id }, fresh)
    return { result: 'created', record, parcels: fresh }
  }
  const last = await findLastManifest(tx, agreement_id, hub_id)
  if (last === undefined) return { result: 'none', parcels: [] }
  return { result: 'existing', record: last, parcels: await findShipments(tx, last.parcels) }
}

async function countElsewhere(
  context: Context,
  { hub_id }: Hub,
): Promise<{ hub_code: string; parcels: number }[]> {
  const agreementId = agreementOf(context)
  const counts = await countWaiting(context.tx, agreementId)
  const hubs = await listHubs(context.tx, agreementId)
  return hubs.flatMap((hub) => {
    const parcels = hub.hub_id === hub_id ? undefined : counts.get(hub.hub_id)
    return parcels === undefined ? [] : { hub_code: hub.code, parcels }
  })
}
