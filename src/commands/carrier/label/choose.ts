/** Which parcels get a label. */
import { hasLabel } from '../../../areas/carrier/label/label.ts'
import { SHIPMENT_STATUSES } from '../../../areas/carrier/states.ts'
import type { Cli } from '../../../cli/cli.ts'
import type { Flag, Given } from '../../../cli/command.ts'
import { serviceNow } from '../../../cli/moment.ts'
import type { Client } from '../../../client/client.ts'
import { AppError } from '../../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../../core/market.ts'
import { localDate } from '../../../core/time.ts'
import { readResults } from '../results-file.ts'
import { findParcels, listInOrder, type Parcel } from './parcels.ts'

export const CHOICE_FLAGS = [
  { flag: 'batch', kind: 'text', value: 'ID', description: 'the parcels of one upload' },
  {
    flag: 'manifest',
    kind: 'text',
    value: 'FILE|-',
    opens: 'read',
    description: 'parcels of a results file written by `carrier upload`',
  },
  {
    flag: 'status',
    kind: 'enum',
    choices: SHIPMENT_STATUSES,
    repeat: true,
    description: 'parcels in any of these states',
  },
  { flag: 'created-today', kind: 'boolean', description: 'parcels created today, by the service’s clock' },
] as const satisfies readonly Flag[]

export const PARCELS = {
  name: 'parcel',
  description: 'tracking numbers or references',
  repeat: true,
} as const

export type Choice = Given<typeof CHOICE_FLAGS, [typeof PARCELS]>

/** Parcels with a label, and the cancelled ones among those that were chosen. */
export type Chosen = { parcels: Parcel[]; cancelled: Parcel[] }

/** Finds the parcels that the words and flags name. Throws AppError('usage' | 'shipment_not_found' | 'invalid_state'). */
export async function chooseParcels(cli: Cli, choice: Choice): Promise<Chosen> {
  const { parcel: names = [], batch, manifest, status, 'created-today': today = false } = choice
  const isListed = batch !== undefined || status !== undefined || today
  const ways = [names.length > 0, manifest !== undefined, isListed].filter(Boolean)
  if (ways.length !== 1) throw whichParcels(ways.length)
  const all = isListed ? await listChosen(await cli.client(), choice) : await findNamed(cli, names, manifest)
  const { parcels = [], cancelled = [] } = Object.groupBy(all, (each) =>
    hasLabel(each) ? 'parcels' : 'cancelled',
  )
  const [first] = cancelled
  if (first !== undefined && (names.length > 0 || parcels.length === 0)) throw noLabel(first)
  if (parcels.length > 0) return { parcels, cancelled }
  throw new AppError('shipment_not_found', 'No parcels match: there is no label to print.')
}

async function findNamed(
  cli: Cli,
  names: readonly string[],
  manifest: string | undefined,
): Promise<Parcel[]> {
  const wanted = manifest === undefined ? names : await readResults(cli, manifest)
  return findParcels(await cli.client(), wanted)
}

async function listChosen(
  client: Client,
  { batch, status, 'created-today': today }: Choice,
): Promise<Parcel[]> {
  return listInOrder(client, {
    ...(batch !== undefined && { batch_id: batch }),
    ...(status !== undefined && { status }),
    ...(today === true && { created_from: localDate(await serviceNow(client), MARKET_TIMEZONE) }),
  })
}

function whichParcels(ways: number): AppError {
  const ask =
    ways === 0
      ? 'Missing: at least one tracking number or reference. dray carrier label <number or reference>…'
      : 'Give only one of these: parcels, a results file or a filter.'
  return new AppError('usage', ask, {
    hint: 'To print many, use --batch ID, --manifest FILE.results.csv, or --status pre_transit --created-today.',
  })
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
