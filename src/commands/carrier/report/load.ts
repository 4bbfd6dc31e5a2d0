import {
  addCreated,
  addDelivered,
  findLate,
  type HubDirectory,
  type LateParcel,
  type ParcelSums,
  type ReportedParcel,
  startParcelTallies,
  toParcelSums,
} from '../../../areas/carrier/report.ts'
import { OPEN_STATUSES } from '../../../areas/carrier/rules/lateness.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import type { Client } from '../../../client/client.ts'
import type { OperationOutput } from '../../../client/operations.ts'
import { readRemainingPages } from '../../../client/pages.ts'
import { AppError } from '../../../core/errors.ts'
import {
  type BucketUnit,
  bucketUnit,
  splitRange,
  type Period,
  formatTimeRange,
  type TimeRange,
} from '../../../core/period.ts'
import { toTimestamp } from '../../../core/time.ts'
import { oneCurrency } from '../../report/currency.ts'
import { type ListReader, reading, readLists } from '../../report/read.ts'
import { toCustomerFilter } from '../customer.ts'
import { type BilledTotals, loadBilled } from './billed.ts'

/** A sender's report as `--json` prints it. */
export type CarrierReport = {
  report: 'carrier'
  currency: string
  /** The customer that counted parcels must be for; null for parcels without one. */
  customer?: string | null
  timezone: string
  period: { name: Period['name']; from: string; to: string; open: boolean; unit: BucketUnit }
  before: { from: string; to: string }
  /** Hubs by id; null where the login may not read them. */
  hubs: { hub_id: string; code: string; name: string }[] | null
  /** The number of parcels in other currencies, which were omitted. */
  other_currencies: Record<string, number>
  current: ParcelSums
  previous: ParcelSums
  /** The parcels created in the period, oldest first, where they were requested. */
  parcels?: ReportParcel[]
  /** Parcels that are late now, the latest first; null for a period that has ended. */
  late_now: { parcels: number; created_since: string; data: LateParcel[] } | null
  /** The charges of the period; null from a service without invoices. */
  billed: BilledTotals | null
}

/** A parcel older than this has arrived, or is lost. */
const LATE_DAYS = 31
const DAY_MS = 86_400_000
/** The late parcels that a report names; it counts all of them. */
const MAX_LATE_PARCELS = 500

type ReportHub = OperationOutput<'list_hubs'>['data'][number]

type CarrierReportRequest = {
  now: number
  currency?: string | undefined
  /** Only parcels of this customer; empty for parcels without one. */
  customer?: string | undefined
  /** True if the parcels created in the period are wanted, too. */
  parcels?: boolean | undefined
}

/** Reads the parcels of a period and of the one before it, and adds them up. Throws AppError. */
export async function loadCarrierReport(
  cli: CommandContext,
  period: Period,
  { now, currency: asked, customer, parcels: listed = false }: CarrierReportRequest,
): Promise<CarrierReport> {
  const { timezone, before } = period
  const unit = bucketUnit(period)
  const found = await findHubs(await cli.client())
  const hubs: HubDirectory = { known: new Map(found?.map((hub) => [hub.hub_id, hub])), timezone }
  const books = new Map<string, ReturnType<typeof openBook>>()
  const bookOf = ({ price }: ReportedParcel) => {
    const book = books.get(price.total.currency) ?? openBook(period, unit)
    books.set(price.total.currency, book)
    return book
  }
  const [late, made]: [LateParcel[], ReportParcel[]] = [[], []]
  const only = toCustomerFilter(customer)
  const since = now - LATE_DAYS * DAY_MS
  const lists = (['current', 'previous'] as const).flatMap((key) => {
    const stretch = key === 'current' ? period : before
    return [
      parcels(cli, { by: 'created', stretch, only }, (parcel) => {
        const book = bookOf(parcel)
        book.parcels += 1
        addCreated(book[key], parcel)
        if (listed && key === 'current') made.push(parcel)
      }),
      parcels(cli, { by: 'delivered', stretch, only }, (parcel) => {
        const { delivered_at } = parcel
        if (delivered_at !== null) addDelivered(bookOf(parcel)[key], { ...parcel, delivered_at }, hubs)
      }),
    ]
  })
  const open = parcels(cli, { by: 'open', stretch: { from: since, to: now + 1 }, only }, (parcel) => {
    const found = findLate(parcel, now, hubs)
    if (found !== undefined) late.push(found)
  })
  await readLists(cli, 'Loading parcels', period.open ? [...lists, open] : lists)
  const currency = oneCurrency(books.keys(), asked, 'parcels')
  const { current, previous } = books.get(currency) ?? openBook(period, unit)
  const others = [...books].filter(([key, { parcels: count }]) => key !== currency && count > 0)
  late.sort((a, b) => b.days_late - a.days_late || (a.tracking_number < b.tracking_number ? -1 : 1))
  return {
    report: 'carrier',
    currency,
    ...(customer !== undefined && { customer: customer === '' ? null : customer }),
    timezone,
    period: { name: period.name, ...formatTimeRange(period), open: period.open, unit },
    before: formatTimeRange(before),
    hubs: found?.map(({ hub_id, code, name }) => ({ hub_id, code, name })) ?? null,
    other_currencies: Object.fromEntries(others.map(([key, { parcels: count }]) => [key, count])),
    current: toParcelSums(current, currency),
    previous: toParcelSums(previous, currency),
    ...(listed && { parcels: inOrder(made, currency) }),
    late_now: period.open
      ? { parcels: late.length, created_since: toTimestamp(since), data: late.slice(0, MAX_LATE_PARCELS) }
      : null,
    billed: await loadBilled(await cli.client(), period, { currency, ...only }),
  }
}

/** The sums of both periods in one currency. */
function openBook(period: Period, unit: BucketUnit) {
  const { before, timezone } = period
  const days = { kind: period.days, timezone }
  return {
    parcels: 0,
    current: startParcelTallies(period, splitRange(period, unit, days)),
    previous: startParcelTallies(before, splitRange(before, unit, days)),
  }
}

/** A parcel as a report lists it. */
export type ReportParcel = OperationOutput<'list_shipments'>['data'][number]

type List = { by: 'created' | 'delivered' | 'open'; stretch: TimeRange; only: { customer?: string } }

/** Returns parcels of a list, newest first, in the order of creation, without those in other currencies. */
function inOrder(made: ReportParcel[], currency: string): ReportParcel[] {
  return made
    .filter(({ price }) => price.total.currency === currency)
    .toReversed()
    .toSorted((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0))
}

function parcels(
  cli: CommandContext,
  { by, stretch, only }: List,
  take: (parcel: ReportParcel) => void,
): ListReader<unknown> {
  return reading({
    stretch,
    take,
    async page({ from, to, ...page }) {
      const span =
        by === 'delivered'
          ? { delivered_from: from, delivered_to: to }
          : { created_from: from, created_to: to, ...(by === 'open' && { status: [...OPEN_STATUSES] }) }
      return (await (await cli.client()).call('list_shipments', { ...span, ...only, ...page })).value
    },
  })
}

/** Returns the hubs, closed ones too; undefined where the login may not read them. */
async function findHubs(client: Client): Promise<ReportHub[] | undefined> {
  const list = async (active: boolean): Promise<ReportHub[]> => {
    const next = async (cursor: string | null) => {
      const input = { active, limit: 100, ...(cursor !== null && { cursor }) }
      return (await client.call('list_hubs', input)).value
    }
    return readRemainingPages(await next(null), next)
  }
  try {
    return [...(await list(true)), ...(await list(false))]
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_scope') return undefined
    throw error
  }
}
