/** The choices on an item, for the menu of a customer and the catalogue of a store (`contract.md` B8). */
import * as Type from 'typebox'
import { by, closed, means, money, named, nameText, nullable } from '../../core/schema.ts'

export const modifierGroup = named('ModifierGroup', {
  modifier_group_id: Type.String({ meaning: 'Group of choices' }),
  name: by('seller', nameText),
  min_selections: Type.Integer({ minimum: 0, meaning: 'At least so many choices' }),
  max_selections: nullable(Type.Integer({ minimum: 1 }), 'At most so many choices; null for any number'),
  allow_repeats: Type.Boolean({ meaning: 'True if one choice may be taken more than once' }),
  modifiers: Type.Array(
    closed({
      modifier_id: Type.String({ meaning: 'Choice' }),
      name: by('seller', nameText),
      price_delta: means('Extra price of the choice', money),
      available: Type.Boolean({ meaning: 'True if it is available now' }),
      is_default: Type.Boolean({ meaning: 'True if it is chosen by default' }),
    }),
    { meaning: 'Choices' },
  ),
})
