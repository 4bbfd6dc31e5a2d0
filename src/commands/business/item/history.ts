/** The changes of an item, each old value beside its new one. */
import { type ItemChange, itemChanges } from '../../../areas/catalog/rules/item-changes.ts'
import { type ItemMembers, membersAt } from '../../../areas/catalog/rules/item-history.ts'
import type { Cli } from '../../../cli/cli.ts'
import type { Answer } from '../../../client/operations.ts'
import { canonicalJson } from '../../../core/canonical-json.ts'
import { changeText, saleChange } from './change-item.ts'

export type History = Answer<'get_catalog_item_history'>

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
        : changesBetween(membersAt(item, data, version - 1), membersAt(item, data, version))
    return { ...made, changes }
  })
}

/** A change in words: `price: £3.60 → £3.80 (+5.6 %)`. */
export function versionText(cli: Cli, { change, changes }: Version): string {
  if (change === 'created' || change === 'deleted') return change
  // Only the order of the choices is no change of one of them.
  return changes.length === 0
    ? 'choices: another order'
    : changes.map((each) => changeText(cli, each)).join('; ')
}

function changesBetween(before: ItemMembers, after: ItemMembers): ItemChange[] {
  const { category, ...wanted } = after
  const changes = itemChanges(before, { ...wanted, category: category.name })
  if (canonicalJson(before.availability) === canonicalJson(after.availability)) return changes
  return [...changes, saleChange(before.availability, after.availability)]
}
