/** A sender's report as one table: a line for each figure, beside the one of the period before. */
import type { ParcelSums } from '../../../areas/carrier/report.ts'
import type { Money } from '../../../core/money.ts'
import { formatLocalDateTime } from '../../../core/time.ts'
import type { ReportTableRow } from '../../report/report.ts'
import type { CarrierReport, ReportParcel } from './load.ts'

type Figures = { parcels?: number; total?: Money; on_time?: number; late?: number }
type Line = { section: string; name: string; key: string; figures: Figures }

/** Returns the row of a parcel, as it is now: its price before surcharges, each surcharge, and VAT apart. */
export function parcelRow(
  parcel: ReportParcel,
  timezone: string,
  hubs: CarrierReport['hubs'],
): ReportTableRow {
  const { price, recipient, tracking_number, hub_id } = parcel
  const { currency } = price.total
  const local = (at: string | null) => (at === null ? null : formatLocalDateTime(Date.parse(at), timezone))
  const surcharge = (wanted: string): Money => ({
    amount: price.surcharges.reduce(
      (sum, { type, amount }) => sum + (type === wanted ? amount.amount : 0),
      0,
    ),
    currency,
  })
  return {
    tracking_number,
    reference: parcel.reference,
    customer: parcel.customer,
    created_at: local(parcel.created_at),
    collected_at: local(parcel.collected_at),
    delivered_at: local(parcel.delivered_at),
    status: parcel.status,
    service_level: parcel.service_level,
    hub: hubs?.find((hub) => hub.hub_id === hub_id)?.code ?? hub_id,
    recipient: recipient.contact.name,
    postal_code: recipient.address.postal_code,
    country_code: recipient.address.country_code,
    weight_grams: parcel.parcel.weight_grams,
    subtotal: price.subtotal,
    fuel: surcharge('fuel'),
    remote_area: surcharge('remote_area'),
    oversize: surcharge('oversize'),
    insurance: surcharge('insurance'),
    net: { amount: price.total.amount - price.tax.amount.amount, currency },
    vat_rate: price.tax.rate_bps / 100,
    vat: price.tax.amount,
    total: price.total,
  }
}

/** Returns the rows; figures of the period before are those of the same name. */
export function carrierRows({ current, previous, hubs, late_now, billed }: CarrierReport): ReportTableRow[] {
  const names = new Map(hubs?.map(({ hub_id, code }) => [hub_id, code]))
  const hubName = (id: string): string => names.get(id) ?? id
  const earlier = listed(previous, hubName)
  const before = new Map(earlier.map((line) => [`${line.section} ${line.key}`, line]))
  const now = listed(current, hubName)
  const known = new Set(now.map(({ section, key }) => `${section} ${key}`))
  const gone = earlier
    .filter(({ section, key }) => !section.startsWith('time') && !known.has(`${section} ${key}`))
    .map((line): Line => ({ ...line, figures: {} }))
  const late = late_now === null ? [] : [line('total', 'late_now', { parcels: late_now.parcels })]
  const charged =
    billed === null
      ? []
      : [
          ...billed.kinds.map((each) => line('invoiced', each.kind, each)),
          line('invoiced', 'to_pay', { total: billed.due }),
        ]
  return [...now, ...gone, ...late, ...charged].map(({ section, name, key, figures }) => {
    const past: Figures = before.get(`${section} ${key}`)?.figures ?? {}
    return {
      section,
      name,
      parcels: figures.parcels ?? null,
      amount: figures.total ?? null,
      on_time: figures.on_time ?? null,
      late: figures.late ?? null,
      before_parcels: past.parcels ?? null,
      before_amount: past.total ?? null,
      before_on_time: past.on_time ?? null,
      before_late: past.late ?? null,
    }
  })
}

function line(section: string, name: string, figures: Figures, key = name): Line {
  return { section, name, key, figures }
}

function listed({ created, delivered, timeline }: ParcelSums, hubName: (id: string) => string): Line[] {
  return [
    line('total', 'created', created),
    line('total', 'delivered', delivered),
    ...created.by_status.map((each) => line('created_status', each.status, each)),
    ...created.by_service.map((each) => line('created_service', each.service_level, each)),
    ...created.by_hub.map((each) => line('created_hub', hubName(each.hub_id), each, each.hub_id)),
    ...delivered.by_attempt.map((each) => line('delivered_attempts', String(each.attempts), each)),
    ...delivered.by_service.map((each) => line('delivered_service', each.service_level, each)),
    ...delivered.by_hub.map((each) => line('delivered_hub', hubName(each.hub_id), each, each.hub_id)),
    ...timeline.map((each, at) => line('time_created', each.from, { parcels: each.created }, String(at))),
    ...timeline.map((each, at) =>
      line('time_delivered', each.from, { parcels: each.delivered, late: each.late }, String(at)),
    ),
  ]
}
