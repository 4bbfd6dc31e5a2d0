/** The manifest of a day: what a driver takes from a hub and signs for, on sheets of A4. */
import type { Address } from '../../../core/address.ts'
import type { DrawingBox, DrawingItem, DrawingSheet, TextItem } from '../../../core/drawing.ts'
import { SERVICE_LEVELS, type ServiceLevelCode } from '../rules/rates.ts'
import { addressLines } from './address.ts'
import { formatLabelDate, formatWeight } from './label.ts'

export type HandoverParcel = {
  tracking_number: string
  reference: string | null
  service_level: ServiceLevelCode
  route_code: string
  recipient_name: string
  postal_code: string
  country_code: string
  weight_grams: number
  /** The time of day at the hub; null for a parcel that waits. */
  handed_over: string | null
}

export type Handover = {
  hub: { code: string; name: string; address: Address; collection: { from: string; cutoff: string } }
  /** The sender's name. */
  sender: string
  date: string
  parcels: readonly HandoverParcel[]
  /** The text of its bar codes; absent for a list that no scan collects. */
  manifest_id?: string | undefined
}

export type ServiceCount = { service_level: ServiceLevelCode; parcels: number; weight_grams: number }

/** Counts parcels and weight by service, fastest first, without those that have none. */
export function countServices(parcels: readonly HandoverParcel[]): ServiceCount[] {
  return SERVICE_LEVELS.map(({ code }) => {
    const own = parcels.filter(({ service_level }) => service_level === code)
    return { service_level: code, parcels: own.length, weight_grams: weightOf(own) }
  }).filter((count) => count.parcels > 0)
}

export function weightOf(parcels: readonly { weight_grams: number }[]): number {
  return parcels.reduce((sum, { weight_grams }) => sum + weight_grams, 0)
}

const PAGE = { width: 210, height: 297 } as const
const LEFT = 14
const WIDTH = PAGE.width - 2 * LEFT
const ROW = 6
/** The place where the list begins: on the first page below the counts and the signatures, and on all others. */
const FIRST_LIST = 108
/** The height of the codes, below which the list of a manifest begins. */
const CODES = 24
const LIST = 26
const LIST_END = 282

const HEAD_ROW = 7

function rowsFrom(top: number): number {
  return Math.floor((LIST_END - top - HEAD_ROW) / ROW)
}

/** Returns the sheets of a manifest. */
export function layOutHandover(handover: Handover): DrawingSheet[] {
  const { parcels, manifest_id } = handover
  const first = manifest_id === undefined ? FIRST_LIST : FIRST_LIST + CODES
  const rest = Math.max(0, parcels.length - rowsFrom(first))
  const pages = 1 + Math.ceil(rest / rowsFrom(LIST))
  let next = 0
  return Array.from({ length: pages }, (_, page) => {
    const top = page === 0 ? first : LIST
    const from = next
    next += rowsFrom(top)
    return {
      ...PAGE,
      items: [
        ...(page === 0 ? cover(handover) : running(handover)),
        ...list(parcels.slice(from, next), from, top),
        text([`Page ${page + 1} of ${pages}`], { x: LEFT, y: 285, width: WIDTH, height: 5 }, 9, {
          align: 'right',
        }),
      ],
    }
  })
}

/** The head of the first page: the giver, the receiver and the parcels. */
function cover(handover: Handover): DrawingItem[] {
  const { hub, sender, date, parcels, manifest_id } = handover
  const waiting = parcels.filter(({ handed_over }) => handed_over === null).length
  const state =
    waiting === 0
      ? 'All parcels are collected.'
      : waiting === parcels.length
        ? 'No parcels are collected yet.'
        : `${waiting} of ${parcels.length} parcels are awaiting collection.`
  const { from, cutoff } = hub.collection
  return [
    text([titleOf(handover)], { x: LEFT, y: 12, width: 120, height: 11 }, 24, { bold: true }),
    text([formatLabelDate(date)], { x: 134, y: 12, width: 62, height: 11 }, 20, { align: 'right' }),
    rule(LEFT, 25, WIDTH, 0.6),
    text(['HUB'], { x: LEFT, y: 27.5, width: 80, height: 4 }, 7),
    text([`${hub.code}  ${hub.name}`], { x: LEFT, y: 31.5, width: 86, height: 7 }, 14, { bold: true }),
    text([addressLines(hub.address).join(', ')], { x: LEFT, y: 39, width: 86, height: 9 }, 9),
    text([`Collection ${from}–${cutoff}`], { x: LEFT, y: 48.5, width: 86, height: 4.5 }, 9),
    text(['SENDER'], { x: 110, y: 27.5, width: 80, height: 4 }, 7),
    text([sender], { x: 110, y: 31.5, width: 86, height: 12 }, 14, { bold: true }),
    text([state], { x: 110, y: 46, width: 86, height: 7 }, 11, { bold: true }),
    ...counts(parcels),
    ...signatures(),
    ...(manifest_id === undefined ? [] : codes(manifest_id)),
  ]
}

/** The table of services, with a line for all. */
function counts(parcels: readonly HandoverParcel[]): DrawingItem[] {
  const rows = countServices(parcels).map((count): [string, number, number] => [
    nameOf(count.service_level),
    count.parcels,
    count.weight_grams,
  ])
  const lines: [string, number, number][] = [...rows, ['Total', parcels.length, weightOf(parcels)]]
  return [
    ...cells(['Service', 'Parcels', 'Weight'], 56, { bold: true }),
    rule(LEFT, 62, 86, 0.4),
    ...lines.flatMap(([name, count, grams], index) => [
      ...(index === rows.length ? [rule(LEFT, 63 + index * ROW, 86, 0.25)] : []),
      ...cells([name, String(count), formatWeight(grams)], 63.5 + index * ROW, {
        bold: index === rows.length,
      }),
    ]),
  ]
}

function cells(
  [name = '', count = '', weight = '']: readonly string[],
  y: number,
  style: Style,
): DrawingItem[] {
  return [
    text([name], { x: LEFT, y, width: 36, height: 5.5 }, 11, style),
    text([count], { x: 50, y, width: 22, height: 5.5 }, 11, { ...style, align: 'right' }),
    text([weight], { x: 72, y, width: 28, height: 5.5 }, 11, { ...style, align: 'right' }),
  ]
}

/** Renders the boxes for who gave and who took, with space to write. */
function signatures(): DrawingItem[] {
  return [
    ['HANDED OVER BY (NAME, SIGNATURE)', 56],
    ['COLLECTED BY DRIVER (NAME, SIGNATURE, TIME)', 79],
  ].flatMap(([title, y]): DrawingItem[] => [
    { kind: 'frame', x: 110, y: Number(y), width: 86, height: 21, line: 0.3 },
    text([String(title)], { x: 111.5, y: Number(y) + 1, width: 83, height: 4 }, 7),
  ])
}

/** Renders the codes that the driver scans. */
function codes(value: string): DrawingItem[] {
  return [
    { kind: 'code128', x: LEFT, y: 105, width: 150, height: 16, value },
    text([value], box(LEFT, 122, 150, 5), 10, { align: 'centre' }),
    { kind: 'datamatrix', x: 172, y: 104, width: 24, height: 24, value },
  ]
}

/** A list without a code looks like no manifest: no scan collects what is on it. */
function titleOf({ manifest_id }: Handover): string {
  return manifest_id === undefined ? 'Collection list' : 'Collection manifest'
}

/** The head of the other pages. */
function running(handover: Handover): DrawingItem[] {
  const { hub, sender, date } = handover
  return [
    text([`${titleOf(handover)}  ${hub.code}  ${formatLabelDate(date)}`], box(LEFT, 12, 110, 7), 12, {
      bold: true,
    }),
    text([sender], box(126, 12, 70, 7), 11, { align: 'right' }),
    rule(LEFT, 21, WIDTH, 0.4),
  ]
}

/** The columns of the list: title, left edge, width. */
const COLUMNS = [
  ['No.', 14, 11],
  ['Tracking number', 26, 34],
  ['Reference', 61, 33],
  ['To', 95, 36],
  ['Postcode', 132, 18],
  ['Service', 151, 18],
  ['Weight', 169, 13],
  ['Taken', 184, 12],
] as const

function list(parcels: readonly HandoverParcel[], before: number, top: number): DrawingItem[] {
  if (parcels.length === 0) return []
  return [
    ...row(
      COLUMNS.map(([title]) => title),
      top,
      { bold: true },
    ),
    rule(LEFT, top + HEAD_ROW - 1, WIDTH, 0.4),
    ...parcels.flatMap((parcel, index) => {
      const y = top + HEAD_ROW + index * ROW
      return [
        ...row(valuesOf(parcel, before + index + 1), y, { country: parcel.country_code }),
        // The driver ticks what waits.
        ...(parcel.handed_over === null
          ? [{ kind: 'frame' as const, x: 188, y: y + 0.9, width: 3.4, height: 3.4, line: 0.3 }]
          : []),
        rule(LEFT, y + ROW - 0.4, WIDTH, 0.1),
      ]
    }),
  ]
}

function valuesOf(parcel: HandoverParcel, number: number): string[] {
  return [
    String(number),
    parcel.tracking_number,
    parcel.reference ?? '',
    parcel.recipient_name,
    parcel.country_code === 'GB' ? parcel.postal_code : `${parcel.country_code} ${parcel.postal_code}`,
    nameOf(parcel.service_level),
    formatWeight(parcel.weight_grams),
    parcel.handed_over ?? '',
  ]
}

function row(values: readonly string[], y: number, style: Style): DrawingItem[] {
  return COLUMNS.flatMap(([title, x, width], index): DrawingItem[] => {
    const value = values[index] ?? ''
    if (value === '') return []
    // A name in Arabic, too, is below its title: at its right edge it would touch the postcode.
    const align = title === 'Weight' ? 'right' : 'left'
    return [text([value], box(x, y, width, ROW - 1), 9, { least: 3.5, stands: 'middle', ...style, align })]
  })
}

function nameOf(code: ServiceLevelCode): string {
  return SERVICE_LEVELS.find((level) => level.code === code)?.name ?? code
}

type Style = Partial<Omit<TextItem, 'kind' | 'lines' | 'size' | keyof DrawingBox>>

function text(
  lines: readonly string[],
  { x, y, width, height }: DrawingBox,
  size: number,
  style: Style = {},
): TextItem {
  return { kind: 'text', x, y, width, height, lines, size, least: size / 2, ...style }
}

function box(x: number, y: number, width: number, height: number): DrawingBox {
  return { x, y, width, height }
}

function rule(x: number, y: number, width: number, height: number): DrawingItem {
  return { kind: 'fill', x, y, width, height }
}
