/** The choices on an item, for the menu of a customer and the catalogue of a store (`contract.md` B8). */
import * as Type from 'typebox'
import { closed, money, named, nullable } from '../../core/schema.ts'

export const modifierGroup = named('ModifierGroup', {
  modifier_group_id: Type.String(),
  name: Type.String(),
  min_selections: Type.Integer({ minimum: 0 }),
  max_selections: nullable(Type.Integer({ minimum: 1 })),
  allow_repeats: Type.Boolean(),
  modifiers: Type.Array(
    closed({
      modifier_id: Type.String(),
      name: Type.String(),
      price_delta: money,
      available: Type.Boolean(),
      is_default: Type.Boolean(),
    }),
  ),
})
