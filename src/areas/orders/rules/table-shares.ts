/**
 * The bill of a table: what is to be paid of its orders, and the shares that it is divided into
 * (docs/rules/money.md#a-table-is-one-bill). Pure, in minor units.
 */
import { AppError, type ProblemFieldError } from '../../../core/errors.ts'
import { sum } from '../../payments/rules/price.ts'
import type { Adjustment } from './adjust.ts'
import { linesOf, type PricedOrder, takenOf } from './shares.ts'

/** The units that are left of a line, and their cost less discounts. */
type TableBillLine = { line_id: string; name: string; quantity: number; cost: number }

/** An order on the bill of its table. Without an amount to pay it has no lines there. */
export type TableBillOrder = {
  order_id: string
  display_number: string
  amount: number
  lines: readonly TableBillLine[]
}

/** A share of a bill, and what of it pays for each order. */
export type TableShare = { amount: number; orders: { order_id: string; amount: number }[] }

/** Units of a line that belong to a share; all that are left without a quantity. */
export type ShareLine = { order_id: string; line_id: string; quantity?: number }

type NamedOrder = Omit<PricedOrder, 'adjustments'> & { adjustments?: readonly Pick<Adjustment, 'lines'>[] }

/** Returns the lines of an order of which units are left, replacements too. */
export function listTableBillLines({ adjustments = [], ...basket }: NamedOrder): TableBillLine[] {
  const sold = { ...basket, adjustments: adjustments.map(({ lines }) => ({ lines, refund_id: null })) }
  const backs = adjustments.flatMap(({ lines }) => lines.flatMap(({ back }) => back ?? []))
  const names = new Map([...basket.lines, ...backs].map(({ line_id, name }) => [line_id, name]))
  const taken = takenOf(sold)
  return linesOf(sold)
    .map(({ line_id, quantity, cost }) => {
      const off = taken.filter((each) => each.line_id === line_id)
      return {
        line_id,
        name: names.get(line_id) ?? line_id,
        quantity: quantity - sum(off.map((each) => each.quantity)),
        cost: cost - sum(off.map((each) => each.cost)),
      }
    })
    .filter(({ quantity }) => quantity > 0)
}

/** Returns what is to be paid for all orders of a bill. */
export function sumTableBill(orders: readonly Pick<TableBillOrder, 'amount'>[]): number {
  return sum(orders.map(({ amount }) => amount))
}

/**
 * Divides a bill into equal shares. Each is rounded down, and the last takes the rest. They are filled with the orders as these
 * come, the oldest first.
 */
export function splitTableBill(
  orders: readonly Pick<TableBillOrder, 'order_id' | 'amount'>[],
  shares: number,
): TableShare[] {
  const total = sumTableBill(orders)
  const each = Math.floor(total / shares)
  const left = orders.map(({ order_id, amount }) => ({ order_id, amount }))
  return Array.from({ length: shares }, (_, at) => {
    const amount = at === shares - 1 ? total - each * (shares - 1) : each
    return { amount, orders: fillShare(amount, left) }
  })
}

/** Takes an amount of the orders, the first one first, and returns what it took of each. */
function fillShare(amount: number, left: TableShare['orders']): TableShare['orders'] {
  let open = amount
  return left.flatMap((order) => {
    const part = Math.min(open, order.amount)
    open -= part
    order.amount -= part
    return part === 0 ? [] : [{ order_id: order.order_id, amount: part }]
  })
}

/**
 * Divides a bill by its lines. A share of an order is the cost of its units there, and the fees of the order in that proportion,
 * rounded down; the last share takes the rest. Throws `invalid_shares` unless every unit is in exactly one share.
 */
export function divideTableBill(
  orders: readonly TableBillOrder[],
  groups: readonly (readonly ShareLine[])[],
): TableShare[] {
  const chosen = readShareUnits(orders, groups)
  const left = new Map(orders.map(({ order_id, amount }) => [order_id, amount]))
  return groups.map((_, at) => {
    const parts = orders.map((order) => {
      const rest = left.get(order.order_id) ?? 0
      const units = (lineId: string): number => chosen.get(unitKey(order.order_id, lineId))?.[at] ?? 0
      const amount = at === groups.length - 1 ? rest : shareOfOrder(order, units)
      left.set(order.order_id, rest - amount)
      return { order_id: order.order_id, amount }
    })
    return { amount: sumTableBill(parts), orders: parts.filter(({ amount }) => amount > 0) }
  })
}

/** Returns the part of an order for some units of its lines, rounded down. Lines that cost nothing count by their units. */
function shareOfOrder({ amount, lines }: TableBillOrder, unitsOf: (lineId: string) => number): number {
  const isFree = lines.every(({ cost }) => cost === 0)
  // A line in common parts of a unit, because a third of its cost is no whole number.
  const parts = lines.reduce((product, { quantity }) => product * BigInt(quantity), 1n)
  let [whole, share] = [0n, 0n]
  for (const { line_id, quantity, cost } of lines) {
    const weight = isFree ? BigInt(quantity) : BigInt(cost)
    whole += weight * parts
    share += (weight * parts * BigInt(unitsOf(line_id))) / BigInt(quantity)
  }
  return whole === 0n ? 0 : Number((BigInt(amount) * share) / whole)
}

function unitKey(orderId: string, lineId: string): string {
  return `${orderId} ${lineId}`
}

/** Returns the units of each line by the share that they are in. Throws `invalid_shares` with all faults. */
function readShareUnits(
  orders: readonly TableBillOrder[],
  groups: readonly (readonly ShareLine[])[],
): Map<string, number[]> {
  const units = new Map<string, number[]>()
  const faults: ProblemFieldError[] = []
  for (const [at, group] of groups.entries())
    for (const [index, { order_id, line_id, quantity }] of group.entries()) {
      const pointer = `/by_lines/${at}/${index}`
      const line = findBillLine(orders, { order_id, line_id }, pointer)
      if ('code' in line) {
        faults.push(line)
        continue
      }
      const key = unitKey(order_id, line_id)
      const shared = units.get(key) ?? groups.map(() => 0)
      const taken = quantity ?? line.quantity
      if (sum(shared) + taken > line.quantity)
        faults.push({
          pointer: `${pointer}/quantity`,
          code: 'out_of_range',
          detail: `${line.words} has ${countUnits(line.quantity)} on the bill, and the shares name more`,
        })
      shared[at] = (shared[at] ?? 0) + taken
      units.set(key, shared)
    }
  throwInvalidShares(faults.length > 0 ? faults : listMissingUnits(orders, units))
  return units
}

type NamedBillLine = TableBillLine & { words: string }

function findBillLine(
  orders: readonly TableBillOrder[],
  { order_id, line_id }: Pick<ShareLine, 'order_id' | 'line_id'>,
  pointer: string,
): NamedBillLine | ProblemFieldError {
  const order = orders.find((each) => each.order_id === order_id)
  if (order === undefined || order.amount === 0) {
    const why = order === undefined ? 'is not on the bill' : 'has nothing to pay'
    const on = orders.flatMap(({ amount, ...each }) => (amount === 0 ? [] : each.order_id)).join(', ')
    const detail = `order ${order_id} ${why}${on === '' ? '' : `: it is for ${on}`}`
    return { pointer: `${pointer}/order_id`, code: 'not_in_menu', detail }
  }
  const line = order.lines.find((each) => each.line_id === line_id)
  if (line !== undefined) return { ...line, words: formatBillLine(order, line) }
  const known = order.lines.map((each) => each.line_id).join(', ')
  const detail = `${line_id} is not on the bill of order ${order.display_number}: it has ${known}`
  return { pointer: `${pointer}/line_id`, code: 'not_in_menu', detail }
}

function listMissingUnits(
  orders: readonly TableBillOrder[],
  units: ReadonlyMap<string, number[]>,
): ProblemFieldError[] {
  return orders.flatMap((order) =>
    order.lines.flatMap((line): ProblemFieldError[] => {
      const missing = line.quantity - sum(units.get(unitKey(order.order_id, line.line_id)) ?? [])
      const detail = `${countUnits(missing)} of ${formatBillLine(order, line)} ${missing === 1 ? 'is' : 'are'} in no share`
      return missing === 0 ? [] : [{ pointer: '/by_lines', code: 'required', detail }]
    }),
  )
}

function formatBillLine(
  { display_number }: TableBillOrder,
  { line_id, name }: Pick<TableBillLine, 'line_id' | 'name'>,
): string {
  return `${name} (${line_id} of order ${display_number})`
}

function countUnits(units: number): string {
  return units === 1 ? '1 unit' : `${units} units`
}

function throwInvalidShares(errors: ProblemFieldError[]): void {
  const [first, ...more] = errors
  if (first === undefined) return
  const others = more.length === 0 ? '' : ` (${more.length} more in errors)`
  throw new AppError('invalid_shares', `The shares do not divide the bill: ${first.detail}${others}.`, {
    errors,
    hint: 'Name every unit of every line in exactly one share.',
  })
}
