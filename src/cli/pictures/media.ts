import type { Client } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'

/** The bytes of pictures by media id; undefined for one that the service does not have. */
export type PictureBytes = ReadonlyMap<string, Uint8Array | undefined>

/**
 * Fetches every picture of the items, one after the other, from the service itself. Rejects an address of another
 * server before anything is fetched. Throws AppError, except for a missing picture.
 */
export async function fetchMedia(
  client: Client,
  items: readonly { media: { media_id: string; url: string } | null }[],
): Promise<PictureBytes> {
  const pictures = items.flatMap(({ media }) => media ?? [])
  for (const { media_id, url } of pictures) {
    if (url !== `/media/${media_id}` || !/^\w+$/.test(media_id))
      throw new AppError(
        'invalid_response',
        `The server returned the photo address ${url.slice(0, 200)}, which is outside its media path; nothing was downloaded.`,
      )
  }
  const fetched = new Map<string, Uint8Array | undefined>()
  for (const { media_id } of pictures) fetched.set(media_id, await fetchOne(client, media_id))
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
