/** The messages of an import and of an update for people. */
import type { Settings } from '../../../cli/settings.ts'
import type { CatalogItem } from '../../../client/list-store-items.ts'
import { formatGroupedMoney } from '../../../core/money.ts'
import { formatRejectedRows } from '../../../tabular/import/report.ts'
import { pluralize, pluralizeList, withRemainder } from '../../../tabular/wording.ts'
import { changeText } from '../item/change-item.ts'
import type { MenuDifference } from './difference.ts'
import type { MenuReport, MenuOutcome } from './draft.ts'
import type { MenuChanges } from './update/changes.ts'

/** Items with another price that are shown; the results file has them all. */
const SHOWN = 10

export function formatItemCount(count: number): string {
  return pluralize(count, '{1 item|# items}')
}

export function formatCategoryCount(count: number): string {
  return pluralize(count, '{1 category|# categories}')
}

/** `2 items and 1 category` */
export function createdText(created: number, made: number): string {
  return `${formatItemCount(created)}${made === 0 ? '' : ` and ${formatCategoryCount(made)}`}`
}

/** `Create 2 items and change 1 item?` */
export function askTo(parts: readonly string[]): string {
  const all = parts.join(' and ')
  return `${all.charAt(0).toUpperCase()}${all.slice(1)}?`
}

/** The difference in words: what is new, what is there with which prices, what is wrong. `present` is about what is there. */
export function formatMenuDifference(
  { outcomes, categories: made }: MenuDifference,
  present = repriced(outcomes),
): string {
  const created = outcomes.filter(({ result }) => result === 'created').length
  const twice = outcomes.filter(({ reason }) => reason?.code === 'duplicate_in_file').length
  const parts = [
    created === 0 ? 'Nothing in the file is new.' : pluralize(created, '{1 item is|# items are} new.'),
    made.length === 0
      ? ''
      : `${formatCategoryCount(made.length)} will be created: ${made.map(oneLine).join(', ')}.`,
    present,
    twice === 0 ? '' : pluralize(twice, '{1 row repeats|# rows repeat} an earlier row of the file.'),
    formatRejectedRows('will not be sent', outcomes),
    advice(outcomes),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

/** Lists items that are on the menu at another price than in the file. */
export function repriced(outcomes: readonly MenuOutcome[]): string {
  const there = outcomes.filter(({ reason }) => reason?.code === 'already_exists')
  if (there.length === 0) return ''
  const other = there.flatMap(({ name = '', price, menu_price }) =>
    price !== undefined && menu_price !== undefined && price.amount !== menu_price.amount
      ? [
          `  ${oneLine(name)}: ${formatGroupedMoney(menu_price)} on the menu, ${formatGroupedMoney(price)} in the file`,
        ]
      : [],
  )
  const head = pluralize(
    there.length,
    '{1 item is|# items are} already on the menu; {it keeps its|they keep their} values and price.',
  )
  if (other.length === 0) return head
  const text = '{One price differs|# prices differ}; without --update, an import never changes a price:'
  return [head, pluralize(other.length, text), ...withRemainder(other, SHOWN)].join('\n')
}

/** Returns the flag that fills a frequent gap of files. */
export function advice(outcomes: readonly MenuOutcome[]): string {
  const lacks = outcomes.some(({ reason }) =>
    reason?.errors.some(({ pointer, code }) => pointer === '/category' && code === 'required'),
  )
  return lacks ? '--category NAME sets the category of items without one.' : ''
}

/** A name may hold the end of a line, and must not look like a line of ours. */
function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ')
}

/** Items that change and are shown. */
const SHOWN_CHANGES = 20

/** The items that change, stay and go. */
export function changesText(
  settings: Settings,
  { updates, missing, fixed, present }: MenuChanges,
  outcomes: readonly MenuOutcome[],
  removes: boolean,
): string {
  const there = outcomes.filter(({ reason }) => reason?.code === 'already_exists').length - updates.size
  return [
    ...updateLines(settings, updates),
    there > 0 ? pluralize(there, '{1 item already matches|# items already match} the file.') : '',
    missingText(missing, present, removes),
    fixed.size === 0
      ? ''
      : `No update changes ${[...fixed].map(([column, count]) => `${column} (${formatItemCount(count)})`).join(', ')}; these keep their values.`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

/** The end of the report: the id of the import, and the file with the menu before it. */
export function closingText({ counts, import_ids, before_file }: MenuReport): string {
  const { created, updated = 0, removed = 0 } = counts
  return [
    ...(created + updated + removed === 0 ? [] : [`Import: ${import_ids.join(', ')}.`]),
    ...(before_file === undefined ? [] : ['The menu before it: {before_file}.']),
  ].join(' ')
}

/** Says when so many items are the whole menu, or most of it: the file is probably the wrong one. */
export function shareText(gone: number, present: number): string {
  if (gone === present) return ' That is the whole menu.'
  return gone * 2 > present ? ` That is most of the menu: ${gone} of ${formatItemCount(present)}.` : ''
}

function updateLines(settings: Settings, updates: MenuChanges['updates']): string[] {
  if (updates.size === 0) return []
  const lines = [...updates.values()].map(
    ({ item, changes }) =>
      `  ${oneLine(item.name)}: ${changes.map((change) => changeText(settings, change)).join('; ')}`,
  )
  return [pluralize(updates.size, '{1 item changes|# items change}:'), ...withRemainder(lines, SHOWN_CHANGES)]
}

function missingText(missing: readonly CatalogItem[], present: number, removes: boolean): string {
  const names = missing.map(({ name }) => oneLine(name))
  // The question is the only place that names them before they are gone.
  if (removes && missing.length > 0)
    return `${formatItemCount(missing.length)} will be permanently deleted: ${names.join(', ')}.${shareText(missing.length, present)}`
  const text =
    '{1 item|# items} on the menu {is|are} not in the file and {stays|stay}: {}. --remove-missing deletes {it|them}.'
  return pluralizeList(names, text).join('')
}
