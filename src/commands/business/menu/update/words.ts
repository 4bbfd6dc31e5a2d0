/** The messages of an update for people. */
import type { Cli } from '../../../../cli/cli.ts'
import type { CatalogItem } from '../../../../client/own-items.ts'
import { counted, firstOf, withRest } from '../../../../rows/wording.ts'
import { changeText } from '../../item/change-item.ts'
import type { MenuOutcome } from '../draft.ts'
import { items, oneLine } from '../print.ts'
import type { MenuChanges } from './changes.ts'

/** Items that are shown; the results file has them all. */
const SHOWN = 20

/** The items that change, stay and go. */
export function changesText(
  cli: Cli,
  { updates, missing, fixed }: MenuChanges,
  outcomes: readonly MenuOutcome[],
  removes: boolean,
): string {
  const there = outcomes.filter(({ reason }) => reason?.code === 'already_exists').length - updates.size
  return [
    ...updateLines(cli, updates),
    there > 0 ? counted(there, '{1 item is|# items are} as in the file.') : '',
    missingText(missing, removes),
    fixed.size === 0
      ? ''
      : `No update changes ${[...fixed].map(([column, count]) => `${column} (${items(count)})`).join(', ')}; these stay as they are.`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function updateLines(cli: Cli, updates: MenuChanges['updates']): string[] {
  if (updates.size === 0) return []
  const lines = [...updates.values()].map(
    ({ item, changes }) =>
      `  ${oneLine(item.name)}: ${changes.map((change) => changeText(cli, change)).join('; ')}`,
  )
  return [counted(updates.size, '{1 item changes|# items change}:'), ...withRest(lines, SHOWN)]
}

function missingText(missing: readonly CatalogItem[], removes: boolean): string {
  if (missing.length === 0) return ''
  const names = missing.map(({ name }) => oneLine(name))
  // The question is the only place that names them before they are gone.
  if (removes) return `${items(missing.length)} will be deleted, for good: ${names.join(', ')}.`
  const text =
    '{1 item|# items} on the menu {is|are} not in the file and {stays|stay}: {}. --remove-missing deletes {it|them}.'
  return counted(missing.length, text, firstOf(names))
}
