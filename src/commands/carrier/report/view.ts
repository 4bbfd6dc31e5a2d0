/** A sender's report in words: what a screen and a page show. */
import type { ParcelSums } from '../../../areas/carrier/report.ts'
import { SERVICE_LEVELS } from '../../../areas/carrier/rules/rates.ts'
import { stateWords } from '../../../cli/output/state-words.ts'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import { type Money, formatGroupedMoney } from '../../../core/money.ts'
import type { Period } from '../../../core/period.ts'
import type { Breakdown, Figure, Report, Timeline } from '../../report/report.ts'
import {
  beforeName,
  besideWords,
  changeWords,
  formatCountWithNoun,
  isLost,
  moreWords,
  partWords,
  periodWords,
  shareWords,
  humanizeKey,
} from '../../report/words.ts'
import { formatCustomerSuffix } from '../customer.ts'
import { billedSection, NO_INVOICE } from './billed.ts'
import type { CarrierReport } from './load.ts'

/** The late parcels that a screen shows. */
const SCREEN_LATE = 8

/** Returns the report for people. */
export function carrierView(report: CarrierReport, period: Period, sender: string | undefined): Report {
  const { current, previous, late_now } = report
  const hubName = hubNames(report)
  const isEmpty = [current, previous].every(
    ({ created, delivered }) => created.parcels === 0 && delivered.parcels === 0,
  )
  const sections = [
    late(report, hubName),
    timeline(report, period),
    states(current),
    services(current),
    hubs(current, hubName),
    attempts(current),
    billedSection(report.billed),
  ]
  const beside = besideWords(period)
  return {
    title: `Parcels${sender === undefined ? '' : ` of ${sanitizeForTerminal(sender)}`}${sanitizeForTerminal(formatCustomerSuffix(report.customer))}`,
    period: periodWords(period),
    beside,
    zone: period.timezone,
    headline: headline(current, previous, { beside, late: late_now?.parcels ?? 0 }),
    figures: isEmpty ? [] : figures(current, previous),
    sections: sections.filter((section) => section !== undefined),
    notes: notes(report),
  }
}

function headline(
  { created, delivered }: ParcelSums,
  previous: ParcelSums,
  { beside, late: lateNow }: { beside: string; late: number },
): string {
  const late_ =
    lateNow === 0
      ? ''
      : ` ${formatCountWithNoun(lateNow, 'parcel')} ${lateNow === 1 ? 'is' : 'are'} late now.`
  const arrived =
    delivered.parcels === 0
      ? ''
      : ` ${delivered.parcels.toLocaleString('en-GB')} delivered, ${shareWords(delivered.on_time, delivered.parcels) || '0%'} on time.`
  const before = previous.created.parcels
  if (created.parcels === 0) {
    const none =
      before === 0
        ? `No parcels created, and none ${beside}.`
        : `No parcels created; ${formatCountWithNoun(before, 'parcel')} ${beside}.`
    return none + arrived + late_
  }
  const sent = `${formatCountWithNoun(created.parcels, 'parcel')} created for ${formatGroupedMoney(created.total)}`
  const compared = before === 0 ? '' : `, ${moreWords(created.parcels, before, beside)}`
  return `${sent}${compared}.${arrived}${late_}`
}

function figures(current: ParcelSums, previous: ParcelSums): Figure[] {
  const count = (label: string, value: number, before: number): Figure => ({
    label,
    value: value.toLocaleString('en-GB'),
    before: before.toLocaleString('en-GB'),
    change: changeWords(value, before),
  })
  const share = (label: string, part: (sums: ParcelSums) => number): Figure => ({
    label,
    value: shareWords(part(current), current.delivered.parcels) || '–',
    before: shareWords(part(previous), previous.delivered.parcels) || '–',
    change: '',
  })
  const first = ({ delivered }: ParcelSums): number =>
    delivered.by_attempt.find(({ attempts: tries }) => tries === 1)?.parcels ?? 0
  return [
    count('Sent', current.created.parcels, previous.created.parcels),
    {
      label: 'Price',
      value: formatGroupedMoney(current.created.total),
      before: formatGroupedMoney(previous.created.total),
      change: changeWords(current.created.total.amount, previous.created.total.amount),
    },
    count('Delivered', current.delivered.parcels, previous.delivered.parcels),
    count('Delivered late', current.delivered.late, previous.delivered.late),
    share('On time', ({ delivered }) => delivered.on_time),
    share('Delivered first time', first),
  ]
}

function timeline(
  { current, previous, period: { unit } }: CarrierReport,
  period: Period,
): Timeline | undefined {
  if (current.created.parcels === 0 && previous.created.parcels === 0) return undefined
  const length = Math.max(current.timeline.length, previous.timeline.length)
  const parts = Array.from({ length }, (_, at) => {
    const [part, before] = [current.timeline[at], previous.timeline[at]]
    const span = part ?? before ?? { from: '', to: '' }
    return {
      ...partWords({ from: Date.parse(span.from), to: Date.parse(span.to) }, unit, period),
      value: part?.created ?? 0,
      text: (part?.created ?? 0).toLocaleString('en-GB'),
      before: before?.created ?? 0,
      beforeText: (before?.created ?? 0).toLocaleString('en-GB'),
    }
  })
  return { kind: 'timeline', title: `Parcels created by ${unit}`, parts, beforeName: beforeName(period) }
}

function states({ created }: ParcelSums): Breakdown | undefined {
  return counted('Created, by status', created.by_status, ({ status }) => stateWords(status), created)
}

function services({ created, delivered }: ParcelSums): Breakdown | undefined {
  return punctual(
    'Service',
    SERVICE_LEVELS.map(({ code, name }) => ({
      name,
      sent: created.by_service.find(({ service_level }) => service_level === code),
      arrived: delivered.by_service.find(({ service_level }) => service_level === code),
    })),
  )
}

function hubs({ created, delivered }: ParcelSums, hubName: (id: string) => string): Breakdown | undefined {
  const ids = [...new Set([...created.by_hub, ...delivered.by_hub].map(({ hub_id }) => hub_id))]
  return punctual(
    'Hub',
    ids.map((id) => ({
      name: hubName(id),
      sent: created.by_hub.find(({ hub_id }) => hub_id === id),
      arrived: delivered.by_hub.find(({ hub_id }) => hub_id === id),
    })),
  )
}

type Flow = {
  name: string
  sent: { parcels: number; total: Money } | undefined
  arrived: { parcels: number; on_time: number; late: number } | undefined
}

function punctual(title: string, flows: readonly Flow[]): Breakdown | undefined {
  const rows = flows.filter(({ sent, arrived }) => (sent?.parcels ?? 0) + (arrived?.parcels ?? 0) > 0)
  if (rows.length === 0) return undefined
  return {
    kind: 'breakdown',
    title,
    headings: [title, 'Sent', 'Price', 'Delivered', 'Late', 'On time'],
    rows: rows.map(({ name, sent, arrived }) => {
      const [there, onTime, tooLate] = [arrived?.parcels ?? 0, arrived?.on_time ?? 0, arrived?.late ?? 0]
      return {
        label: sanitizeForTerminal(name),
        value: sent?.parcels ?? 0,
        cells: [
          (sent?.parcels ?? 0).toLocaleString('en-GB'),
          sent === undefined ? '' : formatGroupedMoney(sent.total),
          there.toLocaleString('en-GB'),
          tooLate.toLocaleString('en-GB'),
          there === 0 ? '' : shareWords(onTime, there) || '0%',
        ],
      }
    }),
  }
}

function attempts({ delivered }: ParcelSums): Breakdown | undefined {
  const rows = delivered.by_attempt.filter(({ parcels }) => parcels > 0)
  const names = ['no attempt: picked up by the recipient', 'first attempt', 'second attempt', 'third attempt']
  if (rows.length === 0) return undefined
  return {
    kind: 'breakdown',
    title: 'Delivered at the',
    headings: ['Delivered at the', 'Parcels', 'Share'],
    rows: rows.map(({ attempts: tries, parcels }) => ({
      label: names[tries] ?? `attempt ${tries}`,
      value: parcels,
      cells: [parcels.toLocaleString('en-GB'), shareWords(parcels, delivered.parcels)],
    })),
  }
}

function late({ late_now }: CarrierReport, hubName: (id: string) => string): Breakdown | undefined {
  if (late_now === null || late_now.parcels === 0) return undefined
  return {
    kind: 'breakdown',
    title: 'Late now',
    headings: ['Late now', 'Days late', 'Last scan', 'Reference', 'Hub'],
    words: 4,
    rows: late_now.data.map((parcel) => ({
      label: parcel.tracking_number,
      cells: [
        String(parcel.days_late),
        humanizeKey(parcel.status_detail),
        parcel.reference ?? '',
        hubName(parcel.hub_id),
      ],
    })),
    screenRows: SCREEN_LATE,
  }
}

function counted<T extends { parcels: number; total: Money }>(
  title: string,
  counts: readonly T[],
  name: (count: T) => string,
  all: { parcels: number; total: Money },
): Breakdown | undefined {
  const rows = counts.filter(({ parcels }) => parcels > 0)
  if (rows.length === 0) return undefined
  const cells = ({ parcels, total }: { parcels: number; total: Money }) => [
    parcels.toLocaleString('en-GB'),
    formatGroupedMoney(total),
  ]
  return {
    kind: 'breakdown',
    title,
    headings: [title, 'Parcels', 'Price'],
    rows: rows.map((each) => ({
      label: name(each),
      ...(rows.length > 1 && { value: each.parcels, isLost: isLost(each) }),
      cells: cells(each),
    })),
    ...(rows.length > 1 && { total: { label: 'All parcels', cells: cells(all) } }),
  }
}

function hubNames({ hubs: known }: CarrierReport): (id: string) => string {
  const names = new Map(known?.map(({ hub_id, name }) => [hub_id, name]))
  return (id) => names.get(id) ?? id
}

function notes({ hubs: known, other_currencies, late_now, current, billed }: CarrierReport): string[] {
  return [
    ...(billed === null ? [NO_INVOICE] : []),
    ...(current.delivered.parcels > 0
      ? ['On time: delivered by the date promised when the parcel was created; a delay does not move it.']
      : []),
    ...(known === null
      ? [
          'This login lacks the scope coverage.read. Hubs are shown without names, and a parcel counts as on time by its latest delivery date.',
        ]
      : []),
    ...Object.entries(other_currencies).map(
      ([currency, parcels]) => `${formatCountWithNoun(parcels, 'parcel')} in ${currency} left out.`,
    ),
    ...(late_now !== null && late_now.parcels > late_now.data.length
      ? [`${late_now.data.length} of ${late_now.parcels} late parcels are listed.`]
      : []),
  ]
}
