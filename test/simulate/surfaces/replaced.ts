/** The world is replaced while programs hold on to what they have of it: each is told to begin again. */
import type { Random } from '../../adversarial/random.ts'
import type { Subject } from './surface.ts'
import type { SurfaceWorld } from './world.ts'

type HttpAnswer = { status: number; code: string; replayed: boolean; body: Record<string, unknown> }

/** A thing that a program holds, and its use in the other world. */
type HeldThing = {
  name: string
  use(): Promise<HttpAnswer>
  /** The refusals that tell it to begin again. */
  codes: readonly string[]
}

/** Replaces the world: by a new one, or by how it was before. */
const WAYS = [
  ['sandbox', 'reset', '--at', '2026-11-20T09:00:00Z', '--confirm', 'sandbox'],
  ['sandbox', 'snapshot', 'load', 'before', '--confirm', 'sandbox'],
] as const

/** Saves the world, to which a story may return. */
export async function saveWorld(world: SurfaceWorld): Promise<void> {
  await world.dray(['sandbox', 'snapshot', 'save', 'before', '--force'])
}

/**
 * Replaces the world of a story in which orders were made after `saveWorld`, and uses what programs hold of it. Returns what
 * each of them was told otherwise than to begin again.
 */
export async function listSilences(
  world: SurfaceWorld,
  random: Random,
  orders: readonly Subject[],
): Promise<string[]> {
  const [order] = orders
  if (order === undefined) return []
  const held = await holdThings(world, order)
  const way = random.pick(WAYS)
  const { code, err } = await world.dray(way)
  if (code !== 0) return [`dray ${way.join(' ')} ended with ${code}: ${err}`]
  world.forgetTokens()
  const silences: string[] = []
  for (const { name, use, codes } of held) {
    const { status, code: said, replayed } = await use()
    if (status < 400 || !codes.includes(said))
      silences.push(`${name}: ${status} ${said}${replayed ? ', replayed' : ''} after ${way.join(' ')}`)
  }
  return silences
}

async function holdThings(world: SurfaceWorld, { id, owner, keeper }: Subject): Promise<HeldThing[]> {
  const get = (as: string, path: string) => request(world, { as, path })
  const orders = await get(owner, '/v1/food/orders?limit=1')
  const sold = await get(keeper, '/v1/business/orders?limit=1')
  const events = await get(owner, '/v1/events?after=0')
  const { body: bought } = await get(owner, `/v1/food/orders/${id}`)
  const path = '/v1/food/orders/quote'
  const { merchant, lines } = bought as {
    merchant: { merchant_id: string }
    lines: { item_id: string }[]
  }
  const basket = {
    merchant_id: merchant.merchant_id,
    fulfillment_type: 'pickup',
    items: [{ item_id: lines[0]?.item_id, quantity: 1 }],
  }
  const quote = await request(world, { as: owner, path, body: basket })
  const shared = await world.dray(['share', id, '--json', '--as', owner])
  const link =
    shared.code === 0 ? new URL((JSON.parse(shared.out) as { link: string }).link).pathname : undefined
  const pay = () => ({
    quote_id: quote.body['quote_id'],
    payment: { method: 'card', payment_token: 'tok_ok' },
  })
  const key = `key of ${id}`
  if (quote.status < 300) await request(world, { as: owner, path: '/v1/food/orders', body: pay(), key })
  const cursors = [
    ['a cursor of the orders', owner, '/v1/food/orders', orders],
    ['a cursor of the orders of a store', keeper, '/v1/business/orders', sold],
  ] as const
  return [
    ...cursors.flatMap(([name, as, list, { body }]): HeldThing[] =>
      typeof body['next_cursor'] === 'string'
        ? [
            {
              name,
              use: () => get(as, `${list}?limit=1&cursor=${encodeURIComponent(String(body['next_cursor']))}`),
              codes: ['invalid_cursor'],
            },
          ]
        : [],
    ),
    {
      name: 'a position in the events',
      use: () => get(owner, `/v1/events?after=${String(events.body['last'])}`),
      codes: ['position_gone'],
    },
    { name: 'an order', use: () => get(owner, `/v1/food/orders/${id}`), codes: ['order_not_found'] },
    ...(link === undefined
      ? []
      : [{ name: 'a shared link', use: () => get(owner, `${link}/state`), codes: ['route_not_found'] }]),
    ...(quote.status < 300
      ? [
          {
            name: 'a key that was used, with its quote',
            use: () => request(world, { as: owner, path: '/v1/food/orders', body: pay(), key }),
            codes: ['quote_not_found', 'membership_required'],
          },
        ]
      : []),
  ]
}

type HttpCall = { as: string; path: string; body?: Readonly<Record<string, unknown>>; key?: string }

async function request(world: SurfaceWorld, { as, path, body, key }: HttpCall): Promise<HttpAnswer> {
  const headers = {
    Authorization: `Bearer ${await world.tokenOf(as)}`,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key.replaceAll(' ', '-') }),
  }
  const answer = await fetch(world.url + path, {
    headers,
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const value = (await answer.json()) as Record<string, unknown>
  return {
    status: answer.status,
    code: typeof value['code'] === 'string' ? value['code'] : '',
    replayed: answer.headers.get('Idempotent-Replayed') === 'true',
    body: value,
  }
}
