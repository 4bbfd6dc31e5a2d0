/** The parcels that get a label. */
import { hasLabel } from '../../../areas/carrier/label/label.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { AppError } from '../../../core/errors.ts'
import { assertOneWay, type ParcelSetArgs, loadParcelSet, isParcelSet } from '../bulk/choose.ts'
import type { NamedParcel, Parcel } from '../bulk/parcels.ts'

/** Parcels with a label, the cancelled ones among those that were chosen, and names without a parcel. */
export type LabelSelection = { parcels: Parcel[]; cancelled: Parcel[]; missing: NamedParcel[] }

/** Finds the parcels that the words and flags name. Throws AppError where none of them has a label. */
export async function chooseParcels(cli: CommandContext, choice: ParcelSetArgs): Promise<LabelSelection> {
  assertOneWay(choice)
  if (choice.parcel?.length !== 1 && !isParcelSet(choice))
    throw new AppError(
      'usage',
      'Missing: at least one tracking number or reference. dray carrier label <number or reference>…',
      {
        hint: 'To print many, use --batch ID, --manifest FILE.results.csv, or --status pre_transit --created-today.',
      },
    )
  const set = await loadParcelSet(cli, choice)
  const missing = set.filter(({ problem }) => problem !== undefined)
  const all = set.flatMap(({ parcel }) => parcel ?? [])
  const { parcels = [], cancelled = [] } = Object.groupBy(all, (each) =>
    hasLabel(each) ? 'parcels' : 'cancelled',
  )
  if (parcels.length > 0) return { parcels, cancelled, missing }
  const [first] = cancelled
  throw first === undefined ? missing[0]?.problem : noLabel(first)
}

function noLabel({ tracking_number, cancellation }: Parcel): AppError {
  const day = cancellation === null ? '' : ` on ${cancellation.at.slice(0, 10)}`
  return new AppError(
    'invalid_state',
    `${tracking_number} was cancelled${day}; a cancelled parcel has no label.`,
    {
      hint: 'To send it, create the parcel again.',
    },
  )
}
