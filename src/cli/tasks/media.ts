import type { Client } from '../../client/client.ts'
import { AppError } from '../../errors.ts'

/** The bytes of the pictures by media id; undefined for one that the service does not have. */
export type Fetched = ReadonlyMap<string, Uint8Array | undefined>

/** Fetches every picture of the items, one after the other. Throws AppError for everything but a picture that is not there. */
export async function fetchMedia(
  client: Client,
  items: readonly { media: { media_id: string } | null }[],
): Promise<Fetched> {
  const fetched = new Map<string, Uint8Array | undefined>()
  for (const { media } of items) {
    if (media !== null) fetched.set(media.media_id, await fetchOne(client, media.media_id))
  }
  return fetched
}

async function fetchOne(client: Client, mediaId: string): Promise<Uint8Array | undefined> {
  try {
    return (await client.media(mediaId)).bytes
  } catch (error) {
    if (error instanceof AppError && error.entry.exit === 'not_found') return undefined
    throw error
  }
}
