/** The label of a parcel in the OpenAPI document: it is no operation, because its response is no JSON. */
import { LABEL_PARAMETERS, LABEL_PATH } from '../../areas/carrier/label/parameters.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { AnyOperation } from '../../core/operation.ts'
import { describeErrorResponse, COMMON_RESPONSE_HEADERS } from '../openapi-parts.ts'
import type { JsonNode } from '../openapi-schemas.ts'
import { LABEL_MEDIA_TYPES } from './media-types.ts'

/** The codes that only drawing a label has. */
export const LABEL_CODES: readonly ErrorCode[] = ['font_not_installed']

/** Returns the label's path. It shares the checks of `get_shipment`; `refusals` are the errors of that one by status. */
export function describeLabel(operation: AnyOperation, refusals: JsonNode): Record<string, JsonNode> {
  const { scope, entitlement, area } = operation
  const binary = { schema: { type: 'string', format: 'binary' } }
  // Its type is that of its address, whatever a caller accepts.
  const { 406: _, ...errors } = refusals
  return {
    [LABEL_PATH]: {
      get: {
        operationId: 'get_shipment_label',
        summary: 'Get the label of a parcel: PDF, ZPL or PNG',
        description: 'A cancelled parcel has no label. `label.files` of the parcel has these paths.',
        tags: [area],
        security: [{ bearer: [scope] }, { oauth2: [scope] }],
        'x-scope': scope,
        'x-entitlement': entitlement,
        parameters: [
          {
            name: 'tracking_number',
            in: 'path',
            required: true,
            description: 'Tracking number; spaces and lower case allowed',
            schema: { type: 'string' },
            example: 'ZC968043370GB',
          },
          ...Object.entries(LABEL_PARAMETERS).map(([name, { values, usual, means }]) => ({
            name,
            in: 'query',
            required: false,
            description: means,
            schema: { type: 'string', enum: [...values], ...(usual !== undefined && { default: usual }) },
          })),
        ],
        responses: {
          200: {
            description: 'Label.',
            headers: COMMON_RESPONSE_HEADERS,
            content: Object.fromEntries(Object.values(LABEL_MEDIA_TYPES).map((type) => [type, binary])),
          },
          ...errors,
          409: describeErrorResponse(409, ['invalid_state']),
          501: describeErrorResponse(501, LABEL_CODES),
        },
      },
    },
  }
}
