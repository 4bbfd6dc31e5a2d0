/** The map of a parcel: from the hub by its depots to the recipient, and where it was scanned last. */
import { isTerminal } from '../../../areas/carrier/states.ts'
import type { Sketch } from '../../../cli/track/map-text.ts'
import { haversineMetres, type Point } from '../../../core/geometry.ts'
import { resolvePlace } from '../../../core/places/place.ts'
import type { Shipment } from '../progress.ts'

/** Scans nearer to each other than this are of one place. */
const SAME_M = 50

/** Returns the map; null before a scan with a place, after the end, and where the address is not known. */
export function parcelSketch({ status, scan_history, recipient }: Shipment): Sketch | null {
  const scans = scan_history.flatMap(({ location: { name, point } }) =>
    point === null ? [] : [{ point, label: name }],
  )
  const [from] = scans
  const last = scans.at(-1)
  const to = resolvePlace({ address: recipient.address })?.location
  if (isTerminal(status) || from === undefined || last === undefined || to === undefined) return null
  const depots = scans.slice(1).filter(({ point }, at) => {
    const isKnown = scans.slice(0, at + 1).some((other) => isSame(other.point, point))
    return !isKnown && !isSame(point, to)
  })
  const back = status === 'returning'
  return {
    way: [
      { ...from, mark: 'A' },
      ...depots.map((depot, at) => ({ ...depot, mark: String(at + 1) })),
      { point: to, mark: 'B', label: recipient.contact.name },
    ],
    vehicle: {
      point: last.point,
      bearing: null,
      label: `Last seen at ${last.label}`,
      to: back ? 'A' : 'B',
    },
  }
}

function isSame(a: Point, b: Point): boolean {
  return haversineMetres(a, b) < SAME_M
}
