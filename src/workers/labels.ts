/** Labels, rendered beside the service. */
import type { LabelFields } from '../areas/carrier/label/label.ts'
import type { LabelSize } from '../areas/carrier/label/sheets.ts'
import type { DocumentFormat } from '../rendering/render.ts'
import { runInWorker } from './pool.ts'

export type LabelWork = {
  title: string
  parcels: readonly LabelFields[]
  size: LabelSize
  /** The place of the first one on its sheet, from 1. */
  start: number
  format: DocumentFormat
  /** Dots per inch of a picture or a label printer. */
  dpi: number
}

/** Returns the file with these labels. Throws `service_unavailable`. */
export async function renderLabelsInWorker(input: LabelWork, caller: unknown): Promise<Uint8Array> {
  return (await runInWorker({ work: 'labels', input, caller })) as Uint8Array
}
