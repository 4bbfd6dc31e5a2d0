import type { Tx } from '../../../core/db.ts'
import { defineDocTable } from '../../../db/table.ts'

/** A collection manifest: the parcels that a driver takes from a hub by one scan. Times in milliseconds. */
export type ManifestRecord = {
  manifest_id: string
  seq: number
  agreement_id: string
  hub_id: string
  created_at: number
  /** Their numbers, oldest parcel first. */
  parcels: string[]
}

const MANIFESTS = defineDocTable<ManifestRecord, 'manifest_id' | 'seq' | 'agreement_id' | 'hub_id'>({
  name: 'collection_manifests',
  key: 'manifest_id',
  columns: { manifest_id: 'text', seq: 'integer', agreement_id: 'text', hub_id: 'text' },
})

export async function insertManifest(tx: Tx, manifest: ManifestRecord): Promise<void> {
  await MANIFESTS.insert(tx, [manifest])
}

export async function findManifest(tx: Tx, manifestId: string): Promise<ManifestRecord | undefined> {
  return MANIFESTS.find(tx, manifestId)
}

/** Returns the newest manifest of an agreement at a hub. */
export async function findLastManifest(
  tx: Tx,
  agreementId: string,
  hubId: string,
): Promise<ManifestRecord | undefined> {
  return MANIFESTS.first(
    tx,
    'where agreement_id = $1 and hub_id = $2 order by seq desc limit 1',
    agreementId,
    hubId,
  )
}
