/** The route of a parcel's label, for those who may see the parcel. */
import { hasLabel, type LabelFields } from '../../areas/carrier/label/label.ts'
import { LABEL_PATH, parseLabelParameters } from '../../areas/carrier/label/parameters.ts'
import { AppError } from '../../core/errors.ts'
import { renderLabelsInWorker } from '../../workers/labels.ts'
import { invokeOperation, queryOf } from '../call.ts'
import type { Route, RouteDeps } from '../route.ts'
import { LABEL_MEDIA_TYPES } from './media-types.ts'

/** The same checks as those of `get_shipment`, in the same order, decide who gets it. */
export function labelRoute({ gateway }: Pick<RouteDeps, 'gateway'>): Route {
  return {
    name: 'label',
    method: 'GET',
    path: LABEL_PATH,
    crossOrigin: 'allowed',
    async answer(incoming, note) {
      const found = await invokeOperation(gateway, 'get_shipment', { ...incoming, query: '' }, note)
      if (found.status !== 200) return found
      const { format, size, dpi } = parseLabelParameters(queryOf(incoming.raw))
      const shipment = JSON.parse(found.body) as LabelFields
      if (!hasLabel(shipment))
        throw new AppError(
          'invalid_state',
          `${shipment.tracking_number} is cancelled; a cancelled parcel has no label.`,
        )
      const title = `Label ${shipment.tracking_number}`
      const bytes = await renderLabelsInWorker(
        { title, parcels: [shipment], size, start: 1, format, dpi: Number(dpi) },
        incoming.raw.headers.authorization,
      )
      const name = `${shipment.tracking_number}.${format}`
      return {
        status: 200,
        headers: {
          ...found.headers,
          'Content-Type': LABEL_MEDIA_TYPES[format],
          'Content-Disposition': `inline; filename="${name}"`,
        },
        body: bytes,
      }
    },
  }
}
