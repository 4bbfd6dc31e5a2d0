import { expect, test } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { haversineMetres, type Point } from '../../src/core/geometry.ts'
import type { RouteRequest } from '../../src/core/route.ts'
import { askOsrm } from '../../src/gateway/osrm.ts'
import { serveAnswers, serveOsrm } from '../support/osrm.ts'

const WAY: RouteRequest = {
  points: [
    { latitude: 51.5, longitude: -0.1 },
    { latitude: 51.51, longitude: -0.1 },
    { latitude: 51.52, longitude: -0.08 },
  ],
  vehicle: 'car',
}

/** Returns the error of a call that must fail. */
async function refusal(call: Promise<unknown>): Promise<AppError> {
  try {
    await call
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

const OK = { code: 'Ok', routes: [{ distance: 3234.5, duration: 61.4, geometry: null }] }

test('requests the route through all its points, longitude first', async () => {
  const server = await serveOsrm()
  const route = await askOsrm(server.url, WAY)
  expect(server.asked).toEqual([
    '/route/v1/driving/-0.1,51.5;-0.1,51.51;-0.08,51.52?overview=simplified&geometries=geojson&alternatives=false&steps=false',
  ])
  expect(route).toEqual({ distance_m: 5775, duration_seconds: 1155, line: WAY.points })
})

test.each([
  ['motorbike', 'driving'],
  ['bicycle', 'cycling'],
  ['walker', 'walking'],
] as const)('asks for a %s under the profile %s', async (vehicle, profile) => {
  const server = await serveOsrm()
  await askOsrm(server.url, { ...WAY, vehicle })
  expect(server.asked[0]).toContain(`/route/v1/${profile}/`)
})

test('supports a server below a path', async () => {
  const server = await serveAnswers((_, response) => response.end(JSON.stringify(OK)))
  await askOsrm(`${server.url}/routed-car`, WAY)
  expect(server.asked[0]).toMatch(/^\/routed-car\/route\/v1\/driving\//)
})

test('rounds to whole metres and seconds, and accepts a route without geometry', async () => {
  const server = await serveAnswers((_, response) => response.end(JSON.stringify(OK)))
  expect(await askOsrm(server.url, WAY)).toEqual({ distance_m: 3235, duration_seconds: 61, line: null })
})

test('says that no road leads there when the server says so', async () => {
  const server = await serveOsrm()
  const points = [...WAY.points, { latitude: 53, longitude: 0 }]
  expect(await refusal(askOsrm(server.url, { ...WAY, points }))).toMatchObject({
    code: 'outside_service_area',
  })
})

const refused = {
  code: 'service_unavailable',
  entry: expect.objectContaining({ retryable: true, status: 503 }) as unknown,
}

test('gives up on a server that stalls, before and within its answer', async () => {
  const silent = await serveAnswers(() => undefined)
  const halting = await serveAnswers((_, response) => void response.write('{"code":"Ok","routes":['))
  for (const { url } of [silent, halting]) {
    const error = await refusal(askOsrm(url, WAY, 50))
    expect(error).toMatchObject(refused)
    expect(String(error)).toContain('it did not respond within 0.05 s')
  }
})

test('reports a server that is not there', async () => {
  const server = await serveOsrm()
  await server.close()
  const error = await refusal(askOsrm(server.url, WAY))
  expect(error).toMatchObject(refused)
  expect(String(error)).toContain('it cannot be reached')
  expect(String(error)).not.toContain('127.0.0.1')
})

test.each([
  ['no JSON', 200, '<html>Welcome to nginx!</html>'],
  ['nothing', 200, ''],
  ['null', 200, 'null'],
  ['an error of its own', 500, '{"message":"boom"}'],
  ['too many requests', 429, '{"code":"TooBig"}'],
  ['a code that is not Ok', 200, '{"code":"InvalidQuery","routes":[{"distance":1,"duration":1}]}'],
  ['no routes', 200, '{"code":"Ok"}'],
  ['an empty list', 200, '{"code":"Ok","routes":[]}'],
  ['routes that are none', 200, '{"code":"Ok","routes":[null]}'],
  ['words for numbers', 200, '{"code":"Ok","routes":[{"distance":"12","duration":"1"}]}'],
  ['a negative distance', 200, '{"code":"Ok","routes":[{"distance":-1,"duration":1}]}'],
  ['a distance beyond the earth', 200, '{"code":"Ok","routes":[{"distance":1e300,"duration":1}]}'],
  ['a road shorter than the straight line', 200, '{"code":"Ok","routes":[{"distance":2800,"duration":600}]}'],
  ['no road at all', 200, '{"code":"Ok","routes":[{"distance":0,"duration":0}]}'],
  [
    'a road between two places far from those asked for',
    200,
    '{"code":"Ok","routes":[{"distance":9,"duration":9}],"waypoints":[{"location":[0,0]},{"location":[0,0]},{"location":[0,0]}]}',
  ],
  ['a duration that is left out', 200, '{"code":"Ok","routes":[{"distance":5000}]}'],
])('prices nothing by an answer that is %s', async (_, status, body) => {
  const server = await serveAnswers((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body)
  })
  expect(await refusal(askOsrm(server.url, WAY))).toMatchObject(refused)
})

test('follows no redirect, and reads no endless answer', async () => {
  const moved = await serveAnswers((_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' })
    response.end()
  })
  expect(await refusal(askOsrm(moved.url, WAY))).toMatchObject(refused)
  const endless = await serveAnswers((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
    }
    response.on('drain', more)
    more()
  })
  const error = await refusal(askOsrm(endless.url, WAY))
  expect(error).toMatchObject(refused)
  expect(String(error)).toContain('longer than any route')
})

test.each([
  [
    'a place off the earth',
    [
      [-0.1, 151.5],
      [0, 51],
    ],
  ],
  ['a single point', [[-0.1, 51.5]]],
  ['words', ['a', 'b']],
])('accepts a route whose geometry is %s, without a line', async (_, coordinates) => {
  const geometry = { type: 'LineString', coordinates }
  const server = await serveAnswers((_request, response) => {
    response.end(JSON.stringify({ ...OK, routes: [{ ...OK.routes[0], geometry }] }))
  })
  expect(await askOsrm(server.url, WAY)).toMatchObject({ distance_m: 3235, line: null })
})

test('accepts a road between the nearest places that it reaches, and one that is hardly longer than a line', async () => {
  const { points } = WAY
  const routes = (distance: number, moved: number): unknown => ({
    ...OK,
    routes: [{ distance, duration: 61.4 }],
    waypoints: points.map(({ latitude, longitude }, index) => ({
      // The last place lies 200 m to the south, on the road.
      location: [longitude, index === 2 ? latitude - moved : latitude],
    })),
  })
  for (const [distance, moved] of [
    [2880, 0],
    [2720, 0.0018],
  ] as const) {
    const server = await serveAnswers((_, response) => response.end(JSON.stringify(routes(distance, moved))))
    expect(await askOsrm(server.url, WAY)).toMatchObject({ distance_m: distance })
  }
})

/** Serves one answer, and asks for a way. */
async function askWith(body: unknown, status = 200, points = WAY.points): Promise<unknown> {
  const server = await serveAnswers((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return askOsrm(server.url, { ...WAY, points })
}

const routed = (route: object) => ({ code: 'Ok', routes: [{ distance: 5000, duration: 600, ...route }] })

test.each(['NoRoute', 'NoSegment'])('takes %s for a place that no road reaches', async (code) => {
  expect(await refusal(askWith({ code }, 400))).toMatchObject({ code: 'outside_service_area' })
})

test.each([
  ['the status of an error', routed({}), 500, 'it responded with 500'],
  ['another code', { ...routed({}), code: 'InvalidQuery' }, 200, 'it responded with 200'],
  ['a number', '5', 200, 'its answer cannot be read'],
  ['a distance in words', routed({ distance: '5000' }), 200, 'its answer holds no route'],
  ['a duration before the start', routed({ duration: -1 }), 200, 'its answer holds no route'],
  ['a duration of three years', routed({ duration: 100_000_000 }), 200, 'its answer holds no route'],
])('prices nothing by a good route with %s', async (_, body, status, why) => {
  const error = await refusal(askWith(body, status))
  expect(error).toMatchObject({ ...refused, hint: expect.stringContaining('Try again') })
  expect(String(error)).toContain(why)
  expect('cause' in error).toBe(false)
})

test('names the fault of the network as the cause', async () => {
  const server = await serveOsrm()
  await server.close()
  expect((await refusal(askOsrm(server.url, WAY))).cause).toBeInstanceOf(Error)
})

test('asks for JSON', async () => {
  const accepted: unknown[] = []
  const server = await serveAnswers(({ headers }, response) => {
    accepted.push(headers.accept)
    response.end(JSON.stringify(OK))
  })
  await askOsrm(server.url, WAY)
  expect(accepted).toEqual(['application/json'])
})

test('reads an answer of exactly the most bytes, and not one more', async () => {
  const answer = JSON.stringify(OK)
  expect(await askWith(answer.padEnd(4_194_304))).toMatchObject({ distance_m: 3235 })
  expect(String(await refusal(askWith(answer.padEnd(4_194_305))))).toContain('longer than any route')
})

test('accepts a route that takes no time, and one exactly as long as the least', async () => {
  expect(await askWith(routed({ duration: 0 }))).toMatchObject({ duration_seconds: 0 })
  const [from, to] = [WAY.points[0] as Point, WAY.points[1] as Point]
  const least = Math.floor(haversineMetres(from, to) * 0.99)
  const ask = (distance: number) => askWith(routed({ distance }), 200, [from, to])
  expect(await ask(least)).toMatchObject({ distance_m: least })
  expect(await refusal(ask(least - 1))).toMatchObject(refused)
})

test('counts how far the first place lies from its road too', async () => {
  const waypoints = WAY.points.map(({ latitude, longitude }, index) => ({
    location: [longitude, index === 0 ? latitude + 0.0018 : latitude],
  }))
  expect(await askWith({ ...routed({ distance: 2680 }), waypoints })).toMatchObject({ distance_m: 2680 })
})

test.each([
  [
    'a place off the earth between two on it',
    [
      [-0.1, 51.5],
      [-0.1, 151.5],
      [-0.08, 51.52],
    ],
    null,
  ],
  [
    'a place beyond the last meridian',
    [
      [-0.1, 51.5],
      [180.1, 51.5],
      [-0.08, 51.52],
    ],
    null,
  ],
  [
    'a latitude in words',
    [
      [-0.1, '51.5'],
      [-0.08, '51.52'],
    ],
    null,
  ],
  [
    'a longitude in words',
    [
      ['-0.1', 51.5],
      ['-0.08', 51.52],
    ],
    null,
  ],
  [
    'the edges of the map',
    [
      [180, 90],
      [-180, -90],
    ],
    [
      { latitude: 90, longitude: 180 },
      { latitude: -90, longitude: -180 },
    ],
  ],
])('draws a line with %s only where each place is one', async (_, coordinates, line) => {
  expect(await askWith(routed({ geometry: { type: 'LineString', coordinates } }))).toMatchObject({ line })
})
