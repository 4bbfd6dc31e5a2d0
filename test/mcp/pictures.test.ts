import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { PICTURE_LIMITS, pictureContent } from '../../src/mcp/pictures.ts'

const EVIDENCE = { name: 'get_task_evidence', read: true }
const { eachBytes, allBytes, count } = PICTURE_LIMITS

/** Makes a picture of a size, as a response names it and as the service stores it. */
function picture(media_id: string, size: number, content_type = 'image/png') {
  const bytes = Buffer.alloc(size, media_id)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { bytes, media: { media_id, content_type, byte_size: size, sha256, url: `/media/${media_id}` } }
}

/** Returns the pictures that an agent receives, and those that were fetched. */
async function receivePictures(pictures: ReturnType<typeof picture>[], tool = EVIDENCE) {
  const fetched: string[] = []
  const client = {
    async media(mediaId: string) {
      fetched.push(mediaId)
      const found = pictures.find(({ media }) => media.media_id === mediaId)
      if (found === undefined || found.bytes.length === 1)
        throw new AppError('media_not_found', `No media ${mediaId}.`)
      return { contentType: found.media.content_type, bytes: found.bytes }
    },
  }
  const value = { items: pictures.map(({ media }) => ({ media })) }
  const content = await pictureContent(client, tool, value, (id) => `https://dray.example/media/${id}`)
  return {
    fetched,
    content,
    images: content.filter(({ type }) => type === 'image').length,
    links: content.flatMap((part) => (part.type === 'resource_link' ? [part.uri] : [])),
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
  }
}

test('a picture follows its name, with the bytes of the service', async () => {
  const own = picture('med_a', 300)
  expect((await receivePictures([own, own])).content).toEqual([
    { type: 'text', text: 'Picture med_a:' },
    { type: 'image', mimeType: 'image/png', data: own.bytes.toString('base64') },
  ])
})

test('one above the limit is linked and not fetched, and the limit is named', async () => {
  const given = await receivePictures([picture('med_big', eachBytes + 1), picture('med_small', eachBytes)])
  expect(given.fetched).toEqual(['med_small'])
  expect(given.images).toBe(1)
  expect(given.links).toEqual(['https://dray.example/media/med_big'])
  expect(given.text).toMatch(/Not shown here: med_big \(image\/png, 513 KiB\)\. .*at most 512 KiB each/)
})

test('where nothing is served, the command that saves them is named instead', async () => {
  const big = { items: [picture('med_big', eachBytes + 1)] }
  const client = { media: () => Promise.reject(new Error('nothing is fetched')) }
  expect(await pictureContent(client, EVIDENCE, big)).toEqual([
    { type: 'text', text: expect.stringContaining('`dray tasks evidence TASK --save DIR`') },
  ])
})

test('the number and the total size are limited', async () => {
  const many = await receivePictures(Array.from({ length: count + 2 }, (_, at) => picture(`med_${at}`, 10)))
  expect([many.images, many.links.length]).toEqual([count, 2])
  const heavy = await receivePictures(
    Array.from({ length: 3 }, (_, at) => picture(`med_${at}`, eachBytes / 2 + 1024)),
  )
  expect([heavy.images, heavy.links.length]).toEqual([2, 1])
  expect(2 * (eachBytes / 2 + 1024)).toBeLessThanOrEqual(allBytes)
})

test('a type that models cannot read is linked', async () => {
  const given = await receivePictures([picture('med_svg', 10, 'image/svg+xml')])
  expect([given.images, given.links.length]).toEqual([0, 1])
})

test('one with wrong bytes and one that is missing are not shown, but reported', async () => {
  const forged = picture('med_forged', 50)
  forged.media.sha256 = '0'.repeat(64)
  const given = await receivePictures([forged, picture('med_gone', 1)])
  expect(given.images).toBe(0)
  expect(given.text).toContain('Picture med_forged is not shown: its bytes do not have the SHA-256')
  expect(given.text).toContain('Picture med_gone could not be fetched: No media med_gone.')
})

test('an address of another server is no picture, and lists have none', async () => {
  const elsewhere = picture('med_x', 10)
  elsewhere.media.url = 'https://evil.example/media/med_x'
  expect((await receivePictures([elsewhere])).content).toEqual([])
  expect(
    (await receivePictures([picture('med_a', 10)], { name: 'list_shipments', read: true })).content,
  ).toEqual([])
})
