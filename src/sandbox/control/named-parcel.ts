/** The parcel that a text names to whoever scans it: by its number, by the barcode of its label, or by its reference. */
import { listAllAccounts } from '../../areas/account/queries/accounts.ts'
import { findLiveShipmentsByReference } from '../../areas/carrier/queries/shipments.ts'
import { looksLikeTrackingNumber, parseLabelBarcode } from '../../areas/carrier/rules/tracking-number.ts'
import type { Tx } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { normalizeIdentifier } from '../../core/identifiers.ts'

/** Returns the error for a parcel that no account sent. */
export function noParcel(number: string): AppError {
  return new AppError('shipment_not_found', `No parcel ${number.slice(0, 40)}.`, {
    hint: '`dray sandbox events` lists all events with their IDs.',
  })
}

/**
 * Returns the number of a parcel, and that of its label where a barcode names one. A reference names a parcel that is not cancelled, of any sender. Throws
 * `shipment_not_found`, and `invalid_request` for a reference that several senders use.
 */
export async function readNamedParcel(
  tx: Tx,
  text: string,
): Promise<{ number: string; label: number | undefined }> {
  const code = parseLabelBarcode(text)
  if (looksLikeTrackingNumber(code.number)) return code
  const reference = normalizeIdentifier(text)
  const numbers = new Set<string>()
  for (const { carrierAgreement } of await listAllAccounts(tx)) {
    if (carrierAgreement === undefined) continue
    const found = await findLiveShipmentsByReference(tx, carrierAgreement.agreement_id, [reference])
    for (const { tracking_number } of found.get(reference) ?? []) numbers.add(tracking_number)
  }
  const [number, ...others] = numbers
  if (number === undefined) throw noParcel(text)
  if (others.length === 0) return { number, label: undefined }
  throw new AppError(
    'invalid_request',
    `Several parcels have the reference ${reference.slice(0, 40)}: ${[...numbers].join(', ')}.`,
    { hint: 'Use the tracking number instead.' },
  )
}
