import * as Type from 'typebox'
import { expect, test } from 'vitest'
import { explain } from '../../src/gateway/validation-details.ts'

const schema = Type.Object(
  { name: Type.String(), size: Type.Integer({ minimum: 1 }), tags: Type.Array(Type.String()) },
  { additionalProperties: false },
)
const unknown = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]))

test.each([1, 7, 8, 9])('names %i unknown members, and what is wrong beside them', (count) => {
  const found = explain(schema, { ...unknown(count), size: 0 })
  const codes = found.map(({ code }) => code)
  expect(codes.filter((code) => code === 'unknown_member')).toHaveLength(count)
  expect(codes.filter((code) => code !== 'unknown_member').toSorted()).toEqual([
    'out_of_range',
    'required',
    'required',
  ])
  expect(found).toContainEqual({
    pointer: '/k0',
    code: 'unknown_member',
    detail: 'k0 is not known here; known are name, size, tags',
  })
})

const place = Type.Object(
  { latitude: Type.Number(), longitude: Type.Number() },
  { additionalProperties: false },
)
const trip = Type.Object(
  {
    pickup: Type.Optional(place),
    ...Object.fromEntries('abcdef'.split('').map((name) => [name, Type.Optional(Type.String())])),
  },
  { additionalProperties: false },
)

test.each([
  [{ pickup: { latitude: 1, longitude: 1, lat: 1 } }, 'lat is not known here; perhaps latitude is meant'],
  [
    { pickup: { latitude: 1, longitude: 1, longitud: 1 } },
    'longitud is not known here; perhaps longitude is meant',
  ],
  [
    { pickup: { latitude: 1, longitude: 1, point: 1 } },
    'point is not known here; known are latitude, longitude',
  ],
  [{ dropoff: {} }, 'dropoff is not known here'],
])('says which member may be meant: %j', (value, detail) => {
  expect(explain(trip, value).map((found) => found.detail)).toEqual([detail])
})

test('never returns an empty list, and limits its length', () => {
  const long = 'x'.repeat(100_000)
  for (const value of [
    unknown(50_000),
    { name: 'a', size: 1, tags: Array.from({ length: 100_000 }, () => 0) },
    { [long]: 1 },
    null,
    [],
  ]) {
    const found = explain(schema, value)
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThanOrEqual(100)
    expect(JSON.stringify(found).length).toBeLessThan(20_000)
  }
})
