import type { Tx } from '../../core/db.ts'
import { defineTable } from '../../db/table.ts'

/** A stored picture. Equal bytes are stored once, under their SHA-256 (hex). */
export type StoredMedia = {
  media_id: string
  /** The account or agreement that may read it. */
  owner_id: string
  content_type: string
  sha256: string
  bytes: Uint8Array
}

const MEDIA = defineTable<Omit<StoredMedia, 'bytes'>>({
  name: 'media',
  key: 'media_id',
  columns: { media_id: 'text', owner_id: 'text', content_type: 'text', sha256: 'text' },
})

const BLOBS = defineTable<Pick<StoredMedia, 'sha256' | 'bytes'>>({
  name: 'blobs',
  key: 'sha256',
  columns: { sha256: 'text', bytes: 'bytes' },
})

export async function insertMedia(tx: Tx, media: StoredMedia): Promise<void> {
  await BLOBS.insert(tx, [media], { ignoreConflicts: true })
  await MEDIA.insert(tx, [media])
}

export async function findMedia(tx: Tx, mediaId: string): Promise<StoredMedia | undefined> {
  const row = await tx.get(
    `select m.media_id, m.owner_id, m.content_type, m.sha256, b.bytes
     from media m join blobs b on b.sha256 = m.sha256 where m.media_id = $1`,
    mediaId,
  )
  return row && { ...MEDIA.map(row), bytes: BLOBS.map(row).bytes }
}
