/** Labels, drawn beside the service. */
import type { LabelFields } from '../areas/carrier/label/label.ts'
import type { LabelSize } from '../areas/carrier/label/sheets.ts'
import type { PaperFormat } from '../rendering/render.ts'
import { runAside } from './pool.ts'

export type LabelWork = {
  title: string
  parcels: readonly LabelFields[]
  size: LabelSize
  /** The place of the first one on its sheet, from 1. */
  start: number
  format: PaperFormat
  /** Dots per inch of a picture or a label printer. */
  dpi: number
}

/** Returns the file with these labels. Throws `service_unavailable`. */
export async function drawLabels(input: LabelWork, caller: unknown): Promise<Uint8Array> {
  return (await runAside({ work: 'labels', input, caller })) as Uint8Array
}
