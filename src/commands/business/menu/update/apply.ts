/** Sends the changes of an update, one item after the other. */
import { partKey } from '../../../../cli/calls/part-key.ts'
import type { Cli } from '../../../../cli/cli.ts'
import { Interrupted } from '../../../../cli/io.ts'
import { startProgressOf } from '../../../../cli/output/progress.ts'
import type { Client } from '../../../../client/client.ts'
import type { CatalogItem } from '../../../../client/own-items.ts'
import { AppError } from '../../../../core/errors.ts'
import type { MenuFile, MenuOutcome } from '../draft.ts'
import type { ItemUpdate, MenuChanges } from './changes.ts'

export type Applied = {
  outcomes: MenuOutcome[]
  removed: number
  /** The reason for which the rest was not sent, or an item stays. */
  stopped: Interrupted | AppError | undefined
}

/** Sends the change of one item; false where nothing is sent any more. Throws the refusals of one item. */
type Attempt = (itemId: string, change: (options: Options) => Promise<unknown>) => Promise<boolean>

/** A key of its own for each item, and the import whose part the change is. */
type Options = { idempotencyKey: string; importId?: string }

/** Calls that change one item after the other. */
export type Sending = {
  attempt: Attempt
  /** The reason for which the rest was not sent. */
  stopped: Interrupted | AppError | undefined
  end(): void
}

/** Refusals of one item, which leave the others as they are. */
const OF_ONE_ITEM: ReadonlySet<string> = new Set([
  'version_conflict',
  'duplicate_item',
  'item_not_found',
  'invalid_request',
  'invalid_modifier_group',
  'currency_mismatch',
])

/**
 * Changes the items of an update and deletes those that are missing, if they go. The same command continues after
 * Ctrl-C or a crash: what was changed already does not differ any more.
 */
export async function applyChanges(
  cli: Cli,
  file: MenuFile,
  outcomes: readonly MenuOutcome[],
  { updates, missing, importId }: Pick<MenuChanges, 'updates' | 'missing'> & { importId: string | undefined },
): Promise<Applied> {
  const client = await cli.client()
  const sending = startSending(cli, updates.size + missing.length, importId)
  const applied: MenuOutcome[] = []
  let removed = 0
  let kept: AppError | undefined
  try {
    for (const outcome of outcomes) {
      const update = updates.get(outcome.row)
      applied.push(
        update === undefined ? outcome : await changeOne(client, file, { found: outcome, update }, sending),
      )
    }
    for (const item of missing) {
      const isGone = await remove(client, item, sending)
      if (isGone instanceof AppError) kept ??= isGone
      else if (isGone) removed++
    }
  } finally {
    sending.end()
  }
  return { outcomes: applied, removed, stopped: sending.stopped ?? kept }
}

/** Begins to send changes of items, with progress. Ctrl-C and a refusal of all of them end it. */
export function startSending(cli: Cli, total: number, importId?: string): Sending {
  const { runtime, globals } = cli
  const key = globals.idempotencyKey ?? `update-${Buffer.from(runtime.random(16)).toString('hex')}`
  const signal = runtime.interruption()
  const progress = startProgressOf(cli, 'Changing items', total)
  let done = 0
  const sending: Sending = {
    stopped: undefined,
    end: () => progress.stop(),
    async attempt(itemId, change) {
      if (signal.aborted)
        sending.stopped ??= signal.reason instanceof Interrupted ? signal.reason : new Interrupted()
      if (sending.stopped !== undefined) return false
      try {
        // Each item has a key of its own: the service stores a refusal under it, and a repeated command sends fewer.
        await change({ idempotencyKey: partKey(key, itemId), ...(importId !== undefined && { importId }) })
        progress.update(++done)
        return true
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (OF_ONE_ITEM.has(error.code)) throw error
        sending.stopped = error
        return false
      }
    },
  }
  return sending
}

/**
 * Deletes an item; returns false where nothing is sent any more, or somebody else has deleted it meanwhile, and the refusal where
 * somebody has changed it since the menu was read.
 */
async function remove(
  client: Client,
  { item_id, version, name }: CatalogItem,
  { attempt }: Sending,
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
  { attempt }: Sending,
): Promise<MenuOutcome> {
  const { row, changes } = update
  const { reason: _, ...outcome } = found
  try {
    const isDone = await attempt(update.item.item_id, (options) => sendChanges(client, update, options))
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

/** The service tells two versions, which say nothing to somebody with a file. */
function reasonOf(error: AppError): string {
  if (error.code !== 'version_conflict' || error instanceof HalfDone) return error.message
  return 'The item was changed by someone else; import the file again.'
}

/** The first of two calls was done, and the second refused. */
class HalfDone extends AppError {
  constructor(refusal: AppError) {
    const { code, errors, extra } = refusal
    const detail = `The item was changed, but not its availability. ${reasonOf(refusal)}`
    super(code, detail, { errors, extra, cause: refusal })
  }
}

/** Sends the two calls of a change, each of the version that was compared or that the first one made. */
async function sendChanges(
  client: Client,
  { item, wanted, availability }: ItemUpdate,
  options: Options,
): Promise<void> {
  const { item_id } = item
  let { version } = item
  const isChanged = Object.keys(wanted).length > 0
  if (isChanged) {
    const input = { item_id, version, ...wanted } as never
    version = (await client.call('update_catalog_item', input, options)).value.version
  }
  if (availability === undefined) return
  try {
    const input = { item_id, version, ...availability } as never
    await client.call('set_catalog_item_availability', input, {
      ...options,
      idempotencyKey: partKey(options.idempotencyKey, 'sale'),
    })
  } catch (error) {
    throw isChanged && error instanceof AppError ? new HalfDone(error) : error
  }
}
