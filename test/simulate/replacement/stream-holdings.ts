/** Open streams: of an account's events, of a page, and of a shared link. */
import { bodyOf, type Holder, type HoldingUse } from './holding.ts'
import type { ServedWorld } from './served-world.ts'
import { buyMeal, BUYER, SHARER } from './shopping.ts'

/** So long a stream may be silent on a machine that is busy, in milliseconds. */
const MAX_SILENCE_MS = 60_000

/** A stream that is read as it comes. */
type OpenStream = {
  status: number
  /** Resolves with the text so far once it has these words, or with undefined once the stream has ended. */
  until(words: string): Promise<string | undefined>
}

async function openStream(
  world: ServedWorld,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<OpenStream> {
  const answer = await world.open(path, headers)
  let text = ''
  let isOver = false
  let wake = Promise.withResolvers<void>()
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      wake.resolve()
      wake = Promise.withResolvers()
    }
  }
  void read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true
      wake.resolve()
    })
  return {
    status: answer.status,
    async until(words) {
      while (!text.includes(words)) {
        if (isOver) return undefined
        await wake.promise
      }
      return text
    },
  }
}

/** Waits for a use, and says when it does not come. */
async function inTime(use: Promise<HoldingUse>): Promise<HoldingUse> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<HoldingUse>((resolve) => {
    timer = setTimeout(() => resolve({ did: 'nothing: it is silent' }), MAX_SILENCE_MS)
  })
  return Promise.race([use, late]).finally(() => clearTimeout(timer))
}

/** A reader of events that waits for the next one, and comes back with the id of its last one where the stream ends. */
const holdEventStream: Holder = async ({ world }) => {
  const { token } = await world.control<{ token: string }>('mint_token', { account: BUYER })
  const { last } = bodyOf(await world.request({ as: BUYER, path: '/v1/events?after=0' }))
  const headers = { Authorization: `Bearer ${token}`, 'Last-Event-ID': String(last) }
  const open = () => openStream(world, '/v1/events/stream', headers)
  const stream = await open()
  await stream.until('retry: ')
  const follow = async (): Promise<HoldingUse> => {
    if ((await stream.until('event: reset')) !== undefined) return { told: 'reset' }
    const again = await open()
    if (again.status >= 400) return { told: String(again.status) }
    const text = await again.until('retry: ')
    return text?.includes('event: reset') === true ? { told: 'reset' } : { did: 'goes on' }
  }
  return {
    name: 'an open stream of events',
    partOf: 'readings',
    goesOn: 'goes on',
    codes: ['reset', '401'],
    use: () => inTime(follow()),
  }
}

async function isEnded(stream: OpenStream): Promise<HoldingUse> {
  return (await stream.until('nothing says this')) === undefined ? { told: 'ended' } : { did: 'goes on' }
}

/** A kitchen page that listens. It looks at everything again when its stream ends. */
const holdPageStream: Holder = async ({ world }) => {
  const made = await world.request({ as: BUYER, path: '/pages/links', body: { page: 'kitchen' } })
  const { cookie } = await world.request({ path: String(bodyOf(made)['path']) })
  const stream = await openStream(world, '/pages/events?page=kitchen', { cookie })
  // Its first turn has read where the events end.
  await stream.until('event: time')
  return {
    name: 'a page that listens',
    partOf: 'readings',
    goesOn: 'goes on',
    codes: ['ended'],
    use: () => inTime(isEnded(stream)),
  }
}

/** A friend who looks at a shared order. */
const holdTrackStream: Holder = async ({ world, number }) => {
  const { order_id } = await buyMeal(world, SHARER, `followed-${number}`)
  const made = await world.request({ as: SHARER, path: '/v1/shared-links', body: { resource_id: order_id } })
  const stream = await openStream(world, `${String(bodyOf(made)['path'])}/events`, {})
  await stream.until('event: time')
  return {
    name: 'a shared page that listens',
    partOf: 'readings',
    goesOn: 'goes on',
    codes: ['ended'],
    use: () => inTime(isEnded(stream)),
  }
}

export const STREAM_HOLDERS: readonly Holder[] = [holdEventStream, holdPageStream, holdTrackStream]
