/** The wall of the kitchen: its order, its words, its places and its sounds. */
import { expect, test } from 'vitest'
import { packTickets } from '../../src/web/kitchen/pack.ts'
import { contentOf } from '../../src/web/kitchen/rows.ts'
import { NO_SOUND_YET, planSound, type SoundMemory } from '../../src/web/kitchen/sounds.ts'
import { countTabs, hiddenWords, listTickets, stateOf, timingOf } from '../../src/web/kitchen/wall.ts'
import { placeTestSale } from '../support/adjusting.ts'
import { fillWall, type WallOrder } from '../support/kitchen-fillings.ts'
import { openTestSandbox } from '../support/world.ts'

const MINUTE = 60_000
const SPACE = { columns: 3, height: 500, gap: 10 }

async function makeOrders(filling: '31 new' | 'mixed') {
  const world = await openTestSandbox()
  const { order_id } = await placeTestSale(world)
  const real = (await world.ok('get_business_order', { order_id })) as WallOrder
  const now = Date.parse(real.placed_at)
  return { orders: fillWall(real, filling, now), now }
}

test('a page of the wall has the longest beginning of the list that fits, and each ticket whole', () => {
  const heights = [200, 240, 180, 200, 120, 260, 300, 90, 400]
  const pages = packTickets(heights, SPACE)
  const order = pages.flatMap((page) => page.map(({ at }) => at).toSorted((a, b) => a - b))
  expect(order).toEqual([...heights.keys()])
  for (const page of pages)
    for (const { at, column, top } of page) {
      const bottom = top + (heights[at] ?? 0)
      expect(bottom).toBeLessThanOrEqual(SPACE.height)
      const below = page.filter((each) => each.column === column && each.top > top)
      for (const each of below) expect(each.top).toBeGreaterThanOrEqual(bottom + SPACE.gap)
    }
  // The first row is in order, and the next ticket goes into the shortest column.
  expect(pages[0]?.filter(({ top }) => top === 0).map(({ at }) => at)).toEqual([0, 1, 2])
  const [page] = packTickets(heights.slice(0, 4), SPACE)
  expect(page?.find(({ at }) => at === 3)).toMatchObject({ column: 2, top: 190 })
})

test('where tickets do not fit in their order, the highest goes first', () => {
  // In order 100 and 240 fill the columns of 100 and 200; then 390 has no room.
  const heights = [100, 200, 100, 290, 380]
  const [page] = packTickets(heights, { columns: 2, height: 500, gap: 10 })
  expect(page?.map(({ at }) => at).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3])
  expect(packTickets([50, 60, 200, 430], { columns: 2, height: 500, gap: 10 })).toHaveLength(1)
})

test('a ticket that is taller than the wall takes a column, and scrolls alone', () => {
  expect(packTickets([900, 100], { columns: 2, height: 500, gap: 10 })).toEqual([
    [
      { at: 0, column: 0, top: 0, height: 500 },
      { at: 1, column: 1, top: 0, height: undefined },
    ],
  ])
  expect(packTickets([], SPACE)).toEqual([])
})

test('the wall is one list by what is lost next, then what waits, then what is for later', async () => {
  const { orders, now } = await makeOrders('mixed')
  const list = listTickets(orders, 'all', now)
  expect(list.map((order) => stateOf(order, now)).join(' ')).toBe(
    'cooking cooking new new cooking cooking make new new make new make make make ready ready ready later later later',
  )
  expect(countTabs(orders, now)).toEqual({ all: 20, new: 5, make: 9, ready: 3, way: 2, later: 3 })
  const times = list.map((order) => timingOf(order, now))
  expect(times.map(({ time, label, mood }) => `${time} ${label.split(' ')[0]} ${mood}`)).toEqual([
    '4 min late urgent',
    'now due soon',
    '1:24 to urgent',
    '2:36 to soon',
    '3 min due soon',
    '5 min due calm',
    '6 min due calm',
    '7:12 to calm',
    '8:24 to calm',
    '9 min due calm',
    '9:30 to calm',
    '12 min due calm',
    '14 min due calm',
    '18 min due calm',
    '6 min waiting calm',
    '3 min waiting calm',
    '1 min waiting calm',
    expect.stringMatching(/^\d\d:\d\d start calm$/),
    expect.stringMatching(/^\d\d:\d\d start calm$/),
    // Its day, because it is not today.
    expect.stringMatching(/^[A-Z][a-z]{2} \d\d:\d\d start calm$/),
  ])
  // Once its start has come, an order for later is to make.
  const later = list.at(-3) as WallOrder
  const start = Date.parse(later.prep.estimated_ready_at) - later.prep.prep_time_minutes * MINUTE
  expect([stateOf(later, start - 1), stateOf(later, start)]).toEqual(['later', 'make'])
})

test('the foot line says how many tickets are not in sight, and what is lost next among them', async () => {
  const { orders, now } = await makeOrders('mixed')
  const list = listTickets(orders, 'all', now)
  const words = (from: number) => hiddenWords(list.slice(from), now)
  expect(words(0)).toEqual({ text: expect.stringMatching(/^20 more, \w{4} is 4 min late$/), mood: 'urgent' })
  expect(words(3)).toEqual({ text: '17 more, next ends in 2:36', mood: 'soon' })
  expect(words(12)).toEqual({ text: '8 more, next due in 14 min', mood: 'calm' })
  expect(words(14)?.text).toMatch(/^6 more, \w{4} waits 6 min$/)
  expect(words(17)?.text).toMatch(/^3 more, next at \d\d:\d\d$/)
  expect(words(20)).toBeUndefined()
})

test('an allergy is a warning with the dishes that contain it, and a wish without dairy is one to avoid', async () => {
  const { orders } = await makeOrders('31 new')
  const marked = (at: number) => {
    const { warnings, cooked } = contentOf(orders[at] as WallOrder)
    return [
      warnings.map(({ word }) => word),
      cooked.filter(({ marks }) => marks.length > 0).map(({ name, marks }) => `${name}: ${marks.join()}`),
    ]
  }
  expect(marked(2)).toEqual([['ALLERGY'], ['Papaya Salad: peanuts']])
  expect(marked(12)).toEqual([['AVOID'], ['Roti: milk']])
  expect(marked(14)).toEqual([[], []])
  // A dish without listed allergens says so on such a ticket.
  const order = orders[2] as WallOrder
  for (const line of order.lines) line.allergens = []
  expect(contentOf(order).cooked.map(({ contains }) => contains)).toEqual([
    'no allergens listed',
    'no allergens listed',
    'no allergens listed',
  ])
  // A note that names nothing marks nothing: the dishes list all that they contain.
  Object.assign(orders[0] as WallOrder, { notes: 'I have a severe allergy' })
  expect(contentOf(orders[0] as WallOrder).cooked[0]?.contains?.toLowerCase()).toBe(
    'contains peanuts, eggs, fish',
  )
})

test('a new order sounds until it is accepted or silenced, and lower once it is nearly lost', async () => {
  const { orders, now } = await makeOrders('31 new')
  const [urgent, calm] = [orders[0], orders[30]] as [WallOrder, WallOrder]
  let memory: SoundMemory = NO_SOUND_YET
  const hear = (elapsed: number, some: readonly WallOrder[], rest: object = {}) => {
    const scene = { orders: some, silenced: new Set<string>(), now, elapsed, lostSince: undefined, ...rest }
    const planned = planSound(scene, memory)
    memory = planned.memory
    return planned.sound
  }
  expect([hear(0, [calm]), hear(14_999, [calm]), hear(15_000, [calm])]).toEqual(['news', undefined, 'news'])
  // Another one that comes sounds at once.
  expect(hear(16_000, [calm, orders[29] as WallOrder])).toBe('news')
  expect(hear(60_000, [calm], { silenced: new Set([calm.order_id]) })).toBeUndefined()
  expect([hear(70_000, [urgent]), hear(79_999, [urgent]), hear(80_000, [urgent])]).toEqual([
    'urgent',
    undefined,
    'urgent',
  ])
  expect(hear(99_000, [{ ...urgent, status: 'accepted', accept_by: null }])).toBeUndefined()
  // A lost connection sounds once, after twenty seconds.
  const lostSince = 100_000
  expect(hear(119_999, [], { lostSince })).toBeUndefined()
  expect([hear(120_000, [], { lostSince }), hear(150_000, [], { lostSince })]).toEqual(['lost', undefined])
})
