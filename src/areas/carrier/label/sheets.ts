/** The paper that labels are printed on. */
import type { DrawingItem, Sheets } from '../../../core/drawing.ts'
import { renderLabel, LABEL, type LabelFields } from './label.ts'

type Paper = {
  width: number
  height: number
  /** The left edges and the top edges of the places for a label. */
  columns: readonly number[]
  rows: readonly number[]
  place: { width: number; height: number }
}

/**
 * In millimetres: 4 × 6 inches, A6, and A4 with four labels. The places of A4 are the stickers of 99.1 × 139 mm that shops
 * sell by four; they lie within the quarters of a sheet that is cut.
 */
const PAPER: Record<LabelSize, Paper> = {
  '4x6': wholeSheet(101.6, 152.4),
  a6: wholeSheet(105, 148),
  a4: {
    width: 210,
    height: 297,
    columns: [4.65, 106.25],
    rows: [9.5, 148.5],
    place: { width: 99.1, height: 139 },
  },
}

function wholeSheet(width: number, height: number): Paper {
  return { width, height, columns: [0], rows: [0], place: { width, height } }
}

/** The least white around a label: printers pull a sheet in by up to a millimetre beside its place. */
const MARGIN = 1.5

export const LABEL_SIZES = ['4x6', 'a6', 'a4'] as const

export type LabelSize = (typeof LABEL_SIZES)[number]

/** The places of an A4 sheet, in rows from the top left. */
export const LABEL_SHEET_PLACES = ['1', '2', '3', '4'] as const

/**
 * Returns the sheets of these labels, in their order. The first one goes to the place `start`, from 1. Each sheet is laid
 * out when it is rendered: a service has other calls between two of them.
 */
export function layOutLabels(shipments: readonly LabelFields[], size: LabelSize, start = 1): Sheets {
  const { width, height, columns, rows, place } = PAPER[size]
  const places = columns.length * rows.length
  const skipped = places === 1 ? 0 : start - 1
  const length = Math.ceil((skipped + shipments.length) / places)
  // No place is too narrow for a label; some are too low.
  const factor = Math.min(1, (place.height - 2 * MARGIN) / LABEL.height)
  const drawAt = (shipment: LabelFields, at: number): DrawingItem[] => {
    const left = (columns[at % columns.length] ?? 0) + (place.width - LABEL.width * factor) / 2
    const top = (rows[Math.floor(at / columns.length)] ?? 0) + (place.height - LABEL.height * factor) / 2
    return renderLabel(shipment).map((item) =>
      moveItem(item, { left, top, factor, subject: shipment.tracking_number }),
    )
  }
  return {
    length,
    *[Symbol.iterator]() {
      for (let sheet = 0; sheet < length; sheet++) {
        const from = sheet * places - skipped
        const own = shipments.slice(Math.max(0, from), from + places)
        const first = Math.max(0, -from)
        yield { width, height, items: own.flatMap((shipment, index) => drawAt(shipment, first + index)) }
      }
    },
  }
}

/** Returns an item of a subject whose origin is at this place, and whose lengths are multiplied by `factor`. */
function moveItem(
  item: DrawingItem,
  { left, top, factor, subject }: { left: number; top: number; factor: number; subject: string },
): DrawingItem {
  const box = {
    x: left + item.x * factor,
    y: top + item.y * factor,
    width: item.width * factor,
    height: item.height * factor,
  }
  if (item.kind === 'text')
    return { ...item, ...box, size: item.size * factor, least: item.least * factor, subject }
  return { ...item, ...box }
}
