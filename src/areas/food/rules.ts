/** Prices a basket (`contract.md` A3, B2): lines with their modifiers, fees, the member's discount and taxes. Pure. */
import { AppError, type FieldError } from '../../core/errors.ts'
import { MAX_AMOUNT, type Money, mulBps, percentOf } from '../../core/money.ts'
import type { Place } from '../../core/places/place.ts'
import type { Span } from '../../core/time.ts'
import type { ModifierGroup } from '../catalog/rules/modifiers.ts'
import type { FulfillmentType, Table } from '../merchants/rules.ts'
import {
  type Discount,
  type Fee,
  type OrderLine,
  type PricedBasket,
  spread,
  sum,
  type TaxLine,
  taxOn,
} from '../payments/rules/price.ts'

/** The fields of an item that a basket needs. */
export type BasketItem = {
  item_id: string
  name: string
  price: Money
  modifier_groups: readonly ModifierGroup[]
  /** Null when the store's rate applies. */
  tax_rate_bps: number | null
}

export type BasketRequest = {
  item_id: string
  quantity: number
  modifiers?: { modifier_id: string; quantity?: number }[]
  notes?: string
}

/** The fees and rates of a basket, all in one currency; null for a fee that is not charged. */
export type BasketTerms = {
  currency: string
  prices_include_tax: boolean
  /** The store's rate, for items without their own. */
  tax_rate_bps: number
  /** The rate of the market, for fees. */
  fee_tax_rate_bps: number
  tax_name: string
  delivery_fee: Money | null
  service_fee: Money | null
  small_order_fee: Money | null
  courier_tip: Money | null
  /** Basis points of the subtotal; 0 for customers without a membership. */
  discount_bps: number
}

/** A line whose item may have no rate of its own. */
export type BasketLine = Omit<OrderLine, 'tax_rate_bps'> & { tax_rate_bps: number | null }

/**
 * Returns the lines of a basket, in order, at present prices. `items` contains every requested item. Throws
 * `invalid_modifier_selection` with all faults of all lines.
 */
export function makeLines(
  items: ReadonlyMap<string, BasketItem>,
  requests: readonly BasketRequest[],
): BasketLine[] {
  const errors: FieldError[] = []
  const lines = requests.flatMap((request, index): BasketLine[] => {
    const item = items.get(request.item_id)
    if (item === undefined) throw new Error(`${request.item_id} was not looked up`)
    const chosen = chooseModifiers(item, request, `/items/${index}/modifiers`, errors)
    return [makeLine(item, request, chosen, index)]
  })
  const [first] = errors
  if (first !== undefined) {
    throw new AppError('invalid_modifier_selection', `${first.detail}.`, {
      errors,
      extra: { operations: ['get_restaurant_menu'] },
      hint: 'get_restaurant_menu lists the options of the item and their limits.',
    })
  }
  return lines
}

/** Prices lines. Throws `invalid_request` when the total is above the largest amount of money. */
export function priceBasket(basket: readonly BasketLine[], terms: BasketTerms): PricedBasket {
  const lines = basket.map((line) => ({ ...line, tax_rate_bps: line.tax_rate_bps ?? terms.tax_rate_bps }))
  const money = (amount: number): Money => ({ amount, currency: terms.currency })
  const subtotal = sum(lines.map(({ total }) => total.amount))
  const fees = listFees(terms)
  const feesTotal = sum(fees.map(({ amount }) => amount.amount))
  assertAmount(subtotal + feesTotal)
  const discount = mulBps(subtotal, terms.discount_bps)
  const taxes = listTaxes(lines, fees, discount, terms)
  const taxTotal = sum(taxes.map(({ amount }) => amount.amount))
  const net = subtotal + feesTotal - discount
  const total = terms.prices_include_tax ? net : net + taxTotal
  assertAmount(total)
  return {
    lines,
    subtotal: money(subtotal),
    fees,
    fees_total: money(feesTotal),
    discounts: listDiscounts(money(discount), terms.discount_bps),
    discount_total: money(discount),
    taxes,
    tax_total: money(taxTotal),
    prices_include_tax: terms.prices_include_tax,
    total: money(total),
  }
}

type Choice = OrderLine['modifiers'][number]

function makeLine(
  { item_id, name, price, tax_rate_bps }: BasketItem,
  { quantity, notes }: BasketRequest,
  modifiers: Choice[],
  index: number,
): BasketLine {
  const extras = sum(modifiers.map((choice) => choice.quantity * choice.price_delta.amount))
  const total = quantity * (price.amount + extras)
  assertAmount(total)
  return {
    line_id: `line_${index + 1}`,
    item_id,
    name,
    quantity,
    unit_price: price,
    modifiers,
    notes: notes ?? null,
    total: { amount: total, currency: price.currency },
    tax_rate_bps,
  }
}

/**
 * Returns the modifiers chosen on one line, each once, in the order of the menu; adds faults to `errors`. A required group
 * of which the line says nothing has its defaults chosen.
 */
function chooseModifiers(
  item: BasketItem,
  { modifiers = [] }: BasketRequest,
  pointer: string,
  errors: FieldError[],
): Choice[] {
  const wanted = new Map<string, number>()
  for (const [index, { modifier_id: id, quantity = 1 }] of modifiers.entries()) {
    wanted.set(id, (wanted.get(id) ?? 0) + quantity)
    const detail = whyNotThere(item, id)
    if (detail !== undefined)
      errors.push({ pointer: `${pointer}/${index}/modifier_id`, code: 'not_in_menu', detail })
  }
  return item.modifier_groups.flatMap((group) => {
    const isLeftOut =
      group.min_selections > 0 && !group.modifiers.some((each) => wanted.has(each.modifier_id))
    const chosen = group.modifiers.flatMap((modifier): Choice[] => {
      const { modifier_id, name, price_delta, is_default, available } = modifier
      const quantity = wanted.get(modifier_id) ?? (isLeftOut && is_default && available ? 1 : 0)
      if (quantity === 0) return []
      return [{ modifier_id, modifier_group_id: group.modifier_group_id, name, quantity, price_delta }]
    })
    errors.push(...checkGroup(item, group, chosen).map((error) => ({ pointer, ...error })))
    return chosen
  })
}

function whyNotThere({ name, modifier_groups }: BasketItem, id: string): string | undefined {
  const modifier = modifier_groups.flatMap((group) => group.modifiers).find((each) => each.modifier_id === id)
  if (modifier === undefined) return `${name} has no option ${id.slice(0, 60)}`
  return modifier.available ? undefined : `${modifier.name} is not available with ${name} now`
}

function checkGroup(
  item: BasketItem,
  { name, min_selections: min, max_selections: max, allow_repeats }: ModifierGroup,
  chosen: readonly Choice[],
): Pick<FieldError, 'code' | 'detail'>[] {
  const count = sum(chosen.map(({ quantity }) => quantity))
  const repeated = chosen.find(({ quantity }) => quantity > 1)
  const what = `${name} of ${item.name}`
  const errors: Pick<FieldError, 'code' | 'detail'>[] = []
  if (count < min) {
    const choices = min === 1 ? 'a choice' : `at least ${min} choices`
    errors.push({ code: 'min_selections', detail: `${what} needs ${choices}` })
  }
  if (max !== null && count > max) {
    const choices = max === 1 ? 'one choice' : `${max} choices`
    errors.push({ code: 'max_selections', detail: `${what} allows at most ${choices}, not ${count}` })
  } else if (repeated !== undefined && !allow_repeats) {
    errors.push({ code: 'max_selections', detail: `${what} allows ${repeated.name} only once` })
  }
  return errors
}

function listFees({ delivery_fee, service_fee, small_order_fee, courier_tip }: BasketTerms): Fee[] {
  const fees: [Fee['type'], string, Money | null][] = [
    ['delivery_fee', 'Delivery', delivery_fee],
    ['service_fee', 'Service', service_fee],
    ['small_order_fee', 'Small order', small_order_fee],
    ['courier_tip', 'Tip for the courier', courier_tip],
  ]
  return fees.flatMap(([type, label, amount]) => (amount === null ? [] : [{ type, label, amount }]))
}

function listDiscounts(amount: Money, bps: number): Discount[] {
  if (amount.amount === 0) return []
  return [{ type: 'member', label: `Member discount (${percentOf(bps)})`, amount, funded_by: 'platform' }]
}

/**
 * Returns the taxes by rate, the highest first. They apply to the lines less their share of the discount and to the
 * fees, but not to the tip.
 */
function listTaxes(
  lines: readonly OrderLine[],
  fees: readonly Fee[],
  discount: number,
  { currency, prices_include_tax: included, fee_tax_rate_bps, tax_name }: BasketTerms,
): TaxLine[] {
  const shares = spread(
    discount,
    lines.map(({ total }) => total.amount),
  )
  const taxed = new Map<number, number>()
  const add = (rate: number, amount: number) => taxed.set(rate, (taxed.get(rate) ?? 0) + amount)
  for (const [index, { total, tax_rate_bps }] of lines.entries()) {
    add(tax_rate_bps, total.amount - (shares[index] ?? 0))
  }
  for (const { type, amount } of fees) if (type !== 'courier_tip') add(fee_tax_rate_bps, amount.amount)
  return [...taxed]
    .filter(([, amount]) => amount > 0)
    .toSorted(([a], [b]) => b - a)
    .map(([rate_bps, gross]): TaxLine => {
      const { net, tax } = taxOn(gross, rate_bps, included)
      return {
        name: tax_name,
        rate_bps,
        taxable_amount: { amount: net, currency },
        amount: { amount: tax, currency },
        included,
      }
    })
}

function assertAmount(amount: number): void {
  if (amount <= MAX_AMOUNT) return
  const detail = 'items cost more than anybody can pay at once'
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ pointer: '/items', code: 'out_of_range', detail }],
  })
}

/** The priced inputs of an order, and everything that its quote shows. */
export type FoodQuoteDoc = PricedBasket & {
  merchant_id: string
  merchant_name: string
  fulfillment_type: FulfillmentType
  dropoff: Place | null
  table: Table | null
  /** The requested time, and the slot of 15 minutes that the confirm reserves for it. */
  scheduled_for: number | null
  slot: Span | null
  prep_time_minutes: number
  estimated_ready_at: number
  estimated_delivery_window: Span | null
  tip: Money | null
  warnings: string[]
}
