/** `import --update`: what is on the menu already becomes as the file says. */
import type { Cli } from '../../../../cli/cli.ts'
import type { Changed } from '../../../../cli/upload/upload.ts'
import type { CatalogItem } from '../../../../client/own-items.ts'
import { AppError } from '../../../../core/errors.ts'
import type { MenuFile, MenuOutcome, MenuPlan } from '../draft.ts'
import { changesText, createdText, differenceText, items } from '../print.ts'
import { agreeToUpdates, agreeToRemoval } from './agree.ts'
import { applyChanges } from './apply.ts'
import { compareWithBefore, findChanges, type MenuChanges } from './changes.ts'

export type Update = {
  /** Returns the plan of an import with the changes of what is on the menu. */
  extend(plan: MenuPlan, file: MenuFile, catalogue: readonly CatalogItem[]): Promise<MenuPlan>
  change(outcomes: readonly MenuOutcome[], file: MenuFile): Promise<Changed<MenuOutcome>>
  counts(outcomes: readonly MenuOutcome[]): { updated: number; removed: number }
}

/** `removes`: what the file does not have is deleted. */
export function makeUpdate(cli: Cli, removes: boolean): Update {
  let found: MenuChanges = { updates: new Map(), missing: [], fixed: new Map() }
  let removed = 0
  return {
    async extend(plan, file, catalogue) {
      const { created, categories, doubts, summary } = plan
      if (removes) assertAllRead(file)
      found = findChanges(file.rows, plan.outcomes, catalogue)
      await compareWithBefore(await cli.client(), found)
      const changed = found.updates.size
      const gone = removes ? found.missing.length : 0
      const outcomes = plan.outcomes.map((outcome) => asUpdate(outcome, found))
      const present = changesText(cli.settings, found, plan.outcomes, removes)
      const parts = [
        ...(created.length === 0 ? [] : [`create ${createdText(created.length, categories.length)}`]),
        ...(changed === 0 ? [] : [`change ${items(changed)}`]),
        ...(gone === 0 ? [] : [`delete ${items(gone)}`]),
      ].join(' and ')
      const duplicate = outcomes.filter(({ result }) => result === 'duplicate').length
      return {
        ...plan,
        outcomes,
        text: [differenceText({ outcomes: plan.outcomes, categories }, present), ...doubts].join('\n'),
        question: `${parts.charAt(0).toUpperCase()}${parts.slice(1)}?`,
        changes: changed + gone,
        async agree() {
          await plan.agree?.()
          await agreeToUpdates(cli, found)
          if (removes) await agreeToRemoval(cli, found)
        },
        summary: {
          ...summary,
          counts: { ...summary.counts, duplicate, updated: changed, removed: gone },
        },
      }
    },
    async change(outcomes, file) {
      const missing = removes ? found.missing : []
      const applied = await applyChanges(cli, file, outcomes, { ...found, missing })
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
    `--remove-missing needs a file without errors, and ${bad.length === 1 ? `row ${first.row} is` : `${bad.length} rows are`} wrong. Nothing was sent.`,
    { hint: 'Correct the rows first, or leave --remove-missing out: `--dry-run` shows the errors.' },
  )
}

function asUpdate(outcome: MenuOutcome, { updates }: MenuChanges): MenuOutcome {
  const update = updates.get(outcome.row)
  if (update === undefined) return outcome
  const { reason: _, ...rest } = outcome
  return { ...rest, result: 'updated', changes: update.changes }
}
