/** The parcels of a hub's driver: those of a collection manifest, or those of a day. */
import type { Handover, HandoverParcel } from '../../../areas/carrier/label/handover.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { requireMoment, fetchServiceTime } from '../../../cli/moment.ts'
import type { OperationOutput, OperationInput } from '../../../client/operations.ts'
import { AppError } from '../../../core/errors.ts'
import { addDays, localDate, localTime } from '../../../core/time.ts'
import { listParcelsOldestFirst, type Parcel } from '../bulk/parcels.ts'
import { formatParcelCount } from '../bulk/question.ts'
import { resolveHub, type ListedHub, loadHubs } from '../hubs.ts'

/** A parcel is collected at most so many days after it was made: the longest row of days without a collection. */
const MAX_COLLECTION_WAIT_DAYS = 7

/**
 * Finds the hub by its code or id; without one, the only hub, or the only one at which parcels wait. Throws
 * AppError('usage' | 'hub_not_found').
 */
export async function chooseHub(cli: CommandContext, named: string | undefined): Promise<ListedHub> {
  const client = await cli.client()
  const open = await loadHubs(client, true)
  if (named !== undefined) return resolveHub(client, named, open)
  const [only, ...others] = open
  if (only !== undefined && others.length === 0) return only
  const waiting = (await listParcelsOldestFirst(client, { status: ['pre_transit'] })).filter(isCollected)
  const counts = Map.groupBy(waiting, ({ hub_id }) => hub_id)
  const [full, ...more] = open.filter(({ hub_id }) => counts.has(hub_id))
  if (full !== undefined && more.length === 0 && counts.size === 1) return full
  const hubs = open.map(
    ({ code, hub_id }) => `${code} (${formatParcelCount(counts.get(hub_id)?.length ?? 0)})`,
  )
  throw new AppError('usage', 'Missing: the hub. dray carrier handover --hub CODE', {
    hint: `Yours are ${hubs.join(', ')}.`,
  })
}

/** True if a driver collects it: a return waits for the recipient who sends it. */
function isCollected({ return_of }: Parcel): boolean {
  return return_of === undefined
}

/** The parcels that a driver takes, and those that stay elsewhere. */
export type Collection = Handover &
  Partial<Pick<OperationOutput<'create_collection_manifest'>, 'result' | 'left_behind' | 'kept_back'>> & {
    /** Parcels of the manifest that were cancelled since. */
    cancelled?: readonly Pick<HandoverParcel, 'tracking_number' | 'reference'>[]
  }

/** The parcels of a manifest: only these, or all but those. */
type ManifestChoice = Pick<OperationInput<'create_collection_manifest'>, 'shipments' | 'without' | 'preview'>

/** Makes the manifest of a hub, or previews it. Without parcels and manifests it has none of either. */
export async function makeManifest(
  cli: CommandContext,
  hub: ListedHub,
  choice: ManifestChoice,
): Promise<Collection> {
  const client = await cli.client()
  const { timezone: zone } = hub
  const today = localDate(await fetchServiceTime(client), zone)
  const input = { hub_id: hub.hub_id, ...choice }
  const { value } = await client.call('create_collection_manifest', input)
  const { result, counts, left_behind, kept_back } = value
  const collection = toCollection(hub, value, today)
  const { sender, date } = collection
  // The driver of another day has it: a paper of it would be scanned for nothing.
  const isOver = result === 'existing' && counts.waiting === 0 && date !== today
  if (isOver) return { hub, sender, date: today, parcels: [], result: 'none', left_behind, kept_back }
  return { ...collection, result, left_behind, kept_back }
}

/** Finds a manifest, with its parcels as they are now. Throws AppError('manifest_not_found'). */
export async function findCollection(cli: CommandContext, manifestId: string): Promise<Collection> {
  const client = await cli.client()
  const { value } = await client.call('get_collection_manifest', { manifest_id: manifestId })
  const hub = await resolveHub(client, value.hub_id, await loadHubs(client, true))
  return toCollection(hub, value, localDate(await fetchServiceTime(client), hub.timezone))
}

/** `today` is the date of a manifest that is not made yet. */
function toCollection(
  hub: ListedHub,
  manifest: OperationOutput<'get_collection_manifest'>,
  today: string,
): Collection {
  const { manifest_id, sender_name: sender, created_at, parcels } = manifest
  const { timezone: zone } = hub
  // The driver takes no parcel that was cancelled since.
  const isTaken = ({ status, collected_at }: (typeof parcels)[number]): boolean =>
    collected_at !== null || status !== 'cancelled'
  return {
    hub,
    sender,
    date: created_at === null ? today : localDate(Date.parse(created_at), zone),
    parcels: parcels
      .filter(isTaken)
      .map((parcel) => ({ ...parcel, handed_over: timeOf(parcel.collected_at, zone) })),
    cancelled: parcels.filter((parcel) => !isTaken(parcel)),
    manifest_id: manifest_id ?? undefined,
  }
}

/** Returns the parcels of a hub for a day: those that wait, and those that were taken. */
export async function listDay(cli: CommandContext, hub: ListedHub, typed: string): Promise<Collection> {
  const { timezone: zone } = hub
  const at = await requireMoment(cli, typed, { flag: '--date', examples: '2026-11-20 or yesterday', zone })
  const date = localDate(at, zone)
  const client = await cli.client()
  const isHere = (parcel: Parcel): boolean => parcel.hub_id === hub.hub_id && isCollected(parcel)
  const waiting = (
    await listParcelsOldestFirst(client, { status: ['pre_transit'], created_to: addDays(date, 1) })
  ).filter(isHere)
  const recent = await listParcelsOldestFirst(client, {
    created_from: addDays(date, -MAX_COLLECTION_WAIT_DAYS),
    created_to: addDays(date, 1),
  })
  const taken = recent.filter(
    (parcel) =>
      isHere(parcel) &&
      parcel.collected_at !== null &&
      localDate(Date.parse(parcel.collected_at), zone) === date,
  )
  const [any] = [...waiting, ...taken]
  return {
    hub,
    date,
    sender: any === undefined ? '' : (any.sender.company ?? any.sender.contact.name),
    parcels: [...waiting, ...taken].map((parcel) => toRow(parcel, zone)),
  }
}

function toRow(parcel: Parcel, zone: string): HandoverParcel {
  const { recipient, collected_at } = parcel
  return {
    tracking_number: parcel.tracking_number,
    reference: parcel.reference,
    service_level: parcel.service_level,
    route_code: parcel.label.route_code,
    recipient_name: recipient.contact.name,
    postal_code: recipient.address.postal_code,
    country_code: recipient.address.country_code,
    weight_grams: parcel.parcel.weight_grams,
    handed_over: timeOf(collected_at, zone),
  }
}

function timeOf(at: string | null, zone: string): string | null {
  return at === null ? null : localTime(Date.parse(at), zone)
}
