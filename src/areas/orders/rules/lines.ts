/** Makes the lines of a basket out of items of a menu and the options chosen with them. Pure. */
import { AppError, type ProblemFieldError } from '../../../core/errors.ts'
import { MAX_AMOUNT, type Money } from '../../../core/money.ts'
import type { ModifierGroup } from '../../catalog/rules/modifiers.ts'
import { type OrderLine, sum } from '../../payments/rules/price.ts'

/** The fields of an item that a basket needs. */
export type BasketItem = {
  item_id: string
  name: string
  price: Money
  modifier_groups: readonly ModifierGroup[]
  /** Null when the store's rate applies. */
  tax_rate_bps: number | null
}

export type BasketItemRequest = {
  item_id: string
  quantity: number
  modifiers?: { modifier_id: string; quantity?: number }[]
  notes?: string
}

/** A line; its item may have no rate of its own. */
export type BasketOrderLine = Omit<OrderLine, 'tax_rate_bps'> & { tax_rate_bps: number | null }

/**
 * Returns the lines of a basket, in order, at present prices. `items` contains every requested item; `pointerOf` names the
 * field of a request. Throws `invalid_modifier_selection` with all faults of all lines.
 */
export function makeLines(
  items: ReadonlyMap<string, BasketItem>,
  requests: readonly BasketItemRequest[],
  pointerOf = (index: number) => `/items/${index}`,
): BasketOrderLine[] {
  const errors: ProblemFieldError[] = []
  const lines = requests.flatMap((request, index): BasketOrderLine[] => {
    const item = items.get(request.item_id)
    if (item === undefined) throw new Error(`${request.item_id} was not looked up`)
    const chosen = chooseModifiers(item, request, `${pointerOf(index)}/modifiers`, errors)
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

type Choice = OrderLine['modifiers'][number]

function makeLine(
  { item_id, name, price, tax_rate_bps }: BasketItem,
  { quantity, notes }: BasketItemRequest,
  modifiers: Choice[],
  index: number,
): BasketOrderLine {
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

/** Returns the modifiers chosen on one line, each once, in the order of the menu; adds faults to `errors`. */
function chooseModifiers(
  item: BasketItem,
  { modifiers = [] }: BasketItemRequest,
  pointer: string,
  errors: ProblemFieldError[],
): Choice[] {
  for (const [index, { modifier_id: id }] of modifiers.entries()) {
    const detail = whyNotThere(item, id)
    if (detail !== undefined)
      errors.push({ pointer: `${pointer}/${index}/modifier_id`, code: 'not_in_menu', detail })
  }
  return choicesOf(item, modifiers).flatMap(({ chosen, faults }) => {
    errors.push(...faults.map((error) => ({ pointer, ...error })))
    return chosen
  })
}

type GroupFault = Pick<ProblemFieldError, 'code' | 'detail'>

/**
 * Returns the choices of a line by group, in the order of the menu, with what is wrong with them. A required group of which
 * the line says nothing has its defaults chosen.
 */
export function choicesOf(
  item: Pick<BasketItem, 'name' | 'modifier_groups'>,
  modifiers: NonNullable<BasketItemRequest['modifiers']>,
): { group: ModifierGroup; chosen: Choice[]; faults: GroupFault[] }[] {
  const wanted = new Map<string, number>()
  for (const { modifier_id: id, quantity = 1 } of modifiers) wanted.set(id, (wanted.get(id) ?? 0) + quantity)
  return item.modifier_groups.map((group) => {
    const isOmitted =
      group.min_selections > 0 && !group.modifiers.some((each) => wanted.has(each.modifier_id))
    const chosen = group.modifiers.flatMap((modifier): Choice[] => {
      const { modifier_id, name, price_delta, is_default, available } = modifier
      const quantity = wanted.get(modifier_id) ?? (isOmitted && is_default && available ? 1 : 0)
      if (quantity === 0) return []
      return [{ modifier_id, modifier_group_id: group.modifier_group_id, name, quantity, price_delta }]
    })
    return { group, chosen, faults: checkGroup(item.name, group, chosen) }
  })
}

function whyNotThere({ name, modifier_groups }: BasketItem, id: string): string | undefined {
  const modifier = modifier_groups.flatMap((group) => group.modifiers).find((each) => each.modifier_id === id)
  if (modifier === undefined) return `${name} has no option ${id.slice(0, 60)}`
  return modifier.available ? undefined : `${modifier.name} is not available with ${name} now`
}

function checkGroup(
  item: string,
  { name, min_selections: min, max_selections: max, allow_repeats }: ModifierGroup,
  chosen: readonly Choice[],
): GroupFault[] {
  const count = sum(chosen.map(({ quantity }) => quantity))
  const repeated = chosen.find(({ quantity }) => quantity > 1)
  const what = `${name} of ${item}`
  const errors: GroupFault[] = []
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

/** Throws `invalid_request` for more than the largest amount of money. */
export function assertAmount(amount: number): void {
  if (amount <= MAX_AMOUNT) return
  const detail = 'items cost more than anybody can pay at once'
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ pointer: '/items', code: 'out_of_range', detail }],
  })
}
