/** A small server with OSRM's `/route/v1/{profile}` protocol over straight lines, and one that a test scripts. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { haversineMetres, type Point } from '../../src/core/geometry.ts'
import { afterFile } from './after-file.ts'

export type TestServer = { url: string; asked: string[]; close(): Promise<void> }

/** The speed of its roads in metres per second, and their length relative to a straight line. */
const OSRM_SPEED = 5
const OSRM_DETOUR = 2

/** Starts a server that answers like osrm-routed. */
export function serveOsrm(): Promise<TestServer> {
  return serveAnswers((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const [, profile, places] = /^\/route\/v1\/(\w+)\/([-\d.,;]+)$/.exec(url.pathname) ?? []
    const points = (places ?? '').split(';').map((pair): Point => {
      const [longitude = NaN, latitude = NaN] = pair.split(',').map(Number)
      return { latitude, longitude }
    })
    const fails = (status: number, code: string): void => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code, message: code }))
    }
    if (profile === undefined || points.length < 2) return fails(400, 'InvalidUrl')
    // Its map ends at 52 degrees north.
    if (points.some(({ latitude }) => latitude > 52)) return fails(400, 'NoSegment')
    const distance = points
      .slice(1)
      .reduce((sum, to, index) => sum + haversineMetres(points[index] ?? to, to) * OSRM_DETOUR, 0)
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
    response.end(
      JSON.stringify({
        code: 'Ok',
        routes: [
          {
            distance,
            duration: distance / OSRM_SPEED,
            weight: 1,
            weight_name: 'routability',
            legs: [],
            geometry: {
              type: 'LineString',
              coordinates: points.map(({ latitude, longitude }) => [longitude, latitude]),
            },
          },
        ],
        waypoints: [],
      }),
    )
    return undefined
  })
}

/** Starts a server on a free port, until the tests of the file are over. */
export async function serveAnswers(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const one: TestServer = {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  afterFile(() => one.close())
  return one
}
