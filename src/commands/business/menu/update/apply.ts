/** Sends the changes of an update, one item after the other. */
import type { CommandContext } from '../../../../cli/cli.ts'
import type { InterruptedError } from '../../../../cli/io.ts'
import type { Client } from '../../../../client/client.ts'
import type { CatalogItem } from '../../../../client/list-store-items.ts'
import { AppError } from '../../../../core/errors.ts'
import type { UndoStep } from '../../item/history.ts'
import type { MenuFile, MenuOutcome } from '../draft.ts'
import { HalfDone, type ItemCalls, sendSteps, startItemCalls } from '../item-calls.ts'
import type { ItemUpdate, MenuChanges } from './changes.ts'

export type MenuUpdateResult = {
  outcomes: MenuOutcome[]
  removed: number
  /** The reason for which the rest was not sent, or an item stays. */
  stopped: InterruptedError | AppError | undefined
}

/**
 * Changes the items of an update and deletes those that are missing, if they go. The same command continues after
 * Ctrl-C or a crash: what was changed already does not differ any more.
 */
export async function applyChanges(
  cli: CommandContext,
  file: MenuFile,
  outcomes: readonly MenuOutcome[],
  { updates, missing, importId }: Pick<MenuChanges, 'updates' | 'missing'> & { importId: string | undefined },
): Promise<MenuUpdateResult> {
  const client = await cli.client()
  const calls = startItemCalls(cli, updates.size + missing.length, importId)
  const applied: MenuOutcome[] = []
  let removed = 0
  let kept: AppError | undefined
  try {
    for (const outcome of outcomes) {
      const update = updates.get(outcome.row)
      applied.push(
        update === undefined ? outcome : await changeOne(client, file, { found: outcome, update }, calls),
      )
    }
    for (const item of missing) {
      const isGone = await remove(client, item, calls)
      if (isGone instanceof AppError) kept ??= isGone
      else if (isGone) removed++
    }
  } finally {
    calls.end()
  }
  return { outcomes: applied, removed, stopped: calls.stopped ?? kept }
}

/**
 * Deletes an item; returns false where nothing is sent any more, or another caller has deleted it in the meantime, and the error where
 * another caller has changed it since the menu was read.
 */
async function remove(
  client: Client,
  { item_id, version, name }: CatalogItem,
  { attempt }: ItemCalls,
): Promise<boolean | AppError> {
  try {
    return await attempt(item_id, async (options) =>
      client.call('delete_catalog_item', { item_id, version }, options),
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'item_not_found') return false
    if (error.code !== 'version_conflict') throw error
    return new AppError('version_conflict', `${name} was changed by someone else, and was not deleted.`, {
      hint: 'Import the file again.',
      cause: error,
    })
  }
}

async function changeOne(
  client: Client,
  file: MenuFile,
  { found, update }: { found: MenuOutcome; update: ItemUpdate },
  { attempt }: ItemCalls,
): Promise<MenuOutcome> {
  const { row, changes } = update
  const { reason: _, ...outcome } = found
  try {
    const isDone = await attempt(update.item.item_id, (options) =>
      sendSteps(client, stepsOf(update), options),
    )
    return isDone ? { ...outcome, result: 'updated', changes } : { ...outcome, result: 'not_sent' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const refusal = { code: error.code, detail: reasonOf(error), errors: error.errors as never }
    return {
      ...outcome,
      result: 'rejected',
      reason: { code: error.code, errors: file.toErrors(refusal, row) },
    }
  }
}

/** The service gives two versions, which mean nothing to a user with a file. */
function reasonOf(error: AppError): string {
  const why =
    error.code === 'version_conflict'
      ? 'The item was changed by someone else; import the file again.'
      : error.message
  return error instanceof HalfDone ? `The item was changed, but not its availability. ${why}` : why
}

/** Returns the calls of a change. */
function stepsOf({ item: { item_id, version }, wanted, availability }: ItemUpdate): UndoStep[] {
  return [
    ...(Object.keys(wanted).length === 0
      ? []
      : [{ operation: 'update_catalog_item' as const, input: { item_id, version, ...wanted } }]),
    ...(availability === undefined
      ? []
      : [
          {
            operation: 'set_catalog_item_availability' as const,
            input: { item_id, version, ...availability },
          },
        ]),
  ]
}
