/** The choices on an item. Types only. */
import type { Money } from '../../../core/money.ts'

export type Modifier = {
  modifier_id: string
  name: string
  price_delta: Money
  available: boolean
  is_default: boolean
}

/** A group of modifiers with the least and the most that may be chosen (null: no limit). */
export type ModifierGroup = {
  modifier_group_id: string
  name: string
  min_selections: number
  max_selections: number | null
  /** True if one modifier may be chosen more than once. */
  allow_repeats: boolean
  modifiers: Modifier[]
}
