import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { ownedBy, type ResourceOwner } from '../../core/owned.ts'
import { type Hub, listAgreementHubs, pickHub } from './queries/hubs.ts'
import { findShipment, lockShipment } from './queries/shipments.ts'
import { SHIPMENT } from './resource.ts'
import { isTrackingNumber, normalizeTrackingNumber } from './rules/tracking-number.ts'
import { shipment, trackingNumber } from './schema.ts'
import { serializeShipment } from './views.ts'

/** Returns the agreement with the parcels and hubs that the caller sees. */
export function requireCarrierAgreement({ account }: Pick<OperationContext, 'account'>): string {
  const { carrierAgreement } = account
  if (carrierAgreement === undefined)
    throw new AppError('agreement_required', 'The account has no carrier agreement.')
  return carrierAgreement.agreement_id
}

/** The owner of parcels. */
export const CARRIER_AGREEMENT: ResourceOwner = {
  entitlement: 'carrier_agreement',
  idOf: requireCarrierAgreement,
  touches: (_input, { account: { carrierAgreement: agreement } }) =>
    agreement === undefined ? undefined : { owner: agreement.agreement_id },
}

export const OWN_SHIPMENT = ownedBy(CARRIER_AGREEMENT, {
  resource: SHIPMENT,
  path: '/v1/shipments',
  scopes: { read: 'shipments.read', act: 'shipments.manage' },
  id: trackingNumber,
  typed: {
    normalize: normalizeTrackingNumber,
    assert: assertTrackingNumber,
    error: 'invalid_tracking_number',
  },
  output: shipment,
  find: findShipment,
  lock: lockShipment,
  ownerOf: ({ agreement_id }) => agreement_id,
  serialize: ({ tx, world }, parcel) => serializeShipment(tx, world, parcel),
})

function assertTrackingNumber(text: string): void {
  if (isTrackingNumber(normalizeTrackingNumber(text))) return
  const detail = `${JSON.stringify(text.slice(0, 40))} is not a valid tracking number; check its digits.`
  throw new AppError('invalid_tracking_number', detail, {
    errors: [{ parameter: 'tracking_number', code: 'invalid_format', detail }],
  })
}

/** Loads a hub of the caller's agreement, also a closed one, by its code or id. Throws `hub_not_found`. */
export async function loadOwnHub(context: OperationContext, idOrCode: string): Promise<Hub> {
  const hubs = await listAgreementHubs(context.tx, requireCarrierAgreement(context))
  const hub = pickHub(hubs, idOrCode)
  if (hub !== undefined) return hub
  throw new AppError('hub_not_found', `No hub ${idOrCode.slice(0, 40)} in your agreement.`)
}
