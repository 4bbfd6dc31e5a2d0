import { foldForSearch } from '../fold.ts'
import { haversineMetres, type Point } from '../geometry.ts'
import { normalizeIdentifier } from '../identifiers.ts'
import { POSTCODE_AREAS, POSTCODE_DISTRICTS, type PriceZone } from './postcode-areas.ts'

export type { PriceZone }

/** A postcode area: its code, the town or island that stands for it, the position and the price zone. */
export type PostcodeArea = Point & { area: string; name: string; zone: PriceZone; island: boolean }

/** A point farther than this from every known town is not served. */
const REACH_M = 60_000

/** Returns the form in which postcodes are compared: upper case, no spaces. */
export function normalizePostcode(text: string): string {
  return normalizeIdentifier(text).replace(/\s/g, '').toUpperCase()
}

/** Formats a postcode for people: a British one gets its space, others only upper case. */
export function formatPostcode(text: string): string {
  const compact = normalizePostcode(text)
  if (splitPostcode(compact)?.inward === undefined)
    return normalizeIdentifier(text).replace(/\s+/g, ' ').toUpperCase()
  return `${compact.slice(0, -3)} ${compact.slice(-3)}`
}

/** Returns the area of a British postcode, or of its outward half (`SW1A`); undefined when there is none. */
export function findPostcodeArea(postcode: string): PostcodeArea | undefined {
  const parts = splitPostcode(normalizePostcode(postcode))
  if (parts === undefined) return undefined
  return byDistrict().get(`${parts.area}${parts.district}`) ?? byArea().get(parts.area)
}

/** Returns the nearest area to a point, at most 60 km away. */
export function nearestArea(point: Point): PostcodeArea | undefined {
  let nearest: PostcodeArea | undefined
  let distance = REACH_M
  for (const place of places()) {
    const metres = haversineMetres(point, place)
    if (metres <= distance) [nearest, distance] = [place, metres]
  }
  return nearest
}

/** Returns the folded name of a place in addresses: the postcode areas of London are all called London. */
export function townOf({ name }: PostcodeArea): string {
  return foldForSearch(name).replace(/^.* london$/, 'london')
}

let nameIndex: Map<string, PostcodeArea[]> | undefined

/** Returns the places of this folded name. */
export function placesNamed(name: string): readonly PostcodeArea[] {
  nameIndex ??= Map.groupBy(places(), townOf)
  return nameIndex.get(name) ?? []
}

/** Postcodes of places that people know as British, or that look like it, outside the network of the carrier. */
const ELSEWHERE: readonly (readonly [shape: RegExp, place: string])[] = [
  [/^BF\d{1,2}(?:\d[A-Z]{2})?$|^BFPO\d{1,4}$/, 'British Forces addresses (BFPO)'],
  [/^GX111AA$/, 'Gibraltar'],
  [/^FIQQ1ZZ$/, 'the Falkland Islands'],
  [/^SIQQ1ZZ$/, 'South Georgia'],
  [/^BBND1ZZ$/, 'the British Indian Ocean Territory'],
  [/^BIQQ1ZZ$/, 'the British Antarctic Territory'],
  [/^(?:ASCN|STHL|TDCU)1ZZ$/, 'Saint Helena, Ascension and Tristan da Cunha'],
  [/^PCRN1ZZ$/, 'Pitcairn'],
  [/^TKCA1ZZ$/, 'the Turks and Caicos Islands'],
  [/^AI-?2640$/, 'Anguilla'],
  [/^KY[1-3]-?\d{4}$/, 'the Cayman Islands'],
  [/^MSR-?\d{4}$/, 'Montserrat'],
  [/^VG-?\d{4}$/, 'the British Virgin Islands'],
  // An Eircode: a routing key, then four letters or digits.
  [/^(?:[AC-FHKNPRTV-Y]\d{2}|D6W)[0-9AC-FHKNPRTV-Y]{4}$/, 'Ireland'],
]

/** Returns the place of a known postcode outside the United Kingdom and the Crown Dependencies, such as `Gibraltar`. */
export function findForeignPostcodePlace(postcode: string): string | undefined {
  const compact = normalizePostcode(postcode)
  return ELSEWHERE.find(([shape]) => shape.test(compact))?.[1]
}

const GAP = '[\\s._/,-]*'
const NUMBER = `(?:${GAP}(?:no|nr|number|#))?${GAP}\\d`

/** The spellings of a post office box. `POB`, `P.O.`, `BP` and `Post box` only before a number: `Post Box Lane` is a street. */
const PO_BOX = new RegExp(
  [
    `\\b(?:g${GAP})?p${GAP}[o0]${GAP}bo?x(?![a-z])`,
    `\\bp${GAP}o${GAP}b${NUMBER}`,
    `\\bp\\.\\s*o\\.?${NUMBER}`,
    `^p\\s?o\\s+\\d+$`,
    `\\bpost[\\s.-]*office[\\s.-]*bo?x(?![a-z])`,
    `\\b(?:post(?:al)?|(?:private|locked)(?: mail)?)[\\s.-]*(?:box|bag)${NUMBER}`,
    `^b\\.?\\s?p\\.?\\s*\\d+$`,
    `\\b(?:postfach|postbus|postboks|casella postale|boite postale|apartado(?: de correos)?|caixa postal)${NUMBER}`,
  ].join('|'),
)

/** Returns whether an address line is a post office box, to which no courier can deliver. */
export function isPoBox(addressLine: string): boolean {
  return PO_BOX.test(foldForSearch(addressLine.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')))
}

type PostcodeParts = { area: string; district: string; inward: string | undefined }

function splitPostcode(compact: string): PostcodeParts | undefined {
  const match = /^([A-Z]{1,2})(\d{1,2}|\d[A-Z])(\d[ABD-HJLNP-UW-Z]{2})?$/.exec(compact)
  if (match === null) return undefined
  const [, area = '', district = '', inward] = match
  return { area, district, inward }
}

let allPlaces: PostcodeArea[] | undefined
let areaIndex: Map<string, PostcodeArea> | undefined
let districtIndex: Map<string, PostcodeArea> | undefined

function byArea(): Map<string, PostcodeArea> {
  areaIndex ??= new Map(POSTCODE_AREAS.map((row): [string, PostcodeArea] => [row[0], toPlace(row)]))
  return areaIndex
}

function byDistrict(): Map<string, PostcodeArea> {
  if (districtIndex !== undefined) return districtIndex
  districtIndex = new Map()
  for (const [districts, ...row] of POSTCODE_DISTRICTS) {
    const place = toPlace(row)
    for (const district of expand(districts)) districtIndex.set(`${row[0]}${district}`, place)
  }
  return districtIndex
}

function places(): PostcodeArea[] {
  allPlaces ??= [...byArea().values(), ...new Set(byDistrict().values())]
  return allPlaces
}

/** Expands `8,15-17` into its numbers. */
function expand(districts: string): number[] {
  return districts.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

function toPlace([
  area,
  name,
  latitude,
  longitude,
  zone,
  place,
]: (typeof POSTCODE_AREAS)[number]): PostcodeArea {
  return { area, name, latitude, longitude, zone, island: place === 'island' }
}
