/** The paper that labels are printed on. */
import type { Item, Sheets } from '../../../core/drawing.ts'
import { drawLabel, LABEL, type Labelled } from './label.ts'

/** In millimetres: 4 × 6 inches, A6, and A4 with four labels. */
const PAPER = {
  '4x6': { width: 101.6, height: 152.4, across: 1, down: 1 },
  a6: { width: 105, height: 148, across: 1, down: 1 },
  a4: { width: 210, height: 297, across: 2, down: 2 },
} as const

export const LABEL_SIZES = ['4x6', 'a6', 'a4'] as const

export type LabelSize = (typeof LABEL_SIZES)[number]

/** The places of an A4 sheet, in rows from the top left. */
export const PLACES = ['1', '2', '3', '4'] as const

/**
 * Returns the sheets of these labels, in their order. The first one goes to the place `start`, from 1. Each sheet is laid
 * out when it is drawn: a service has other calls between two of them.
 */
export function layOutLabels(shipments: readonly Labelled[], size: LabelSize, start = 1): Sheets {
  const { width, height, across, down } = PAPER[size]
  const places = across * down
  const skipped = places === 1 ? 0 : start - 1
  const cell = { width: width / across, height: height / down }
  const length = Math.ceil((skipped + shipments.length) / places)
  const place = (shipment: Labelled, at: number): Item[] => {
    const x = (at % across) * cell.width + (cell.width - LABEL.width) / 2
    const y = Math.floor(at / across) * cell.height + (cell.height - LABEL.height) / 2
    return drawLabel(shipment).map((item) => ({ ...item, x: item.x + x, y: item.y + y }))
  }
  return {
    length,
    *[Symbol.iterator]() {
      for (let sheet = 0; sheet < length; sheet++) {
        const from = sheet * places - skipped
        const own = shipments.slice(Math.max(0, from), from + places)
        const first = Math.max(0, -from)
        yield { width, height, items: own.flatMap((shipment, index) => place(shipment, first + index)) }
      }
    },
  }
}
