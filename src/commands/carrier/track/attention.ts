import { shipmentPresenter } from '../../../areas/carrier/presenter.ts'
/** The facts to know of a parcel on its way: whether it is late, and what is wrong with it. */
import { daysLateNow, promisedDay } from '../../../areas/carrier/rules/lateness.ts'
import { isShipmentOver } from '../../../areas/carrier/states.ts'
import type { OperationOutput } from '../../../client/operations.ts'
import { MARKET_TIMEZONE } from '../../../core/market.ts'
import { humanizeCode, describeState } from '../../../core/presenter.ts'
import { localDate } from '../../../core/time.ts'

type Shipment = OperationOutput<'get_shipment'>
type Scan = Shipment['scan_history'][number]

/** The state of a parcel at an instant of the service's clock. */
export type ParcelState = {
  tracking_number: string
  reference: string | null
  status: string
  estimated_delivery_date: string
  promised_date: string
  attempts: number
  delivered_at: string | null
  /** It is under way after the day that was promised first. */
  late: boolean
  days_late: number
  /** The reason why it needs attention; null when all is well. */
  attention: string | null
}

export function toParcelState(shipment: Shipment, now: number): ParcelState {
  const { tracking_number, reference, status, estimated_delivery_date, attempts, delivered_at } = shipment
  const days = daysLateNow(shipment, localDate(now, shipment.timezone ?? MARKET_TIMEZONE))
  return {
    tracking_number,
    reference,
    status,
    estimated_delivery_date,
    promised_date: promisedDay(shipment),
    attempts,
    delivered_at,
    late: days > 0,
    days_late: days,
    attention: attentionOf(shipment, days > 0),
  }
}

function attentionOf(shipment: Shipment, late: boolean): string | null {
  const { status, attempts, max_attempts, scan_history } = shipment
  const failure = scan_history.findLast(({ code }) => code === 'delivery_attempted')
  const stop = scan_history.findLast(({ code }) => STOPS.has(code))
  if (status === 'available_for_pickup')
    return sentence(`Awaiting the recipient at ${scan_history.at(-1)?.location.name ?? 'the depot'}`, failure)
  if (isShipmentOver(status) || status === 'returning') {
    return ENDINGS.has(status) ? sentence(describeState(shipmentPresenter, shipment), failure ?? stop) : null
  }
  if (failure !== undefined) return sentence(`Attempt ${attempts} of ${max_attempts} failed`, failure)
  if (stop !== undefined && status === 'in_transit') return sentence(humanizeCode(stop.code), stop)
  return late ? whereItIs(shipment) : null
}

/** Ends, or ways to an end, that are no delivery; the sender knows of a cancellation. */
const ENDINGS: ReadonlySet<string> = new Set(['lost', 'returning', 'returned'])

function whereItIs({ status, scan_history }: Shipment): string | null {
  const last = scan_history.at(-1)
  if (status === 'pre_transit') return 'Not collected yet.'
  return last === undefined
    ? null
    : `Last scan: ${humanizeCode(last.code).toLowerCase()}, ${last.location.name}.`
}

/** Scans that keep a parcel from going on. */
const STOPS: ReadonlySet<string> = new Set(['held', 'delayed', 'damaged'])

function sentence(what: string, scan: Scan | undefined): string {
  const why = scan?.reason?.detail
  return why === undefined ? `${what}.` : `${what}: ${why}`
}
