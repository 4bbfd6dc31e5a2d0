/** Asks a server that speaks OSRM's `/route/v1/{profile}` protocol for a route (`contract.md` H9). */
import { AppError } from '../core/errors.ts'
import type { Point, Vehicle } from '../core/geometry.ts'
import { haversineMetres, roundPoint } from '../core/geometry.ts'
import type { Route, RouteRequest } from '../core/route.ts'

const PROFILES: Readonly<Record<Vehicle, string>> = {
  car: 'driving',
  motorbike: 'driving',
  bicycle: 'cycling',
  walker: 'walking',
}

const TIMEOUT_MS = 5000
const MOST_BYTES = 4_194_304
/** An upper limit in metres and in seconds: longer than any road on earth. */
const LIMIT = 100_000_000
/** The furthest that an engine may move a point to its nearest road, in metres. */
const MOST_MOVED = 500
/** The part of a straight line by which engines differ: their earths have other shapes. */
const TOLERANCE = 0.01

/**
 * Returns the fastest route that the server knows. Throws `service_unavailable` when it does not answer in time,
 * sends something else, or a route that is shorter than the straight line; and `outside_service_area` when no road leads there.
 */
export async function askOsrm(
  baseUrl: string,
  routeRequest: RouteRequest,
  timeoutMs = TIMEOUT_MS,
): Promise<Route> {
  const { status, text } = await fetchText(urlOf(baseUrl, routeRequest), timeoutMs)
  const answer = parse(text)
  const { code } = answer
  if (code === 'NoRoute' || code === 'NoSegment')
    throw new AppError('outside_service_area', 'The route engine found no road to this address.')
  if (status !== 200 || code !== 'Ok') throw unavailable(`it responded with ${status}`)
  const [route] = asArray(answer['routes'])
  const found = route as { distance?: unknown; duration?: unknown; geometry?: unknown } | undefined
  const [distance, duration] = [toWhole(found?.distance), toWhole(found?.duration)]
  if (distance === undefined || duration === undefined) throw unavailable('its answer holds no route')
  if (distance < leastMetres(routeRequest.points, asArray(answer['waypoints'])))
    throw unavailable('its route is shorter than the straight line')
  return { distance_m: distance, duration_seconds: duration, line: toLine(found?.geometry) }
}

function urlOf(baseUrl: string, { points, vehicle }: RouteRequest): string {
  const places = points.map(({ latitude, longitude }) => `${longitude},${latitude}`).join(';')
  return `${baseUrl}/route/v1/${PROFILES[vehicle]}/${places}?overview=simplified&geometries=geojson&alternatives=false&steps=false`
}

async function fetchText(url: string, timeoutMs: number): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, text: await readText(response) }
  } catch (error) {
    if (error instanceof AppError) throw error
    const late = error instanceof Error && error.name === 'TimeoutError'
    throw unavailable(
      late ? `it did not respond within ${timeoutMs / 1000} s` : 'it cannot be reached',
      error,
    )
  }
}

/** Reads the body. Throws when it is longer than any route. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of body ?? []) {
    const part: Uint8Array = chunk
    bytes += part.byteLength
    if (bytes > MOST_BYTES) throw unavailable('its answer is longer than any route')
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // The error below says so.
  }
  throw unavailable('its answer cannot be read')
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function toWhole(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value < LIMIT ? Math.round(value) : undefined
}

/** Returns the length that no road falls below: that of the straight lines, from where the engine moved the points. */
function leastMetres(points: readonly Point[], waypoints: readonly unknown[]): number {
  const moved = points.map((point, index) => {
    const to = toPoint((waypoints[index] as { location?: unknown } | null | undefined)?.location)
    return to === undefined ? 0 : Math.min(haversineMetres(point, to), MOST_MOVED)
  })
  let least = 0
  for (const [index, to] of points.entries()) {
    const straight = haversineMetres(points[index - 1] ?? to, to) * (1 - TOLERANCE)
    least += Math.max(0, straight - (moved[index - 1] ?? 0) - (moved[index] ?? 0))
  }
  return Math.floor(least)
}

/** Returns the points of a GeoJSON LineString; null for anything else, because a route is valid without its line. */
function toLine(geometry: unknown): Point[] | null {
  const points = asArray((geometry as { coordinates?: unknown } | null | undefined)?.coordinates).map(toPoint)
  const known = points.filter((point) => point !== undefined)
  return known.length > 1 && known.length === points.length ? known : null
}

function toPoint(pair: unknown): Point | undefined {
  const [longitude, latitude] = asArray(pair)
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined
  return roundPoint({ latitude, longitude })
}

/** The error leaves out the engine's address, which is the operator's. */
function unavailable(why: string, cause?: unknown): AppError {
  return new AppError('service_unavailable', `The route engine gave no route: ${why}.`, {
    hint: 'Try again in a moment. Prices need a route.',
    ...(cause !== undefined && { cause }),
  })
}
