/** Links that show one resource to whoever has them. Times are by the service's clock. */
import type { Tx } from '../../core/db.ts'
import { defineRow, forEachChunk, formatPlaceholders } from '../../db/table.ts'

export type SharedLink = {
  /** SHA-256 in hex. */
  secret_hash: string
  account_id: string
  /** The public word of its kind. */
  kind: string
  resource_id: string
  created_at: number
  expires_at: number
}

const toLink = defineRow<SharedLink>({
  secret_hash: 'text',
  account_id: 'text',
  kind: 'text',
  resource_id: 'text',
  created_at: 'integer',
  expires_at: 'integer',
})

const COLUMNS = 'secret_hash, account_id, kind, resource_id, created_at, expires_at'

export async function insertSharedLink(tx: Tx, link: SharedLink): Promise<void> {
  const { secret_hash, account_id, kind, resource_id, created_at, expires_at } = link
  await tx.run(
    `insert into shared_links (${COLUMNS}) values ($1, $2, $3, $4, $5, $6)`,
    secret_hash,
    account_id,
    kind,
    resource_id,
    created_at,
    expires_at,
  )
}

/** Returns the link with this SHA-256, unless it has ended. */
export async function findSharedLink(tx: Tx, hash: string, now: number): Promise<SharedLink | undefined> {
  const row = await tx.get(
    `select ${COLUMNS} from shared_links where secret_hash = $1 and expires_at > $2`,
    hash,
    now,
  )
  return row && toLink(row)
}

/** Returns the links of a resource, the latest first. */
export async function listSharedLinks(tx: Tx, resourceId: string): Promise<SharedLink[]> {
  const rows = await tx.all(
    `select ${COLUMNS} from shared_links where resource_id = $1 order by created_at desc, secret_hash`,
    resourceId,
  )
  return rows.map(toLink)
}

/** Returns those of the SHA-256 with a link that has not ended. */
export async function listLiveSharedLinks(tx: Tx, hashes: readonly string[], now: number): Promise<string[]> {
  const live: string[] = []
  await forEachChunk(hashes, async (chunk) => {
    const rows = await tx.all(
      `select ${COLUMNS} from shared_links where secret_hash in (${formatPlaceholders(chunk.length, 2)}) and expires_at > $1`,
      now,
      ...chunk,
    )
    live.push(...rows.map((row) => toLink(row).secret_hash))
  })
  return live
}

export async function deleteSharedLink(tx: Tx, hash: string): Promise<void> {
  await tx.run('delete from shared_links where secret_hash = $1', hash)
}

/** Deletes everything that expired at or before `before`. */
export async function deleteExpiredSharedLinks(tx: Tx, before: number): Promise<void> {
  await tx.run('delete from shared_links where expires_at <= $1', before)
}
