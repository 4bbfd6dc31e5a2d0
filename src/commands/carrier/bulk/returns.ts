/** The creation of returns for a set of parcels. */
import type { CommandContext } from '../../../cli/cli.ts'
import type { PurchasePrice } from '../../../cli/confirm-purchase.ts'
import type { OperationOutput } from '../../../client/operations.ts'
import { sumPrices } from '../../../client/parcel-prices.ts'
import { AppError } from '../../../core/errors.ts'
import { type BulkAction, listParcelsToChange } from './act.ts'
import { resolveParcelNames, type NamedParcel } from './parcels.ts'

/** Returns the creation of returns. A parcel keeps its return unless it was cancelled, so that a retry creates none twice. */
export async function returnsOf(
  cli: CommandContext,
  set: readonly NamedParcel[],
  body: BulkAction['body'],
): Promise<BulkAction> {
  const named = set.flatMap(({ parcel }) => parcel?.return_number ?? [])
  const returns = await resolveParcelNames(await cli.client(), named)
  const living = new Set(
    returns.flatMap(({ parcel }) =>
      parcel === undefined || parcel.status === 'cancelled' ? [] : [parcel.tracking_number],
    ),
  )
  return {
    operation: 'create_return',
    body,
    done: 'created',
    isDone: ({ return_number: number }) => number !== undefined && living.has(number),
    rows: {
      columns: [{ field: 'return_number', label: 'Return' }],
      tell: (answer, parcel) => ({
        return_number:
          (answer as OperationOutput<'create_return'> | undefined)?.tracking_number ??
          parcel?.return_number ??
          null,
        return: answer ?? null,
      }),
    },
  }
}

/** Statuses of errors that are about one parcel. */
const REFUSED: ReadonlySet<number> = new Set([404, 409, 422])

/** Returns the sum of the returns that can be created. */
export async function priceReturns(
  cli: CommandContext,
  set: readonly NamedParcel[],
  deed: BulkAction,
): Promise<PurchasePrice> {
  const client = await cli.client()
  const priced: OperationOutput<'create_return'>[] = []
  for (const { tracking_number } of listParcelsToChange(set, deed)) {
    try {
      const input = { ...deed.body, tracking_number, price_only: true }
      priced.push((await client.call('create_return', input)).value)
    } catch (error) {
      // The error becomes the result of its row.
      if (!(error instanceof AppError) || !REFUSED.has(error.entry.status ?? 0)) throw error
    }
  }
  const total = sumPrices(priced.map(({ price }) => price.total))
  if (total === undefined) return 'free'
  return {
    total,
    what: `${priced.length === 1 ? 'this return' : `these ${priced.length} returns`}`,
    lines: [],
  }
}
