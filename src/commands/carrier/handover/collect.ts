/** The parcels of a hub's driver on a day: those that wait, and those that were taken. */
import type { Handover, HandoverParcel } from '../../../areas/carrier/label/handover.ts'
import type { Cli } from '../../../cli/cli.ts'
import { requireMoment, serviceNow } from '../../../cli/moment.ts'
import { AppError } from '../../../core/errors.ts'
import { addDays, localDate, localTime } from '../../../core/time.ts'
import { findHub, type Hub, listHubs } from '../hubs.ts'
import { listInOrder, type Parcel } from '../set/parcels.ts'

/** A parcel is collected at most so many days after it was made: the longest row of days without a collection. */
const LONGEST_WAIT_DAYS = 7

/** Finds the hub by its code or id; asks where it is not named. Throws AppError('usage' | 'hub_not_found'). */
export async function chooseHub(cli: Cli, named: string | undefined): Promise<Hub> {
  const client = await cli.client()
  const open = await listHubs(client, true)
  if (named !== undefined) return findHub(client, named, open)
  const [only, ...others] = open
  if (only !== undefined && others.length === 0) return only
  const ask = await cli.ask()
  if (ask === undefined)
    throw new AppError('usage', 'Missing: the hub. dray carrier handover --hub CODE', {
      hint: `Yours are ${open.map(({ code }) => code).join(', ')}.`,
    })
  const hub = await ask.select({
    message: 'Which hub?',
    choices: open.map((each) => ({ value: each, name: `${each.code}  ${each.name}` })),
  })
  cli.answered.push({ flag: '--hub', value: hub.code })
  return hub
}

/** Returns the manifest of a hub for a day; today when none is given. */
export async function collectHandover(cli: Cli, hub: Hub, typed: string | undefined): Promise<Handover> {
  const { timezone: zone } = hub
  const at =
    typed === undefined
      ? await serviceNow(await cli.client())
      : await requireMoment(cli, typed, { flag: '--date', examples: '2026-11-20 or yesterday', zone })
  const date = localDate(at, zone)
  const client = await cli.client()
  const isHere = ({ hub_id }: Parcel): boolean => hub_id === hub.hub_id
  const waiting = (
    await listInOrder(client, { status: ['pre_transit'], created_to: addDays(date, 1) })
  ).filter(isHere)
  const recent = await listInOrder(client, {
    created_from: addDays(date, -LONGEST_WAIT_DAYS),
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
    handed_over: collected_at === null ? null : localTime(Date.parse(collected_at), zone),
  }
}
