/** A change of an item on the menu, in the history of the item and in that of the menu. */
import * as Type from 'typebox'
import { VIAS } from '../../core/origin.ts'
import {
  strictObject,
  objectField,
  instant,
  describeField,
  money,
  nameField,
  nullable,
} from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ItemVersionRecord } from '../catalog/queries/versions.ts'
import { UNAVAILABLE_REASONS } from '../catalog/rules/catalog.ts'
import { modifierGroup } from '../catalog/schema.ts'
import { weekSpan } from './schema.ts'

/** The fields of an item that changes give other values. */
export const itemMembers = {
  name: nameField,
  description: nullable('Short description', Type.String()),
  price: describeField('Price', money),
  category: objectField('Menu category', {
    category_id: Type.String({ meaning: 'Menu category' }),
    name: nameField,
  }),
  modifier_groups: Type.Array(modifierGroup, { meaning: 'Modifier groups' }),
  availability: objectField('Availability', {
    available: Type.Boolean({ meaning: 'True if available' }),
    until: nullable('End of the unavailable period; null if not set', instant),
    reason: nullable('Reason', Type.Enum(UNAVAILABLE_REASONS)),
  }),
  schedule: nullable('Weekly periods on sale; null for always', Type.Array(weekSpan)),
}

export const changedMembers = strictObject({
  name: Type.Optional(itemMembers.name),
  description: Type.Optional(itemMembers.description),
  price: Type.Optional(itemMembers.price),
  category: Type.Optional(itemMembers.category),
  modifier_groups: Type.Optional(itemMembers.modifier_groups),
  availability: Type.Optional(itemMembers.availability),
  schedule: Type.Optional(itemMembers.schedule),
})

export const itemVersion = {
  version: Type.Integer({ meaning: 'Version created by the change', label: 'Version' }),
  changed_at: describeField('Time of the change', instant, 'Time'),
  changed_by: nullable('Account; null if unknown', Type.String(), 'Account'),
  via: nullable('Source of the change; null if unknown', Type.Enum(VIAS)),
  import_id: nullable('Import that made the change; null if none did', Type.String(), 'Import'),
  change: Type.Enum(['created', 'updated', 'availability_changed', 'deleted'] as const, {
    meaning: 'Type of change',
  }),
  replaced: nullable('Previous values of the changed fields; null for a creation', changedMembers),
}

/** Shows a change as both histories have it. */
export function serializeItemVersion({
  version,
  at,
  account,
  via,
  import_id,
  what,
  replaced,
}: ItemVersionRecord) {
  return {
    version,
    changed_at: toTimestamp(at),
    changed_by: account,
    via,
    import_id,
    change: what,
    replaced,
  }
}
