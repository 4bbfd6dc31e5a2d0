/** Calls that change the items of a menu one after the other: those of an update, and of its undo. */
import { partKey } from '../../../cli/calls/part-key.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { InterruptedError } from '../../../cli/io.ts'
import { startProgressOf } from '../../../cli/output/progress.ts'
import type { Client } from '../../../client/client.ts'
import { AppError } from '../../../core/errors.ts'
import type { UndoStep } from '../item/history.ts'

/** A key of its own for each item, and the import whose part the change is. */
type Options = { idempotencyKey: string; importId?: string }

export type ItemCalls = {
  /** Sends the change of one item; false where nothing is sent any more. Throws the errors of one item. */
  attempt: (itemId: string, change: (options: Options) => Promise<unknown>) => Promise<boolean>
  /** The reason for which the rest was not sent. */
  stopped: InterruptedError | AppError | undefined
  end(): void
}

/** Errors of one item, which leave the others as they are. */
const OF_ONE_ITEM: ReadonlySet<string> = new Set([
  'version_conflict',
  'duplicate_item',
  'item_not_found',
  'invalid_request',
  'invalid_modifier_group',
  'currency_mismatch',
])

/** Begins to send changes of items, with progress. Ctrl-C and an error of all of them end it. */
export function startItemCalls(cli: CommandContext, total: number, importId?: string): ItemCalls {
  const { runtime, globals } = cli
  const key = globals.idempotencyKey ?? `update-${Buffer.from(runtime.random(16)).toString('hex')}`
  const signal = runtime.interruption()
  const progress = startProgressOf(cli, 'Changing items', total)
  let done = 0
  const calls: ItemCalls = {
    stopped: undefined,
    end: () => progress.stop(),
    async attempt(itemId, change) {
      if (signal.aborted)
        calls.stopped ??= signal.reason instanceof InterruptedError ? signal.reason : new InterruptedError()
      if (calls.stopped !== undefined) return false
      try {
        // Each item has a key of its own: the service stores an error under it, and a repeated command sends fewer.
        await change({ idempotencyKey: partKey(key, itemId), ...(importId !== undefined && { importId }) })
        progress.update(++done)
        return true
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (OF_ONE_ITEM.has(error.code)) throw error
        calls.stopped = error
        return false
      }
    },
  }
  return calls
}

/** The first calls of an item's change were done, and a later one rejected. */
export class HalfDone extends AppError {
  constructor(refusal: AppError) {
    const { code, message, errors, extra } = refusal
    super(code, message, { errors, extra, cause: refusal })
  }
}

/**
 * Sends the steps of an item's change, each of the version that the one before it made. All have one key, because each is
 * another operation. Throws HalfDone, or the error of the first.
 */
export async function sendSteps(client: Client, steps: readonly UndoStep[], options: Options): Promise<void> {
  let made: { version?: number } = {}
  for (const [at, { operation, input }] of steps.entries()) {
    try {
      const { value } = await client.call(operation, { ...input, ...made } as never, options)
      made = { version: value.version }
    } catch (error) {
      throw at > 0 && error instanceof AppError ? new HalfDone(error) : error
    }
  }
}
