/** The commands of a story about orders, drawn from a seed. */
import type { Random } from '../../adversarial/random.ts'
import { makeStep, type NextStep, type StoryStep, type ToldStory } from './story.ts'
import type { Subject } from './surface.ts'

const STORES = [
  { store: 'Forno Santa Rosa', keeper: 'everything' },
  { store: 'Lime Street Noodles', keeper: 'owner' },
  { store: 'Goosefoot Grocer Spitalfields', keeper: 'chain' },
] as const
const CUSTOMERS = ['member', 'everything']
const WISHES = ['refund', 'replace', 'ask', 'ask', 'cancel_order']
const REASONS = ['missing', 'wrong', 'damaged', 'quality', 'out_of_stock', 'other']
const ADVANCES = ['1m', '2m', '5m', '10m', '15m', '1h', '2h', '26h']
const TOKENS = ['tok_ok', 'tok_ok', 'tok_store', 'tok_pending', 'tok_declined']
const SCENARIOS = [
  'store_manual',
  'store_manual',
  'store_manual',
  'undeliverable',
  'undeliverable;reason=access_denied;waits=120',
  'undeliverable;reason=refused',
]

/** Most orders of one story: each is read on every surface. */
const MAX_ORDERS = 3
/** Attempts to place the first one, which a store that is closed or a card that is declined refuses. */
const MAX_ATTEMPTS = 5

/** Returns what draws so many commands about orders. */
export function drawOrderSteps(random: Random, length: number): NextStep {
  let placed = 0
  const menus = new Map<string, Menu>()
  return async ({ world, made, count }) => {
    const isStuck = made.size === 0 && placed >= MAX_ATTEMPTS
    if (count >= length || isStuck) return undefined
    if (made.size === 0 || (placed < MAX_ORDERS && random.number(5) === 0)) {
      placed += 1
      return drawPlacing(random, placed, await readMenu(world, menus, random.pick(STORES)))
    }
    const at = random.pick([...made.keys()])
    const subject = made.get(at) as Subject
    const { items, storeId } = await readMenu(world, menus, subject)
    return drawAction(random, { at, subject, items, storeId, lines: await countLines(world, subject) })
  }
}

type Menu = { store: string; storeId: string; keeper: string; items: string[] }
type ListedItem = { name: string; available: boolean; modifier_groups: { min_selections: number }[] }

/** Returns the names of the items that a store sells without a choice. */
async function readMenu(
  world: ToldStory['world'],
  menus: Map<string, Menu>,
  { store, keeper }: { store: string; keeper: string },
): Promise<Menu> {
  const known = menus.get(store)
  if (known !== undefined) return known
  const { out } = await world.dray(['food', 'menu', store, '--json', '--as', 'everything'])
  const { categories, merchant_id: storeId } = JSON.parse(out) as {
    merchant_id: string
    categories: { items: ListedItem[] }[]
  }
  const items = categories
    .flatMap((category) => category.items)
    .filter(({ available, modifier_groups: groups }) => available && groups.every(isOptional))
    .map(({ name }) => name)
  const menu = { store, storeId, keeper, items }
  menus.set(store, menu)
  return menu
}

function isOptional({ min_selections: least }: ListedItem['modifier_groups'][number]): boolean {
  return least === 0
}

async function countLines(world: ToldStory['world'], { id, owner }: Subject): Promise<number> {
  const text = await world.get(`/v1/food/orders/${id}`, owner)
  return (JSON.parse(text ?? '{"lines":[]}') as { lines: unknown[] }).lines.length
}

function drawPlacing(random: Random, name: number, { store, keeper, items }: Menu): StoryStep {
  const owner = random.pick(CUSTOMERS)
  const way = random.pick(['delivery', 'pickup', 'dine_in'])
  const chosen = [...new Set(Array.from({ length: 1 + random.number(3) }, () => random.pick(items)))]
  const basket = chosen.flatMap((item) => {
    const units = 1 + random.number(3)
    return ['--item', units === 1 ? item : `${item} x${units}`]
  })
  const tip = random.number(2) === 0 ? ['--tip', `${random.number(6)}.${10 + random.number(90)}`] : []
  const how = {
    delivery: ['--to', '51.5142,-0.0931', ...tip],
    pickup: [],
    dine_in: ['--table', '4', '--party', '2'],
  }[way as 'delivery' | 'pickup' | 'dine_in']
  const later = random.number(6) === 0 ? ['--for', random.pick(['13:00', 'tomorrow 13:00'])] : []
  const method = random.pick(['card', 'card', 'wallet', 'cash', 'table'])
  const payment = ['--pay', method, ...(method === 'card' ? ['--payment-token', random.pick(TOKENS)] : [])]
  const wishes = ['--substitutions', random.pick(WISHES), '--scenario', random.pick(SCENARIOS)]
  const consent = ['--yes', '--max-total', '500', '--new', '--as', owner]
  return {
    ...makeStep(
      'food order',
      store,
      '--fulfillment',
      way,
      ...basket,
      ...how,
      ...later,
      ...payment,
      ...wishes,
      ...consent,
    ),
    makes: { kind: 'order', name, owner, keeper, store },
  }
}

type Situation = { at: number; subject: Subject; storeId: string; items: string[]; lines: number }

/** Draws what somebody does with an order; the service may refuse it. */
function drawAction(random: Random, situation: Situation): StoryStep {
  const draws = [
    ...drawsOfStore(random, situation),
    ...drawsOfCustomer(random, situation),
    ...drawsOfDays(random, situation),
    () => makeStep('sandbox check settle', `{${situation.at}}`),
    () => makeStep('sandbox step', `{${situation.at}}`),
    ...Array.from({ length: 4 }, () => () => makeStep('sandbox clock advance', random.pick(ADVANCES))),
  ]
  return random.pick(draws)()
}

function drawsOfStore(random: Random, { at, subject, items, lines }: Situation): (() => StoryStep)[] {
  const order = `{${at}}`
  const us = ['--merchant', subject.store, '--as', subject.keeper]
  const line = (): string => String(1 + random.number(lines))
  const units = (): string => `${line()}=${1 + random.number(2)}`
  const act = (action: string) => (): StoryStep =>
    makeStep(`business orders ${action}`, order, '--yes', ...us)
  const adjust = (flag: string, value: string): StoryStep => {
    const reason = ['--reason', random.pick(REASONS)]
    return makeStep('business orders adjust', order, flag, value, ...reason, '--confirm', order, ...us)
  }
  const answer = (...words: readonly string[]): StoryStep =>
    makeStep('business orders answer', order, '--accept', ...words, '--confirm', order, ...us)
  const reject = (reason: string): StoryStep =>
    makeStep('business orders reject', order, '--reason', reason, '--confirm', order, '--yes', ...us)
  return [
    act('accept'),
    act('accept'),
    act('prepare'),
    act('ready'),
    act('ready'),
    act('complete'),
    () => reject(random.pick(['too_busy', 'item_unavailable'])),
    () => adjust('--remove', units()),
    () => adjust('--remove', line()),
    () => adjust('--replace', `${units()}: ${random.pick(items)}`),
    () => adjust('--replace', `${units()}: ${random.pick(items)}`),
    () => adjust('--refund', units()),
    () => adjust('--refund', `${line()}=${random.number(3)}.${10 + random.number(90)}`),
    () => answer('full'),
    () => answer('none', '--note', 'All of it was packed'),
  ]
}

/** Days are closed and paid out while orders of them are still changed. */
function drawsOfDays(random: Random, { subject, storeId }: Situation): (() => StoryStep)[] {
  const us = ['--merchant', subject.store, '--as', subject.keeper]
  const close = (date: string): StoryStep =>
    makeStep('business day close', '--through', date, '--confirm', date, ...us)
  return [
    () => close('2026-11-20'),
    () => close(random.pick(['2026-11-20', '2026-11-21'])),
    () => makeStep('business day close', '--yes', ...us),
    () => makeStep('sandbox payout', storeId),
  ]
}

function drawsOfCustomer(random: Random, { at, subject, lines }: Situation): (() => StoryStep)[] {
  const order = `{${at}}`
  const own = ['--as', subject.owner]
  const answer = (): StoryStep =>
    makeStep('food answer', order, random.pick(['--accept', '--decline']), '--yes', ...own)
  const problem = (...words: readonly string[]): StoryStep =>
    makeStep('food problem', order, ...words, ...own)
  return [
    answer,
    answer,
    () => problem('--line', `${1 + random.number(lines)}=1`, '--reason', random.pick(REASONS)),
    () => problem('--reason', 'late'),
    () => problem('--appeal', '--note', 'It was not there'),
    () => makeStep('food cancel', order, '--yes', '--confirm', order, ...own),
  ]
}
