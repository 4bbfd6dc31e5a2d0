/** The changes of an item, each old value beside its new one, and the calls that take them back. */
import { type ItemChange, listItemChanges } from '../../../areas/catalog/rules/item-changes.ts'
import { type ItemMembers, computeItemAtVersion } from '../../../areas/catalog/rules/item-history.ts'
import type { Settings } from '../../../cli/settings.ts'
import type { OperationOutput } from '../../../client/operations.ts'
import { canonicalJson } from '../../../core/canonical-json.ts'
import { changeText, saleChange, scheduleChange } from './change-item.ts'

export type History = OperationOutput<'get_catalog_item_history'>

export type Version = Pick<History['data'][number], 'version' | 'changed_at' | 'changed_by' | 'change'> & {
  changes: ItemChange[]
}

/** Returns the changes of a history, newest first. */
export function versionsOf({ item, data }: History): Version[] {
  return data.map(({ replaced, ...made }) => {
    const { version } = made
    const changes =
      replaced === null
        ? []
        : changesBetween(
            computeItemAtVersion(item, data, version - 1),
            computeItemAtVersion(item, data, version),
          )
    return { ...made, changes }
  })
}

/** A change in words: `price: £3.60 → £3.80 (+5.6 %)`. */
export function versionText(settings: Settings, { change, changes }: Version): string {
  if (change === 'created' || change === 'deleted') return change
  // Only the order of the choices is no change of one of them.
  return changes.length === 0
    ? 'modifiers: new order'
    : changes.map((each) => changeText(settings, each)).join('; ')
}

const NONE: ItemMembers = {
  name: '',
  description: null,
  price: { amount: 0, currency: '' },
  category: { category_id: '', name: '' },
  modifier_groups: [],
  availability: { available: true, until: null, reason: null },
  schedule: null,
}

/** Returns the differences between the former and the new values of what was changed. */
export function diffItemFields(before: Partial<ItemMembers>, after: Partial<ItemMembers>): ItemChange[] {
  return changesBetween({ ...NONE, ...before }, { ...NONE, ...after })
}

function changesBetween(before: ItemMembers, after: ItemMembers): ItemChange[] {
  const { category, ...wanted } = after
  const changes = listItemChanges(before, { ...wanted, category: category.name })
  if (canonicalJson(before.availability) !== canonicalJson(after.availability))
    changes.push(saleChange(before.availability, after.availability))
  return [...changes, ...scheduleChange(before.schedule, after.schedule)]
}

export const UNDO_OPERATIONS = [
  'update_catalog_item',
  'set_catalog_item_availability',
  'set_item_schedule',
] as const

export type UndoOperation = (typeof UNDO_OPERATIONS)[number]

/** One call of an item's change. */
export type UndoStep = { operation: UndoOperation; input: Record<string, unknown> }

/** Returns the calls that give an item these fields. Each is of the version that the one before it leaves. */
export function planUndoSteps(
  { item_id, version, item }: Pick<History, 'item_id' | 'version' | 'item'>,
  wanted: ItemMembers,
  now: number,
): UndoStep[] {
  const { category, availability, modifier_groups, schedule, ...rest } = wanted
  const members = { ...rest, category: category.name, modifier_groups: withKnownIds(modifier_groups, item) }
  const differing = Object.entries(members).filter(([member, value]) =>
    member === 'modifier_groups'
      ? JSON.stringify(wanted.modifier_groups) !== JSON.stringify(item.modifier_groups)
      : listItemChanges(item, { [member]: value }).length > 0,
  )
  const steps: UndoStep[] = []
  if (differing.length > 0)
    steps.push({
      operation: 'update_catalog_item',
      input: { item_id, version, ...Object.fromEntries(differing) },
    })
  const sale = saleOf(availability, now)
  if (JSON.stringify(sale) !== JSON.stringify(saleOf(item.availability, now)))
    steps.push({
      operation: 'set_catalog_item_availability',
      input: { item_id, version: version + steps.length, ...sale },
    })
  if (scheduleChange(item.schedule, schedule).length > 0)
    steps.push({
      operation: 'set_item_schedule',
      input: { item_id, version: version + steps.length, spans: schedule ?? null },
    })
  return steps
}

type Groups = ItemMembers['modifier_groups']

/** The groups without the ids that the item has no more: the service gives these new ones. */
function withKnownIds(groups: Groups, { modifier_groups }: Pick<ItemMembers, 'modifier_groups'>): object[] {
  const known = new Set(
    modifier_groups.flatMap(({ modifier_group_id, modifiers }) => [
      modifier_group_id,
      ...modifiers.map(({ modifier_id }) => modifier_id),
    ]),
  )
  return groups.map(({ modifier_group_id, modifiers, ...group }) => ({
    ...(known.has(modifier_group_id) && { modifier_group_id }),
    ...group,
    modifiers: modifiers.map(({ modifier_id, ...modifier }) => ({
      ...(known.has(modifier_id) && { modifier_id }),
      ...modifier,
    })),
  }))
}

/** A time off sale that is over in the meantime means on sale. */
function saleOf({ available, until, reason }: ItemMembers['availability'], now: number) {
  if (available || (until !== null && Date.parse(until) <= now)) return { available: true }
  return { available, ...(until !== null && { until }), ...(reason !== null && { reason }) }
}
