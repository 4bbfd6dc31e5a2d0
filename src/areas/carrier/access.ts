import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import type { DueEventScope } from '../../core/operation.ts'
import { type Hub, listAgreementHubs, pickHub } from './queries/hubs.ts'
import { findShipment, lockShipment, type ShipmentRecord } from './queries/shipments.ts'
import { isTrackingNumber, normalizeTrackingNumber } from './rules/tracking-number.ts'

/** Returns the agreement whose parcels and depots the caller sees. */
export function requireCarrierAgreement({ account }: Pick<OperationContext, 'account'>): string {
  const { carrierAgreement } = account
  if (carrierAgreement === undefined)
    throw new AppError('agreement_required', 'The account has no carrier agreement.')
  return carrierAgreement.agreement_id
}

/** All parcels of the caller's agreement, for an operation that reads many of them. */
export function agreementDueScope(
  _input: unknown,
  { account }: Pick<OperationContext, 'account'>,
): DueEventScope {
  const { carrierAgreement: agreement } = account
  return agreement === undefined ? undefined : { owner: agreement.agreement_id }
}

/** Loads the caller's parcel by its number as typed; with `lock`, for a change. Throws for another agreement's. */
export async function loadOwnShipment(
  context: OperationContext,
  trackingNumber: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<ShipmentRecord> {
  const number = normalizeTrackingNumber(trackingNumber)
  if (!isTrackingNumber(number)) {
    const detail = `${JSON.stringify(trackingNumber.slice(0, 40))} is not a valid tracking number; check its digits.`
    throw new AppError('invalid_tracking_number', detail, {
      errors: [{ parameter: 'tracking_number', code: 'invalid_format', detail }],
    })
  }
  const shipment = lock ? await lockShipment(context.tx, number) : await findShipment(context.tx, number)
  if (shipment === undefined || shipment.agreement_id !== requireCarrierAgreement(context)) {
    throw new AppError('shipment_not_found', `No parcel ${number}.`)
  }
  return shipment
}

/** Loads a hub of the caller's agreement, also a closed one, by its code or id. Throws `hub_not_found`. */
export async function loadOwnHub(context: OperationContext, idOrCode: string): Promise<Hub> {
  const hubs = await listAgreementHubs(context.tx, requireCarrierAgreement(context))
  const hub = pickHub(hubs, idOrCode)
  if (hub !== undefined) return hub
  throw new AppError('hub_not_found', `No hub ${idOrCode.slice(0, 40)} in your agreement.`)
}
