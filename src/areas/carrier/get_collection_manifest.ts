import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, idParam } from '../../core/schema.ts'
import { requireCarrierAgreement, loadOwnHub, CARRIER_AGREEMENT } from './access.ts'
import { findManifest } from './queries/manifests.ts'
import { findShipmentsByNumber } from './queries/shipments.ts'
import { collectionManifest } from './schema.ts'
import { serializeManifest } from './views.ts'

export const getCollectionManifest = defineOperation({
  name: 'get_collection_manifest',
  area: 'carrier',
  toolset: 'parcel-changes',
  summary: 'Show a collection manifest',
  description: 'Shows the parcels of a collection manifest as they are now.',
  method: 'GET',
  path: '/v1/collection-manifests/{manifest_id}',
  scope: 'shipments.read',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({ manifest_id: idParam('Collection manifest') }),
  output: collectionManifest,
  errors: ['manifest_not_found'],
  example: (done) => ({ manifest_id: done['create_collection_manifest'].manifest_id ?? '' }),
  cli: {
    command: 'carrier handover',
    danger: 'read',
    columns: [
      'manifest_id',
      'hub_code',
      'created_at',
      'counts.total',
      'counts.waiting',
      'counts.collected',
      'counts.cancelled',
    ],
  },
  touches: CARRIER_AGREEMENT.touches,
  async run(context, { manifest_id }) {
    const { tx } = context
    const manifest = await findManifest(tx, manifest_id)
    if (manifest?.agreement_id !== requireCarrierAgreement(context))
      throw new AppError('manifest_not_found', `No collection manifest ${manifest_id}.`)
    const hub = await loadOwnHub(context, manifest.hub_id)
    return serializeManifest(hub, manifest, await findShipmentsByNumber(tx, manifest.parcels))
  },
})
