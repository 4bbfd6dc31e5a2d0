/**
 * Checks a store's closed days by answers alone: the chain, the sums of each document, and each payment and refund in the one
 * document where it belongs. It uses no code of the program, so that a fault there does not hide itself here.
 */
import { createHash } from 'node:crypto'

type Money = { amount: number }
type Refund = { amount: Money; created_at: string; status: string; borne_by: string }
export type AnsweredOrder = {
  placed_at: string
  status_history: { status: string; at: string }[]
  subtotal: Money
  total: Money
  fees: { type: string; amount: Money }[]
  discounts: { amount: Money; funded_by: string }[]
  payment: { method: string; status: string }
  refunds: Refund[]
}

/** A document, as far as it is checked. */
type Document = {
  number: number
  from: string
  to: string
  closed_at: string
  previous_hash: string
  hash: string
  statement: {
    orders: number
    opening: Money
    net_sales: Money
    vat: { gross: Money }[]
    discounts: { platform: Money }
    held: { fees: Money; tips: Money }
    borne_by_platform: Money
    payments: { captured: Money; refunded: Money }[]
    due: Money
    closing: Money
  }
}

/** The parts of an order that documents add up. Every refund of these stories is of the whole. */
type Sums = { orders: number; net: number; fees: number; tips: number; money: number }

/** Returns what is wrong with documents, oldest first; nothing when all is right. Orders were paid, or never will be. */
export function listDayProblems(texts: readonly string[], orders: readonly AnsweredOrder[]): string[] {
  const days = texts.map((text) => JSON.parse(text) as Document)
  const faults: string[] = []
  const expect = (what: string, is: unknown, should: unknown): void => {
    if (JSON.stringify(is) !== JSON.stringify(should))
      faults.push(`${what}: ${String(is)}, not ${String(should)}`)
  }
  const sums = addUp(days, orders)
  let before = { hash: '0'.repeat(64), closing: 0, to: days[0]?.from }
  for (const [at, { hash, ...rest }] of days.entries()) {
    const { number, statement, previous_hash, from, to } = rest
    expect(`${number} number`, number, at + 1)
    expect(`${number} hash before`, previous_hash, before.hash)
    expect(`${number} hash`, createHash('sha256').update(canonical(rest)).digest('hex'), hash)
    expect(`${number} begins`, from, before.to)
    expect(`${number} opening`, statement.opening.amount, before.closing)
    const { net_sales, held, payments, due, closing, vat, discounts, borne_by_platform } = statement
    const money = payments.reduce((sum, { captured, refunded }) => sum + captured.amount - refunded.amount, 0)
    const is = {
      orders: statement.orders,
      net: net_sales.amount,
      fees: held.fees.amount,
      tips: held.tips.amount,
      money,
    }
    expect(`${number} sums`, JSON.stringify(is), JSON.stringify(sums[at]))
    expect(`${number} due`, due.amount, closing.amount)
    expect(
      `${number} tax`,
      vat.reduce((sum, { gross }) => sum + gross.amount, 0),
      net_sales.amount,
    )
    const platform = held.fees.amount - discounts.platform.amount - borne_by_platform.amount
    expect(`${number} parts`, net_sales.amount + platform + held.tips.amount, money)
    before = { hash, closing: closing.amount, to }
  }
  return faults
}

function addUp(days: readonly { to: string; closed_at: string }[], orders: readonly AnsweredOrder[]): Sums[] {
  const sums = days.map(() => ({ orders: 0, net: 0, fees: 0, tips: 0, money: 0 }))
  // The first document that was still open, and whose day ends later.
  const placeOf = (at: string) => sums[days.findIndex(({ to, closed_at }) => at < to && at < closed_at)]
  for (const order of orders) {
    const paidAt =
      order.payment.method === 'card'
        ? order.placed_at
        : order.status_history.find(({ status }) => status === 'completed')?.at
    if (paidAt === undefined) continue
    addTo(placeOf(paidAt), order, 1)
    for (const refund of order.refunds) addTo(placeOf(refund.created_at), order, -1)
  }
  return sums
}

function addTo(
  sums: Sums | undefined,
  { subtotal, total, fees, discounts }: AnsweredOrder,
  sign: 1 | -1,
): void {
  if (sums === undefined) return
  const of = (list: readonly { amount: Money }[]) => list.reduce((sum, { amount }) => sum + amount.amount, 0)
  const tips = of(fees.filter(({ type }) => type === 'courier_tip'))
  sums.orders += sign === 1 ? 1 : 0
  sums.net += sign * (subtotal.amount - of(discounts.filter(({ funded_by }) => funded_by === 'store')))
  sums.fees += sign * (of(fees) - tips)
  sums.tips += sign * tips
  sums.money += sign * total.amount
}

/** RFC 8785, for values whose names are ASCII and whose numbers are integers. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
}
