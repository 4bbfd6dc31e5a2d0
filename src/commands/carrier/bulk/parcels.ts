/** Reads parcels: those of numbers and references, and those of a filter. */
import type { Client } from '../../../client/client.ts'
import type { OperationOutput, OperationInput } from '../../../client/operations.ts'
import { type CursorPage, readRemainingPages } from '../../../client/pages.ts'
import { AppError, toProblem } from '../../../core/errors.ts'
import { resolveTrackingNumber } from '../find-parcel.ts'

/** A parcel as a list shows it. */
export type Parcel = Omit<OperationOutput<'get_shipment'>, 'scan_history'>

/** A parcel as the user named it, or why there is none. */
export type NamedParcel = { word: string; parcel: Parcel | undefined; problem: AppError | undefined }

/** Returns the rows of an answer about names without a parcel. */
export function problemsOf(set: readonly NamedParcel[]) {
  return set.flatMap(({ word, problem }) =>
    problem === undefined ? [] : [{ parcel: word, ...toProblem(problem), exit_code: problem.exitCode }],
  )
}

type Filters = Omit<OperationInput<'list_shipments'>, 'limit' | 'cursor'>

/** Returns all parcels that fit, newest first. */
async function listParcels(client: Client, filters: Filters): Promise<Parcel[]> {
  const next = async (cursor: string | null): Promise<CursorPage<Parcel>> => {
    const input = { ...filters, limit: 100, ...(cursor !== null && { cursor }) }
    return (await client.call('list_shipments', input)).value as CursorPage<Parcel>
  }
  return readRemainingPages(await next(null), next)
}

/** Returns the parcels of tracking numbers and references, in this order, each once. Throws the first problem. */
export async function findParcels(client: Client, names: readonly string[]): Promise<Parcel[]> {
  return (await resolveParcelNames(client, names)).flatMap(({ parcel, problem }) => {
    if (problem !== undefined) throw problem
    return parcel ?? []
  })
}

/** Returns what tracking numbers and references name, in this order, each parcel once. */
export async function resolveParcelNames(client: Client, names: readonly string[]): Promise<NamedParcel[]> {
  const numbers = new Map<string, { word: string; problem?: AppError }>()
  for (const word of new Set(names)) {
    const number = await orProblem(() => resolveTrackingNumber(client, word))
    if (number instanceof AppError) numbers.set(word, { word, problem: number })
    else if (!numbers.has(number)) numbers.set(number, { word })
  }
  const wanted = [...numbers].flatMap(([number, { problem }]) => (problem === undefined ? number : []))
  const found = await readByNumber(client, wanted)
  return [...numbers].map(([number, { word, problem }]) => {
    const read = found.get(number)
    return read instanceof AppError
      ? { word, parcel: undefined, problem: read }
      : { word, parcel: read, problem }
  })
}

/** Errors that are about one name, and not about the service. */
const OF_ONE: ReadonlySet<string> = new Set(['shipment_not_found', 'invalid_tracking_number', 'usage'])

async function orProblem<T>(work: () => Promise<T>): Promise<T | AppError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && OF_ONE.has(error.code)) return error
    throw error
  }
}

/** Fewer parcels than this are read one by one. */
const MIN_BATCH_PARCELS = 5

/** Reads parcels by number. Those of one manifest came in one batch, whose list is a few pages. */
async function readByNumber(
  client: Client,
  numbers: readonly string[],
): Promise<Map<string, Parcel | AppError>> {
  const found = new Map<string, Parcel | AppError>()
  for (const number of numbers) {
    if (found.has(number)) continue
    const read = await orProblem(
      async () => (await client.call('get_shipment', { tracking_number: number })).value,
    )
    found.set(number, read)
    if (read instanceof AppError || read.batch_id === null || numbers.length - found.size < MIN_BATCH_PARCELS)
      continue
    for (const parcel of await listParcels(client, { batch_id: read.batch_id }))
      found.set(parcel.tracking_number, parcel)
  }
  return found
}

/** Returns parcels in the order in which they were made. */
export async function listParcelsOldestFirst(client: Client, filters: Filters): Promise<Parcel[]> {
  return (await listParcels(client, filters)).toReversed()
}
