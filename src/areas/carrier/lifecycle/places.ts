/** The places of a parcel's scans. */
import type { Address } from '../../../core/address.ts'
import { findPostcodeArea } from '../../../core/places/postcode.ts'
import type { Hub } from '../queries/hubs.ts'
import type { ScanLocation } from '../queries/shipment-events.ts'

/** The place of a hub, as an event says it. */
export function hubLocation({ hub_id, name, address, location }: Hub): ScanLocation {
  return { hub_id, name, city: address.city, country_code: address.country_code, point: location }
}

/** The recipient's door, without what only the recipient should be found by. */
export function recipientPlace(
  { city, country_code, postal_code, location }: Address,
  depot: ScanLocation,
): ScanLocation {
  const area = findPostcodeArea(postal_code)
  const point = location ?? (area && { latitude: area.latitude, longitude: area.longitude }) ?? depot.point
  return { hub_id: null, name: 'Recipient', city, country_code, point }
}
