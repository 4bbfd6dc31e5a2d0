/** The postcode areas of the United Kingdom and the Crown Dependencies. Positions are those of the main town. */
import rows from '../../reference-data/postcode-areas.json' with { type: 'json' }

/** Price zones: A London, B the South East and East, C the rest of the mainland, D Highlands, Northern Ireland, isles. */
export type PriceZone = 'A' | 'B' | 'C' | 'D'

type AreaRow = [
  area: string,
  name: string,
  latitude: number,
  longitude: number,
  zone: PriceZone,
  place?: 'island',
]
type DistrictRow = [districts: string, ...row: AreaRow]

export const POSTCODE_AREAS = rows.areas as AreaRow[]

/**
 * Districts that are far from their area's town or have another price zone: islands, Highlands, remote coasts. A
 * coast opposite an island has an entry of its own, so that a point there is not assigned to the island.
 */
export const POSTCODE_DISTRICTS = rows.districts as DistrictRow[]
