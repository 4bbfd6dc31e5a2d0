import type { ManifestWork } from './server/pages/upload/aside.ts'
import type { LabelWork } from './workers/labels.ts'
/** The entry of the threads in which a service draws paper and reads files of rows. */
import { serveWorkerJobs } from './workers/worker.ts'

serveWorkerJobs({
  async labels(input) {
    const { title, parcels, size, start, format, dpi } = input as LabelWork
    const { layOutLabels } = await import('./areas/carrier/label/sheets.ts')
    const { renderDocument } = await import('./rendering/render.ts')
    const { bytes } = await renderDocument(
      { title, sheets: layOutLabels(parcels, size, start) },
      { format, dpi },
    )
    const result = new Uint8Array(bytes)
    return { result, transfer: [result.buffer] }
  },
  async manifest(input, ask) {
    const { runManifestWork } = await import('./server/pages/upload/manifest.ts')
    return { result: await runManifestWork(input as ManifestWork, ask) }
  },
})
