/** The choices on an item (`contract.md` B8). Types only. */
import type { Money } from '../../../core/money.ts'

export type Modifier = {
  modifier_id: string
  name: string
  price_delta: Money
  available: boolean
  is_default: boolean
}

/** A choice on an item: at least so many, at most so many (null is no limit) of its modifiers. */
export type ModifierGroup = {
  modifier_group_id: string
  name: string
  min_selections: number
  max_selections: number | null
  /** Whether one modifier may be chosen more than once. */
  allow_repeats: boolean
  modifiers: Modifier[]
}
