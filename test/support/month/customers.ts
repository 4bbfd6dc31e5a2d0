/** Plays what customers of a drawn month buy beside food: rides, runs and visits, and what they do when one goes wrong. */
import type { ClientOperationName } from '../../../src/client/operations.ts'
import { callTestControl } from '../control.ts'
import { FROM, PARCEL_OF_KEYS, requestOf, TO } from '../deliveries.ts'
import { newKey } from '../food.ts'
import { BANK_STATION, KINGS_CROSS } from '../rides.ts'
import { CLAPHAM_JUNCTION, CONTACT, HOME, makeJob, startsOf, timestampAt } from '../services.ts'
import type { TestSandbox } from '../world.ts'
import { makeMonthSampler, type Draw } from './play.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The last instant at which a visit is free to cancel and to move, from its start. */
const FREE = -DAY
const REPORT_WINDOW = 48 * HOUR
export const MOVERS = ['mover-one', 'mover-two']

/** A call of a customer about a purchase, at a time in milliseconds; `answer` is `ok`, or the code of the refusal. */
export type PlayedStep = {
  at: number
  action: 'cancel' | 'move' | 'report'
  reason_code: string | null
  /** The new start that was asked for. */
  starts_at: string | null
  answer: string
}

/** A purchase as the customer requested it, with the price of its quote in minor units. */
export type PlayedPurchase = {
  kind: 'ride' | 'run' | 'visit'
  id: string
  as: string
  method: string
  price: number
  /** The value of the goods of a run. */
  value: number | null
  /** The start of a visit as it was booked. */
  starts_at: string | null
  steps: PlayedStep[]
}

/** A step that is still to come. `after` counts in milliseconds from the end of a ride or a run, and from the start of a visit. */
type Intent = { after: number; action: PlayedStep['action']; reason_code?: string | null }

/** The events of a purchase; without `methods` each can pay. */
type Story = {
  scenario?: string
  value?: number
  methods?: readonly string[]
  intents: readonly Intent[]
  /** A customer who cancels so long after the request. */
  cancelsAfter?: number
}

const METHODS = ['card', 'cash', 'wallet']
/** A fee can be kept of these: what nobody paid keeps none. */
const PREPAID = ['card', 'wallet']

const OPERATIONS = {
  ride: { report: 'report_ride_problem', cancel: 'cancel_ride', id: 'ride_id' },
  run: { report: 'report_delivery_problem', id: 'delivery_id' },
  visit: {
    report: 'report_booking_problem',
    cancel: 'cancel_booking',
    move: 'move_booking',
    id: 'booking_id',
  },
} as const satisfies Record<
  PlayedPurchase['kind'],
  { id: string } & Partial<Record<PlayedStep['action'], ClientOperationName>>
>

const reportAfter = (after: number, reason_code: string): Intent => ({ after, action: 'report', reason_code })

/** In time, just late, late, too late to report, without a cause first, and called off with and without a fee. */
function drawRides(draw: Draw): Story[] {
  const late = (minutes: number) => `driver_late;minutes=${minutes}`
  const [soon, again] = [reportAfter(HOUR, 'late'), reportAfter(2 * HOUR, 'late')]
  return [
    { scenario: late(10), intents: [soon] },
    { scenario: late(draw.of([11, 20])), intents: [soon] },
    { scenario: late(draw.of([21, 45])), intents: [soon, again] },
    { scenario: late(30), methods: ['cash'], intents: [reportAfter(HOUR, 'other'), again] },
    { scenario: late(30), intents: [reportAfter(REPORT_WINDOW + 1, 'late')] },
    { intents: [], cancelsAfter: 0 },
    { scenario: late(60), methods: PREPAID, intents: [], cancelsAfter: 20 * MINUTE },
  ]
}

/** In time, late, too late to report, and broken goods of no told value, of a value, and of more than is paid for. */
function drawRuns(draw: Draw): Story[] {
  const late = (minutes: number) => `courier_late;minutes=${minutes}`
  const [isLate, isBroken] = [reportAfter(HOUR, 'late'), reportAfter(HOUR, 'damaged')]
  return [
    { scenario: late(15), intents: [isLate] },
    { scenario: late(draw.of([16, 40])), intents: [isLate, reportAfter(2 * HOUR, 'late')] },
    { scenario: late(30), methods: ['wallet'], intents: [isLate] },
    { scenario: late(30), intents: [reportAfter(REPORT_WINDOW + 1, 'late')] },
    { scenario: 'goods_damaged', intents: [isBroken] },
    { scenario: 'goods_damaged', value: 1500 + draw.below(20_000), intents: [isBroken] },
    { scenario: 'goods_damaged', value: 25_001 + draw.below(20_000), intents: [isBroken] },
    { intents: [reportAfter(HOUR, 'other')] },
  ]
}

/** Nobody comes, the customer calls off or moves before and after the last free instant, and a report has no cause. */
function drawVisits(draw: Draw): Story[] {
  const away = { scenario: 'provider_no_show', methods: PREPAID }
  const missed = (after: number) => reportAfter(after, 'provider_no_show')
  const [cancel, move] = ['cancel' as const, 'move' as const]
  return [
    { ...away, intents: [missed(HOUR / 2), missed(HOUR)] },
    { ...away, intents: [missed(REPORT_WINDOW + 1)] },
    { methods: PREPAID, intents: [{ after: FREE, action: cancel }] },
    { methods: PREPAID, intents: [{ after: FREE + 1 + draw.below(12 * HOUR), action: cancel }] },
    { ...away, intents: [{ after: draw.below(20 * MINUTE), action: cancel }] },
    { intents: [{ after: FREE - draw.below(HOUR), action: move }, missed(DAY + HOUR)] },
    { intents: [{ after: FREE + 1, action: move }, missed(HOUR)] },
  ]
}

/** A step of the month at a time in milliseconds. */
type PlannedStep = { at: number; purchase: PlayedPurchase; intent: Intent; starts_at: string | null }

/** Plays purchases of every kind, and returns them with what their customers asked for and were answered. */
export async function playCustomers(world: TestSandbox, seed: number): Promise<PlayedPurchase[]> {
  const draw = makeMonthSampler(seed)
  for (const handle of MOVERS)
    await callTestControl(world, 'add_account', { handle, name: 'Mover', membership: 'active' })
  const planned: PlannedStep[] = []
  const played: PlayedPurchase[] = []
  for (const story of drawVisits(draw)) played.push(await bookVisit(world, draw, story, planned))
  const moves = [
    ...drawRides(draw).map((story) => ({ story, kind: 'ride' as const })),
    ...drawRuns(draw).map((story) => ({ story, kind: 'run' as const })),
  ]
  for (const { kind, story } of moves) {
    const purchase =
      kind === 'ride' ? await requestRide(world, draw, story) : await sendParcel(world, draw, story)
    played.push(purchase)
    if (story.cancelsAfter !== undefined) {
      await world.advance(story.cancelsAfter)
      await take(world, purchase, { action: 'cancel' }, null)
    }
    const end = (await world.now()) + 3 * HOUR
    await playUntil(world, planned, end)
    await world.advanceTo(end)
    const over = Date.parse(await endOf(world, purchase))
    for (const intent of story.intents)
      planned.push({ at: Math.max(over + intent.after, end), purchase, intent, starts_at: null })
  }
  await playUntil(world, planned, Infinity)
  // The visits that were moved last are over by then.
  await world.advance(14 * DAY)
  return played
}

/** Takes the planned steps up to an instant, in their order. */
async function playUntil(world: TestSandbox, planned: PlannedStep[], until: number): Promise<void> {
  for (;;) {
    const [next] = planned.toSorted((one, other) => one.at - other.at)
    if (next === undefined || next.at > until) return
    planned.splice(planned.indexOf(next), 1)
    await world.advanceTo(Math.max(next.at, await world.now()))
    await take(world, next.purchase, next.intent, next.starts_at)
  }
}

async function take(
  world: TestSandbox,
  purchase: PlayedPurchase,
  { action, reason_code = null }: Pick<Intent, 'action' | 'reason_code'>,
  starts_at: string | null,
): Promise<void> {
  const { id, ...operations } = OPERATIONS[purchase.kind]
  const operation = (operations as Partial<Record<PlayedStep['action'], ClientOperationName>>)[action]
  if (operation === undefined) throw new Error(`nobody can ${action} a ${purchase.kind}`)
  const input = {
    [id]: purchase.id,
    ...(reason_code !== null && { reason_code }),
    ...(starts_at !== null && { starts_at }),
  }
  const at = await world.now()
  const { status, body } = await world.call(operation, input, { as: purchase.as, key: newKey() })
  purchase.steps.push({
    at,
    action,
    reason_code,
    starts_at,
    answer: status < 300 ? 'ok' : String(body['code']),
  })
}

/** Buys with a drawn method, or with a card where that one is refused: a wallet may be empty. Returns the answer and the method. */
async function buy(
  world: TestSandbox,
  draw: Draw,
  { scenario, methods = METHODS }: Story,
  { as, operation, input }: { as: string; operation: ClientOperationName; input: Record<string, unknown> },
): Promise<{ method: string; body: Record<string, unknown> }> {
  for (const method of [draw.of(methods), 'card']) {
    const payment = { method, ...(method === 'card' && { payment_token: 'tok_ok' }) }
    const options = { as, key: newKey(), ...(scenario !== undefined && { scenario }) }
    const { status, body } = await world.call(operation, { ...input, payment }, options)
    if (status < 300) return { method, body }
    if (method === 'card') throw new Error(`${operation}: ${JSON.stringify(body)}`)
  }
  throw new Error(`${operation} takes no card`)
}

async function requestRide(world: TestSandbox, draw: Draw, story: Story): Promise<PlayedPurchase> {
  const as = draw.of(MOVERS)
  const [pickup, dropoff] = draw.of([
    [BANK_STATION, KINGS_CROSS],
    [KINGS_CROSS, BANK_STATION],
    [BANK_STATION, CLAPHAM_JUNCTION],
  ])
  const { quote_id, fares } = await world.ok('quote_ride', { pickup, dropoff }, { as })
  const tier = 'economy'
  const price = fares.find((fare) => fare.tier === tier)?.fare.amount ?? 0
  const input = { quote_id, tier }
  const { method, body } = await buy(world, draw, story, { as, operation: 'request_ride', input })
  return { ...plainPurchase(as, method, price), kind: 'ride', id: String(body['ride_id']) }
}

async function sendParcel(world: TestSandbox, draw: Draw, story: Story): Promise<PlayedPurchase> {
  const as = draw.of(MOVERS)
  const value = story.value ?? null
  const parcel = { ...PARCEL_OF_KEYS, ...(value !== null && { value: { amount: value, currency: 'GBP' } }) }
  const quote = await world.ok('quote_delivery', { pickup: FROM, dropoff: TO, parcel }, { as })
  const input = requestOf(quote.quote_id)
  const { method, body } = await buy(world, draw, story, { as, operation: 'request_delivery', input })
  const common = plainPurchase(as, method, quote.total.amount)
  return { ...common, kind: 'run', id: String(body['delivery_id']), value }
}

/** Books a visit of the cleaner at a free start some days ahead, and plans what its customer does. */
async function bookVisit(
  world: TestSandbox,
  draw: Draw,
  story: Story,
  planned: PlannedStep[],
): Promise<PlayedPurchase> {
  const as = draw.of(MOVERS)
  const starts_at = await drawStart(world, draw, 5)
  const job = await makeJob(world, { place: draw.of([HOME, CLAPHAM_JUNCTION]), starts_at })
  const quote = await world.ok('quote_service', job, { as })
  const input = { quote_id: quote.quote_id, contact: CONTACT }
  const { method, body } = await buy(world, draw, story, { as, operation: 'book_service', input })
  const purchase: PlayedPurchase = {
    ...plainPurchase(as, method, quote.total.amount),
    kind: 'visit',
    id: String(body['booking_id']),
    starts_at,
  }
  for (const intent of story.intents) {
    const to = intent.action === 'move' ? await drawStart(world, draw, 12) : null
    planned.push({ at: Date.parse(starts_at) + intent.after, purchase, intent, starts_at: to })
  }
  return purchase
}

/** Returns a free start of two hours, so many days ahead at least. */
async function drawStart(world: TestSandbox, draw: Draw, days: number): Promise<string> {
  const now = await world.now()
  for (let ahead = days; ahead < days + 10; ahead++) {
    const date = new Date(now + ahead * DAY).toISOString().slice(0, 10)
    const times = await startsOf(world, { date, service_code: 'regular_clean' })
    if (times.length > 0) return timestampAt(draw.of(times), date)
  }
  throw new Error('the cleaner has no free start')
}

function plainPurchase(as: string, method: string, price: number) {
  return { as, method, price, value: null, starts_at: null, steps: [] }
}

/** Returns when a ride or a run was over, by its own answer. */
async function endOf(world: TestSandbox, { kind, id, as }: PlayedPurchase): Promise<string> {
  if (kind === 'run') {
    const { delivered_at, updated_at } = await world.ok('get_delivery', { delivery_id: id }, { as })
    return delivered_at ?? updated_at
  }
  const { completed_at, updated_at } = await world.ok('get_ride', { ride_id: id }, { as })
  return completed_at ?? updated_at
}
