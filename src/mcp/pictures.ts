/** Adds pictures to a response as image content, so that people see a proof and not only its address. */
import type { ContentBlock } from '@modelcontextprotocol/server'
import type { Client } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import type { Tool } from './tools.ts'

const KIBIBYTE = 1024

/** The limits of one response. Programs cut off responses of more than about a megabyte of base64. */
export const PICTURE_LIMITS = { eachBytes: 512 * KIBIBYTE, allBytes: 768 * KIBIBYTE, count: 8 } as const

/** The types that models can read. */
const SHOWN_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp'])

/** The commands that save the pictures of a tool's response to a folder. */
const SAVED_BY: Readonly<Record<string, string>> = {
  get_task_evidence: 'dray tasks evidence TASK --save DIR',
  get_delivery: 'dray delivery show DELIVERY --save DIR',
}

/** Returns the URL of a picture; undefined where none is served. */
export type PictureAddress = (mediaId: string) => string | undefined

type Picture = { media_id: string; content_type: string; byte_size: number; sha256: string }

/**
 * Returns the pictures of a response, each after a line with its name. Pictures beyond the limits become links, with
 * a line that says so. Never throws, because the response is complete without them.
 */
export async function pictureContent(
  client: Pick<Client, 'media'>,
  { name, read }: Pick<Tool, 'name' | 'read'>,
  value: unknown,
  addressOf: PictureAddress = () => undefined,
): Promise<ContentBlock[]> {
  // Lists are skipped: a page could have a hundred pictures.
  if (!read || !name.startsWith('get_')) return []
  const content: ContentBlock[] = []
  const left: Picture[] = []
  let bytes = 0
  let count = 0
  for (const picture of picturesIn(value)) {
    const { media_id, content_type, byte_size } = picture
    const fits =
      SHOWN_TYPES.has(content_type) &&
      count < PICTURE_LIMITS.count &&
      byte_size <= PICTURE_LIMITS.eachBytes &&
      bytes + byte_size <= PICTURE_LIMITS.allBytes
    if (!fits) {
      left.push(picture)
      continue
    }
    count += 1
    bytes += byte_size
    content.push(...(await loadPicture(client, picture, `Picture ${media_id}`)))
  }
  return left.length === 0 ? content : [...content, ...link(left, addressOf, SAVED_BY[name])]
}

async function loadPicture(
  client: Pick<Client, 'media'>,
  { media_id, content_type, byte_size, sha256 }: Picture,
  title: string,
): Promise<ContentBlock[]> {
  try {
    const { bytes } = await client.media(media_id)
    if (bytes.length !== byte_size || sha256Hex(bytes) !== sha256)
      return [text(`${title} is not shown: its bytes do not have the SHA-256 that the service names.`)]
    return [
      text(`${title}:`),
      { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: content_type },
    ]
  } catch (error) {
    const why = error instanceof AppError ? error.message : 'something unforeseen happened.'
    return [text(`${title} could not be fetched: ${why}`)]
  }
}

function link(
  left: readonly Picture[],
  addressOf: PictureAddress,
  command: string | undefined,
): ContentBlock[] {
  const named = left.map(({ media_id, content_type, byte_size }) => {
    return `${media_id} (${content_type}, ${Math.ceil(byte_size / KIBIBYTE)} KiB)`
  })
  const links = left.flatMap(({ media_id, content_type, byte_size }): ContentBlock[] => {
    const uri = addressOf(media_id)
    return uri === undefined
      ? []
      : [{ type: 'resource_link', uri, name: media_id, mimeType: content_type, size: byte_size }]
  })
  const where =
    links.length > 0
      ? 'The links return them, with the same token.'
      : command === undefined
        ? ''
        : `The user can save them all with \`${command}\`.`
  return [text(`Not shown here: ${named.join(', ')}. ${LIMIT_TEXT} ${where}`.trimEnd()), ...links]
}

const LIMIT_TEXT = `A response has PNG, JPEG and WebP photos, at most ${PICTURE_LIMITS.eachBytes / KIBIBYTE} KiB each, ${PICTURE_LIMITS.allBytes / KIBIBYTE} KiB and ${PICTURE_LIMITS.count} photos in total.`

/** Returns each picture once, in the order of the response; only those that the service itself stores. */
function picturesIn(value: unknown): Picture[] {
  const found = new Map<string, Picture>()
  const visit = (each: unknown): void => {
    if (typeof each !== 'object' || each === null) return
    if (isPicture(each)) found.set(each.media_id, each)
    else for (const member of Object.values(each)) visit(member)
  }
  visit(value)
  return [...found.values()]
}

function isPicture(value: object): value is Picture {
  const { media_id, url, content_type, byte_size, sha256 } = value as Record<string, unknown>
  return (
    typeof media_id === 'string' &&
    /^\w+$/.test(media_id) &&
    url === `/media/${media_id}` &&
    typeof content_type === 'string' &&
    typeof byte_size === 'number' &&
    typeof sha256 === 'string'
  )
}

function text(words: string): ContentBlock {
  return { type: 'text', text: words }
}
