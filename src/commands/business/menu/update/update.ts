/** `import --update`: what is on the menu already becomes as the file says. */
import type { Cli } from '../../../../cli/cli.ts'
import type { Changed } from '../../../../cli/upload/upload.ts'
import { AppError } from '../../../../core/errors.ts'
import type { CatalogItem } from '../catalogue.ts'
import type { MenuFile, MenuOutcome } from '../draft.ts'
import { differenceText, items } from '../print.ts'
import { agreeToUpdates, agreeToRemoval } from './agree.ts'
import { applyChanges } from './apply.ts'
import { compareWithBefore, findChanges, type MenuChanges } from './changes.ts'
import { changesText } from './words.ts'

/** The items that an import would create. */
export type Creation = {
  outcomes: readonly MenuOutcome[]
  categories: string[]
  /** In words: `2 items and 1 category`; empty for nothing. */
  created: string
}

/** The members of a plan that an update says otherwise than an import. */
export type PlannedUpdate = {
  outcomes: MenuOutcome[]
  text: string
  question: string
  changes: number
  agree(): Promise<void>
  counts: { duplicate: number; updated: number; removed: number }
}

export type Update = {
  plan(creation: Creation, file: MenuFile, catalogue: readonly CatalogItem[]): Promise<PlannedUpdate>
  change(outcomes: readonly MenuOutcome[], file: MenuFile): Promise<Changed<MenuOutcome>>
  counts(outcomes: readonly MenuOutcome[]): { updated: number; removed: number }
}

/** `removes`: what the file does not have is deleted. */
export function makeUpdate(cli: Cli, removes: boolean): Update {
  let found: MenuChanges = { updates: new Map(), missing: [], fixed: new Map() }
  let removed = 0
  return {
    async plan({ outcomes: created, ...creation }, file, catalogue) {
      if (removes) assertAllRead(file)
      found = findChanges(file.rows, created, catalogue)
      await compareWithBefore(await cli.client(), found)
      const { updates, missing } = found
      const gone = removes ? missing.length : 0
      const outcomes = created.map((outcome) => asUpdate(outcome, found))
      const parts = [
        ...(creation.created === '' ? [] : [`create ${creation.created}`]),
        ...(updates.size === 0 ? [] : [`change ${items(updates.size)}`]),
        ...(gone === 0 ? [] : [`delete ${items(gone)}`]),
      ].join(' and ')
      return {
        outcomes,
        text: differenceText(
          { outcomes: [...created], categories: creation.categories },
          changesText(cli, found, created, removes),
        ),
        question: `${parts.charAt(0).toUpperCase()}${parts.slice(1)}?`,
        changes: updates.size + gone,
        async agree() {
          await agreeToUpdates(cli, found)
          if (removes) await agreeToRemoval(cli, found)
        },
        counts: {
          duplicate: outcomes.filter(({ result }) => result === 'duplicate').length,
          updated: updates.size,
          removed: gone,
        },
      }
    },
    async change(outcomes, file) {
      const applied = await applyChanges(cli, file, outcomes, {
        ...found,
        missing: removes ? found.missing : [],
      })
      removed = applied.removed
      return applied
    },
    counts: (outcomes) => ({
      updated: outcomes.filter(({ result }) => result === 'updated').length,
      removed,
    }),
  }
}

/** A row that cannot be read names no item, which would be taken for one that is gone. */
function assertAllRead({ rows }: MenuFile): void {
  const bad = rows.filter(({ draft }) => draft === undefined)
  const [first] = bad
  if (first === undefined) return
  throw new AppError(
    'usage',
    `--remove-missing needs a file without wrong rows, and ${bad.length === 1 ? `row ${first.row} is` : `${bad.length} rows are`} wrong. Nothing was sent.`,
    { hint: 'Correct them first, or leave --remove-missing out: `--dry-run` shows what is wrong.' },
  )
}

function asUpdate(outcome: MenuOutcome, { updates }: MenuChanges): MenuOutcome {
  const update = updates.get(outcome.row)
  if (update === undefined) return outcome
  const { reason: _, ...rest } = outcome
  return { ...rest, result: 'updated', changes: update.changes }
}
