import type { OperationOutput } from '../../client/operations.ts'
import { formatGroupedMoney } from '../../core/money.ts'

export type MenuChange = OperationOutput<'list_catalog_changes'>['data'][number]

/** `price £3.40 → £3.60, description`: prices and names with both values, other fields by their names. */
export function changeWords({
  change,
  replaced,
  values,
}: Pick<MenuChange, 'change' | 'replaced' | 'values'>): string {
  if (replaced === null || change === 'deleted') return change
  const { name, price, availability } = replaced
  const words = Object.keys(replaced).map((member) => {
    if (member === 'price' && price && values.price)
      return `price ${formatGroupedMoney(price)} → ${formatGroupedMoney(values.price)}`
    if (member === 'name') return `name, before ${name}`
    if (member === 'availability' && availability)
      return values.availability?.available === true ? 'available' : 'unavailable'
    return member === 'modifier_groups' ? 'modifiers' : member
  })
  return words.join(', ')
}
