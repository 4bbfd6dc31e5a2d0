import * as Type from 'typebox'
import { AppError } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, paginationParams, nonBlankText } from '../../core/schema.ts'
import { requireCarrierAgreement } from './access.ts'
import { searchShipmentsByWords } from './queries/shipment-words.ts'
import { findShipment } from './queries/shipments.ts'
import { isTrackingNumber, normalizeTrackingNumber } from './rules/tracking-number.ts'
import { isTooShort, toQuestion } from './rules/words.ts'
import { SHIPMENT_EXAMPLE, shipmentSummary } from './schema.ts'
import { toShipmentSummary } from './views.ts'

export const findShipments = defineOperation({
  name: 'find_shipments',
  area: 'carrier',
  toolset: 'parcel-changes',
  summary: 'Find parcels by name, address or part of a reference',
  description:
    'Each word begins a word of the recipient’s name, company, street, town or postcode, or of the reference; 4 or more characters may stand anywhere in a reference. Case, accents and apostrophes do not matter. Newest first; has_more is true if there are others.',
  details:
    'oneill finds O’Neill, maryann Mary-Ann and mueller Müller. A complete tracking number finds its parcel.',
  method: 'GET',
  path: '/v1/shipment-search',
  scope: 'shipments.read',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    q: nonBlankText(100, { description: 'Words of name, address or reference' }),
    limit: paginationParams.limit,
  }),
  output: strictObject({
    data: Type.Array(shipmentSummary, { meaning: 'Parcels, newest first' }),
    has_more: Type.Boolean({ meaning: 'True if more parcels fit' }),
  }),
  errors: [],
  example: () => ({ q: SHIPMENT_EXAMPLE.recipient.contact.name }),
  cli: {
    command: 'carrier find',
    danger: 'read',
    positionals: ['q...'],
    columns: [
      'tracking_number',
      'reference',
      { field: 'customer', dropOrder: 1 },
      'status',
      'recipient.contact.name',
      'recipient.address.postal_code',
      'estimated_delivery_date',
    ],
    empty:
      'No parcel has all these words. Searched: recipient’s name, company, street, town and postcode, and the reference.',
    examples: ['dray carrier find lefevre zoe', 'dray carrier find RG1 1DB', 'dray carrier find 1001'],
  },
  async run(context, { q }) {
    const { tx, cursor } = context
    const agreementId = requireCarrierAgreement(context)
    const number = normalizeTrackingNumber(q)
    if (isTrackingNumber(number)) {
      const parcel = await findShipment(tx, number)
      return {
        data: parcel?.agreement_id === agreementId ? [toShipmentSummary(parcel)] : [],
        has_more: false,
      }
    }
    const question = toQuestion(q)
    if (isTooShort(question)) throw tooShort()
    const found = await searchShipmentsByWords(tx, agreementId, question, cursor.limit + 1)
    return {
      data: found.slice(0, cursor.limit).map(toShipmentSummary),
      has_more: found.length > cursor.limit,
    }
  },
})

function tooShort(): AppError {
  const detail = 'q needs a word of at least 2 letters or digits'
  return new AppError('invalid_request', `${detail}.`, {
    errors: [{ parameter: 'q', code: 'out_of_range', detail }],
  })
}
