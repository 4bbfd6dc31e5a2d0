/** Groups of modifiers as the user wrote them, beside those that an item has. */
import type { ModifierGroupRequest } from '../../../areas/catalog/rules/catalog.ts'
import { isGroup as isSame, isModifier } from '../../../areas/catalog/rules/item-changes.ts'
import type { ModifierGroup } from '../../../areas/catalog/rules/modifiers.ts'
import { withinReach } from '../menu/groups.ts'

type Groups = readonly ModifierGroup[]

/** Returns whether a value has the form of groups; the service rejects any other. */
export function isGroups(value: unknown): value is ModifierGroupRequest[] {
  const isNamed = (each: unknown): boolean => typeof (each as { name?: unknown } | null)?.name === 'string'
  const isGroup = (each: { modifiers?: unknown } | null): boolean =>
    isNamed(each) && Array.isArray(each?.modifiers) && each.modifiers.every(isNamed)
  return Array.isArray(value) && value.every(isGroup)
}

/** Returns the groups with what they omit of those of the same name or id: they stay the same groups. */
export function withKnown(groups: readonly ModifierGroupRequest[], present: Groups): ModifierGroupRequest[] {
  return groups.map((group) => {
    const same = present.find((each) => isSame(each, group))
    if (same === undefined) return group
    const { modifiers: knownModifiers, ...known } = same
    const modifiers = group.modifiers.map((modifier) => {
      const { is_default, ...rest }: Partial<ModifierGroup['modifiers'][number]> =
        knownModifiers.find((each) => isModifier(each, modifier)) ?? {}
      // A default that is written takes the place of the present one.
      const isPreset = is_default === true && !group.modifiers.some((each) => each.is_default === true)
      return { ...rest, ...(is_default !== undefined && { is_default: isPreset }), ...modifier }
    })
    return withinReach({ ...known, ...group, modifiers })
  })
}

/** Returns the groups that would go, `Milk`, and the choices of those that stay, `Size: Pot`. */
export function removedChoices(groups: readonly ModifierGroupRequest[], present: Groups): string[] {
  return present.flatMap((each) => {
    const same = groups.find((group) => isSame(each, group))
    if (same === undefined) return [each.name]
    return each.modifiers
      .filter((known) => !same.modifiers.some((modifier) => isModifier(known, modifier)))
      .map(({ name }) => `${each.name}: ${name}`)
  })
}
