/** Links that show one resource to whoever has them, until their owner withdraws them. */
import { serviceNow } from '../core/clock.ts'
import type { Db, Tx } from '../core/db.ts'
import { sha256Hex } from '../core/hash.ts'
import { loadWorld, lockWorld } from '../db/world.ts'
import {
  deleteSharedLink,
  findSharedLink,
  deleteExpiredSharedLinks,
  insertSharedLink,
  listLiveSharedLinks,
  listSharedLinks,
  type SharedLink,
} from './queries/shared-links.ts'
import { newSecret } from './secrets.ts'

const DAY_MS = 86_400_000
/** The longest life of a link: longer than anything is booked ahead. */
const LINK_LIFE_MS = 90 * DAY_MS
/** So long after its end a resource is still shown. */
export const SHOWN_AFTER_END_MS = 7 * DAY_MS
/** The most links of one resource; the oldest makes room. */
const MAX_RESOURCE_LINKS = 10

export type { SharedLink }

/** The resource that is shared, by the public word of its kind and its id, and its owner. */
export type SharedLinkTarget = { account_id: string; kind: string; resource_id: string }

/** Makes a link. Only the SHA-256 of its secret is stored. */
export async function createSharedLink(
  db: Db,
  shared: SharedLinkTarget,
  { machineNow, random }: { machineNow: number; random: (count: number) => Uint8Array },
): Promise<{ secret: string; expiresAt: number }> {
  return db.write(async (tx) => {
    const now = serviceNow((await lockWorld(tx)).clock, machineNow)
    await deleteExpiredSharedLinks(tx, now)
    const before = await listSharedLinks(tx, shared.resource_id)
    for (const { secret_hash } of before.slice(MAX_RESOURCE_LINKS - 1))
      await deleteSharedLink(tx, secret_hash)
    const secret = newSecret('shared', random)
    const expiresAt = now + LINK_LIFE_MS
    const secret_hash = sha256Hex(secret)
    await insertSharedLink(tx, { ...shared, secret_hash, created_at: now, expires_at: expiresAt })
    return { secret, expiresAt }
  })
}

/** Withdraws all links of a resource. Returns their SHA-256. */
export async function withdrawSharedLinks(db: Db, resourceId: string): Promise<string[]> {
  return db.write(async (tx) => {
    await lockWorld(tx)
    const links = await listSharedLinks(tx, resourceId)
    for (const { secret_hash } of links) await deleteSharedLink(tx, secret_hash)
    return links.map(({ secret_hash }) => secret_hash)
  })
}

/** Returns the link of a secret, and the service's time; undefined when it is unknown, withdrawn or over. */
export async function openSharedLink(
  db: Db,
  secret: string,
  machineNow: number,
): Promise<{ link: SharedLink; now: number } | undefined> {
  return db.read(async (tx) => {
    const now = serviceNow((await loadWorld(tx)).clock, machineNow)
    const link = await findSharedLink(tx, sha256Hex(secret), now)
    return link && { link, now }
  })
}

/** Returns those of the SHA-256 with a link that has not ended. */
export async function liveSharedLinks(
  tx: Tx,
  hashes: readonly string[],
  machineNow: number,
): Promise<string[]> {
  return listLiveSharedLinks(tx, hashes, serviceNow((await loadWorld(tx)).clock, machineNow))
}
