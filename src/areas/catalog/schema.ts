/** The choices on an item, for the menu of a customer and the catalogue of a store. */
import * as Type from 'typebox'
import {
  writtenBy,
  strictObject,
  describeField,
  money,
  component,
  nameField,
  nullable,
} from '../../core/schema.ts'

export const modifierGroup = component('ModifierGroup', {
  modifier_group_id: Type.String({ meaning: 'Modifier group' }),
  name: writtenBy('seller', nameField),
  min_selections: Type.Integer({ minimum: 0, meaning: 'Minimum number of selections' }),
  max_selections: nullable('Maximum number of selections; null for no maximum', Type.Integer({ minimum: 1 })),
  allow_repeats: Type.Boolean({ meaning: 'True if the same modifier can be selected more than once' }),
  modifiers: Type.Array(
    strictObject({
      modifier_id: Type.String({ meaning: 'Option' }),
      name: writtenBy('seller', nameField),
      price_delta: describeField('Price change', money),
      available: Type.Boolean({ meaning: 'True if it is available now' }),
      is_default: Type.Boolean({ meaning: 'True if selected by default' }),
    }),
    { meaning: 'Options' },
  ),
})
