import { CLAIM_DAYS, isUnclaimedLoss, mayClaim } from '../../areas/carrier/rules/claims.ts'
import { daysLate, daysLateNow, OPEN_STATUSES } from '../../areas/carrier/rules/lateness.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { fetchServiceTime } from '../../cli/moment.ts'
import { printResult } from '../../cli/print.ts'
import type { Client } from '../../client/client.ts'
import { forEachConcurrently } from '../../client/concurrency.ts'
import { EXIT } from '../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { localDate, toTimestamp } from '../../core/time.ts'
import { listParcelsOldestFirst, type Parcel } from './bulk/parcels.ts'
import { CUSTOMER_FLAGS, toCustomerFilter, readCustomer } from './customer.ts'

/** A parcel older than this has arrived, or is lost. */
const LOOKED_BACK_DAYS = 31
const DAY_MS = 86_400_000

/** The reasons why a parcel needs attention, the most urgent first, each with the command that helps. */
const REASONS = {
  delivery_attempted: 'dray carrier redirect',
  waits_for_recipient: 'dray carrier redirect',
  claim: 'dray carrier claim',
  held: 'dray carrier track',
  not_collected: 'dray carrier handover',
  late: 'dray carrier track',
} as const

type Reason = keyof typeof REASONS

const FIELDS = [
  'tracking_number',
  'reference',
  'customer',
  'recipient',
  'status',
  'reason',
  'days_late',
  'command',
]

/** `dray carrier today`: the parcels that need attention. */
export const carrierToday = defineCommand({
  words: 'carrier today',
  summary: 'List the parcels that need somebody today',
  description:
    'Failed delivery attempts, parcels that wait for their recipient, lost and damaged parcels without an open or accepted claim, parcels that are held or delayed, parcels that were not collected on the working day after their creation, and other late ones, each with the command that helps. Parcels created in the last 31 days; lost and damaged ones until their 80 days for a claim are over, cancelled or not.',
  flags: CUSTOMER_FLAGS,
  answer: { fields: FIELDS },
  examples: ['dray carrier today', 'dray carrier today --json | jq -r ".data[].command"'],
  run: (cli, flags) => listToday(cli, readCustomer(flags)),
})

async function listToday(cli: CommandContext, customer: string | undefined): Promise<number> {
  const client = await cli.client()
  const now = await fetchServiceTime(client)
  const made = (status: readonly Parcel['status'][], days: number): Promise<Parcel[]> =>
    listParcelsOldestFirst(client, {
      status: [...status],
      created_from: toTimestamp(now - days * DAY_MS),
      ...toCustomerFilter(customer),
    })
  const open = [...(await made(CLAIMABLE, CLAIM_DAYS)), ...(await made(OPEN_STATUSES, LOOKED_BACK_DAYS))]
  const today = localDate(now, MARKET_TIMEZONE)
  const undamaged = await findUndamaged(client, open, now)
  const data = open
    .filter((parcel) => !undamaged.has(parcel))
    .flatMap((parcel) => toRow(parcel, today, now) ?? [])
    .toSorted((a, b) => rankOf(a.reason) - rankOf(b.reason) || b.days_late - a.days_late)
  const count = data.length === 1 ? '1 parcel needs' : `${data.length} parcels need`
  await printResult(
    cli,
    { data, has_more: false, next_cursor: null },
    {
      columns: FIELDS.map((field) => ({ field })),
      list: true,
      empty: 'No parcel needs anybody.',
      ...(data.length > 0 && { done: `${count} somebody.` }),
    },
  )
  return EXIT.ok
}

/** States in which the carrier may owe something for a parcel. */
const CLAIMABLE: readonly Parcel['status'][] = ['returning', 'returned', 'lost', 'cancelled']

/** The parcels that are read at the same time. */
const AT_ONCE = 6

/** Returns the parcels that come back for another reason than a damage, of which only their scans tell. */
async function findUndamaged(client: Client, parcels: readonly Parcel[], now: number): Promise<Set<Parcel>> {
  const back = parcels.filter((parcel) => parcel.status.startsWith('return') && mayClaim(parcel, now))
  const found = new Set<Parcel>()
  await forEachConcurrently(back, AT_ONCE, async (parcel) => {
    const { tracking_number } = parcel
    const { scan_history } = (await client.call('get_shipment', { tracking_number })).value
    if (!scan_history.some(({ code }) => code === 'damaged')) found.add(parcel)
  })
  return found
}

function toRow(parcel: Parcel, today: string, now: number) {
  const days_late = daysLateNow(parcel, today)
  const reason = reasonOf(parcel, { today, now }, days_late)
  if (reason === undefined) return undefined
  const { tracking_number, reference, customer, recipient, status } = parcel
  const of = reason === 'not_collected' ? '' : ` ${tracking_number}`
  return {
    tracking_number,
    reference,
    customer,
    recipient: recipient.contact.name,
    status,
    reason,
    days_late,
    command: `${REASONS[reason]}${of}`,
  }
}

function reasonOf(
  parcel: Parcel,
  { today, now }: { today: string; now: number },
  late: number,
): Reason | undefined {
  const { status, status_detail, created_at, return_of } = parcel
  if (status === 'delivery_attempted') return 'delivery_attempted'
  if (status === 'available_for_pickup') return 'waits_for_recipient'
  if (isUnclaimedLoss(parcel, now)) return 'claim'
  if (CLAIMABLE.includes(status))
    return status.startsWith('return') && mayClaim(parcel, now) ? 'claim' : undefined
  if (['held', 'delayed', 'damaged'].includes(status_detail)) return 'held'
  // A parcel of after the cut-off is collected on the next working day.
  const made = localDate(Date.parse(created_at), MARKET_TIMEZONE)
  if (return_of === undefined && status === 'pre_transit' && daysLate(made, today) > 1) return 'not_collected'
  return late > 0 ? 'late' : undefined
}

function rankOf(reason: Reason): number {
  return Object.keys(REASONS).indexOf(reason)
}
