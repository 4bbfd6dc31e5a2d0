/** The parcels that a command is about: named ones, those of an upload, or those in some state. */
import { SHIPMENT_STATUSES } from '../../../areas/carrier/states.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import type { Args, Flag, FlagValues } from '../../../cli/command.ts'
import { fetchServiceTime } from '../../../cli/moment.ts'
import type { Client } from '../../../client/client.ts'
import { AppError } from '../../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../../core/market.ts'
import { localDate } from '../../../core/time.ts'
import { MANIFEST_FLAG, type PARCELS_ARGUMENT } from './flags.ts'
import { listParcelsOldestFirst, type NamedParcel, resolveParcelNames, type Parcel } from './parcels.ts'

export const PARCEL_SET_FLAGS = [
  { flag: 'batch', kind: 'text', value: 'ID', description: 'the parcels of one upload' },
  MANIFEST_FLAG,
  {
    flag: 'status',
    kind: 'enum',
    choices: SHIPMENT_STATUSES,
    repeat: true,
    description: 'parcels in any of these states',
  },
  { flag: 'created-today', kind: 'boolean', description: 'parcels created today, by the service’s clock' },
] as const satisfies readonly Flag[]

export type ParcelSetArgs = FlagValues<typeof PARCEL_SET_FLAGS, [typeof PARCELS_ARGUMENT]>

/** Returns whether the line means a set: several names, a file or a filter. One name twice is one parcel. */
export function isParcelSet(args: Args): boolean {
  const { parcel } = args
  const isListed = PARCEL_SET_FLAGS.some(({ flag }) => args[flag] !== undefined)
  return isListed || (Array.isArray(parcel) && new Set(parcel).size > 1)
}

/** Throws AppError('usage') for names beside a file or a filter, of which one may be a mistake. */
export function assertOneWay({ parcel = [], manifest, ...filters }: ParcelSetArgs): void {
  const ways = [parcel.length > 0, manifest !== undefined, isFiltered(filters)].filter(Boolean)
  if (ways.length > 1)
    throw new AppError('usage', 'Give only one of these: parcels, a results file or a filter.')
}

/**
 * Finds the parcels that words and flags name, each once: the named ones and those of the file in their order, then those
 * of the filter, oldest first. A name without a parcel has its problem. Throws AppError('shipment_not_found') for none at
 * all.
 */
export async function loadParcelSet(cli: CommandContext, choice: ParcelSetArgs): Promise<NamedParcel[]> {
  const client = await cli.client()
  const { parcel: names = [], manifest } = choice
  const numbers = manifest === undefined ? [] : await readNumbers(cli, manifest)
  const named = await resolveParcelNames(client, [...names, ...numbers])
  const listed = isFiltered(choice) ? await listChosen(client, choice) : []
  const known = new Set(named.map(({ parcel }) => parcel?.tracking_number))
  const others = listed
    .filter(({ tracking_number }) => !known.has(tracking_number))
    .map((parcel): NamedParcel => ({ word: parcel.tracking_number, parcel, problem: undefined }))
  if (named.length + listed.length > 0) return [...named, ...others]
  const ofBatch =
    choice.batch === undefined ? '' : ` in the batch ${JSON.stringify(choice.batch.slice(0, 60))}`
  throw new AppError('shipment_not_found', `No parcels match${ofBatch}.`, {
    hint:
      ofBatch === ''
        ? '`dray carrier list` shows your parcels.'
        : '`dray recent` lists the batches uploaded from this machine.',
  })
}

/** The reader of tables is loaded for a file only. */
async function readNumbers(cli: CommandContext, manifest: string): Promise<string[]> {
  const { readResults } = await import('../results-file.ts')
  return readResults(cli, manifest)
}

function isFiltered({
  batch,
  status,
  'created-today': today = false,
}: Omit<ParcelSetArgs, 'parcel'>): boolean {
  return batch !== undefined || status !== undefined || today
}

async function listChosen(
  client: Client,
  { batch, status, 'created-today': today }: ParcelSetArgs,
): Promise<Parcel[]> {
  return listParcelsOldestFirst(client, {
    ...(batch !== undefined && { batch_id: batch }),
    ...(status !== undefined && { status }),
    ...(today === true && { created_from: localDate(await fetchServiceTime(client), MARKET_TIMEZONE) }),
  })
}
