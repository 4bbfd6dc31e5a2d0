import type { Tx } from '../../core/db.ts'

/** A stored picture: the bytes are kept once per content, found by their SHA-256 (hex). */
export type StoredMedia = {
  media_id: string
  /** The account or agreement that may see it. */
  owner_id: string
  content_type: string
  sha256: string
  bytes: Uint8Array
}

export async function insertMedia(
  tx: Tx,
  { media_id, owner_id, content_type, sha256, bytes }: StoredMedia,
): Promise<void> {
  await tx.insertMany('blobs', ['sha256', 'bytes'], [[sha256, bytes]], { ignoreConflicts: true })
  await tx.insertMany(
    'media',
    ['media_id', 'owner_id', 'content_type', 'sha256'],
    [[media_id, owner_id, content_type, sha256]],
  )
}

export async function findMedia(tx: Tx, mediaId: string): Promise<StoredMedia | undefined> {
  const row = await tx.get(
    `select m.media_id, m.owner_id, m.content_type, m.sha256, b.bytes
     from media m join blobs b on b.sha256 = m.sha256 where m.media_id = $1`,
    mediaId,
  )
  if (row === undefined) return undefined
  const { bytes } = row
  if (!(bytes instanceof Uint8Array)) throw new Error(`the bytes of ${mediaId} are not bytes`)
  return {
    media_id: String(row['media_id']),
    owner_id: String(row['owner_id']),
    content_type: String(row['content_type']),
    sha256: String(row['sha256']),
    bytes,
  }
}
