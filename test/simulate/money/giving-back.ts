/** Money that goes back: parts of an order that is refunded, and claims for a parcel, in any order and in any parts. */
import type { Random } from '../../adversarial/random.ts'
import { makeParcel } from '../../support/parcel.ts'
import { bodyOf } from '../replacement/holding.ts'
import type { ServedWorld } from '../replacement/served-world.ts'
import { confirmMeal, BUYER, quoteMeal } from '../replacement/shopping.ts'

type Money = { amount: number; currency: string }
type Order = {
  order_id: string
  status: string
  total: Money
  refund: { amount: Money } | null
  lines: { line_id: string; quantity: number; item_id: string }[]
  problems: { problem_id: string; status: string }[]
}
type Parcel = {
  status: string
  price: { total: Money }
  claims?: { value: Money; status: string }[]
}

/** The account whose store sells the meals. */
const KEEPER = 'owner'

const gbp = (amount: number): Money => ({ amount, currency: 'GBP' })
const STORE_STEPS = ['accept', 'preparing', 'ready', 'complete', 'reject'] as const
/** A claim without a declared value is for at most this. */
const UNINSURED = 5000

/** Buys a meal, and gives parts of it back by random calls. Returns the limit that was passed; undefined if none was. */
export async function findOverpaidRefund(
  world: ServedWorld,
  random: Random,
  length: number,
): Promise<string | undefined> {
  const { quote_id } = await quoteMeal(world, BUYER)
  const placed = bodyOf(await confirmMeal(world, BUYER, { quote_id, key: 'meal' })) as unknown as Order
  const first = placed.total.amount
  const base = `/v1/business/orders/${placed.order_id}`
  const read = async (): Promise<Order> =>
    bodyOf(await world.request({ as: KEEPER, path: base })) as unknown as Order
  const told: string[] = []
  for (let step = 0; step < length; step++) {
    const order = await read()
    const [path, body] = drawGivingBack(random, order, step)
    const customer = path.startsWith('/v1/food')
    const { status, code } = await world.request({
      as: customer ? BUYER : KEEPER,
      path: customer ? path : base + path,
      body,
      key: `step-${step}`,
    })
    told.push(`${path} ${JSON.stringify(body)}: ${status} ${code}`)
    if (random.number(4) === 0) await world.control('advance_clock', { by: random.pick(['5m', '2h']) })
    const { total, refund } = await read()
    const back = refund?.amount.amount ?? 0
    if (total.amount > first || back > first || total.amount < 0)
      return `an order of ${first} costs ${total.amount} and gives ${back} back:\n  ${told.slice(-4).join('\n  ')}`
  }
  return undefined
}

function drawGivingBack(
  random: Random,
  { order_id, lines, problems }: Order,
  step: number,
): [path: string, body: Record<string, unknown>] {
  const line = random.pick(lines)
  const [open] = problems.filter(({ status }) => status === 'open')
  const quantity = 1 + random.number(2)
  const reason_code = 'missing'
  switch (random.number(7)) {
    case 0:
      return [`/${STORE_STEPS[Math.min(step, 3)] ?? 'accept'}`, {}]
    case 1:
      return [
        '/adjustments',
        {
          kind: 'refunded',
          lines: [{ line_id: line.line_id, amount: gbp(100 + random.number(900)) }],
          reason_code,
        },
      ]
    case 2:
      return ['/adjustments', { kind: 'refunded', lines: [{ line_id: line.line_id, quantity }], reason_code }]
    case 3:
      return [
        '/adjustments',
        {
          kind: 'replaced',
          lines: [{ line_id: line.line_id, quantity, replacement: { item_id: line.item_id } }],
          reason_code,
        },
      ]
    case 4:
      return [
        `/v1/food/orders/${order_id}/problems`,
        { reason_code: 'wrong', lines: [{ line_id: line.line_id, quantity }] },
      ]
    case 5:
      return [`/problems/${open?.problem_id ?? 'prb_none'}/answer`, { accept: random.pick(['full', 'none']) }]
    default:
      return ['/reject', { reason_code: 'item_unavailable' }]
  }
}

/** Claims for a parcel in parts, again and again. Returns the limit that was passed; undefined if none was. */
export async function findOverpaidClaim(
  world: ServedWorld,
  random: Random,
  length: number,
): Promise<string | undefined> {
  const declared_value = random.number(2) === 0 ? undefined : gbp(2000 + random.number(8000))
  const parcel = { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100, declared_value }
  const body = makeParcel({ parcel })
  const sent = bodyOf(
    await world.request({
      as: BUYER,
      path: '/v1/shipments',
      body,
      headers: { 'Sandbox-Scenario': random.pick(['lost', 'damaged']) },
    }),
  )
  const path = `/v1/shipments/${String(sent['tracking_number'])}`
  const most = declared_value?.amount ?? UNINSURED
  const told: string[] = []
  for (let step = 0; step < length; step++) {
    await world.control('advance_clock', { by: random.pick(['1h', '1d', '6d']) })
    const value = gbp(Math.max(1, Math.round(most / (1 + random.number(3)))))
    const reason_code = random.pick(['lost', 'damaged', 'contents_missing'])
    const { status, code } = await world.request({
      as: BUYER,
      path: `${path}/claims`,
      body: { reason_code, value },
      key: `claim-${step}`,
    })
    told.push(`${reason_code} ${value.amount}: ${status} ${code}`)
    const { claims = [] } = bodyOf(await world.request({ as: BUYER, path })) as unknown as Parcel
    const paid = claims
      .filter((claim) => claim.status !== 'rejected')
      .reduce((sum, claim) => sum + claim.value.amount, 0)
    if (paid > most)
      return `claims of ${paid} for what is insured for ${most}:\n  ${told.slice(-4).join('\n  ')}`
  }
  return undefined
}
