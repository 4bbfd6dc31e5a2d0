/** `import --update`: what is on the menu already becomes as the file says. */
import { join, parse } from 'node:path'
import type { CommandContext } from '../../../../cli/cli.ts'
import { isSpecialFilePath, makeFree, writeOutputFile } from '../../../../cli/files/write.ts'
import type { ChangedRows } from '../../../../cli/upload/upload.ts'
import type { CatalogItem } from '../../../../client/list-store-items.ts'
import { AppError } from '../../../../core/errors.ts'
import type { MenuReport, MenuFile, MenuOutcome, MenuPlan } from '../draft.ts'
import { menuFile } from '../export.ts'
import { askTo, changesText, createdText, formatMenuDifference, formatItemCount } from '../print.ts'
import { agreeToUpdates, agreeToRemoval } from './agree.ts'
import { applyChanges } from './apply.ts'
import { compareWithBefore, findChanges, type MenuChanges } from './changes.ts'

export type Update = {
  /** Returns the plan of an import with the changes of what is on the menu. */
  extend(plan: MenuPlan, file: MenuFile, catalogue: readonly CatalogItem[]): Promise<MenuPlan>
  /** `importId` is that of the import whose part the changes are. */
  change(
    outcomes: readonly MenuOutcome[],
    file: MenuFile,
    importId: string | undefined,
  ): Promise<ChangedRows<MenuOutcome>>
  /** Adds to the sums of an import what changed, and the file with the menu as it was before. */
  sumUp(sums: MenuReport, outcomes: readonly MenuOutcome[]): MenuReport
}

/** `removes`: items that the file does not have are deleted. */
type Options = { removes: boolean; file: string | undefined }

/** Returns the part of an import that changes what is on the menu. */
export function makeUpdate(cli: CommandContext, { removes, file: path }: Options): Update {
  let found: MenuChanges = { updates: new Map(), missing: [], fixed: new Map(), present: 0 }
  let removed = 0
  let before: string | undefined
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
        ...(changed === 0 ? [] : [`change ${formatItemCount(changed)}`]),
        ...(gone === 0 ? [] : [`delete ${formatItemCount(gone)}`]),
      ]
      const duplicate = outcomes.filter(({ result }) => result === 'duplicate').length
      return {
        ...plan,
        outcomes,
        text: [formatMenuDifference({ outcomes: plan.outcomes, categories }, present), ...doubts].join('\n'),
        question: askTo(parts),
        changes: changed + gone,
        async agree() {
          await plan.agree?.()
          await agreeToUpdates(cli, found)
          if (removes) await agreeToRemoval(cli, found)
          if (created.length + found.updates.size + gone > 0) before = await writeBefore(cli, path, catalogue)
        },
        summary: {
          ...summary,
          counts: { ...summary.counts, duplicate, updated: changed, removed: gone },
        },
      }
    },
    async change(outcomes, file, importId) {
      const missing = removes ? found.missing : []
      const applied = await applyChanges(cli, file, outcomes, { ...found, missing, importId })
      removed = applied.removed
      return applied
    },
    sumUp(sums, outcomes) {
      const updated = outcomes.filter(({ result }) => result === 'updated').length
      return {
        ...sums,
        counts: { ...sums.counts, updated, removed },
        ...(before !== undefined && { before_file: before }),
      }
    },
  }
}

/** Writes the menu beside the file that will change it, under a name that is free; returns its path. Throws AppError. */
async function writeBefore(
  cli: CommandContext,
  file: string | undefined,
  catalogue: readonly CatalogItem[],
): Promise<string> {
  const isFile = file !== undefined && file !== '-' && !isSpecialFilePath(file, cli.runtime)
  const { dir, name } = parse(isFile ? file : 'menu.csv')
  const path = makeFree(join(dir, `${name}.before`), '.csv')
  const place = { path, file: { name: 'menu', isOurs: () => false }, force: false }
  await writeOutputFile(place, cli.runtime.pid, menuFile(catalogue))
  return path
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
