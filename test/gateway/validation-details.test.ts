import * as Type from 'typebox'
import { expect, test } from 'vitest'
import { explainInvalidValue, listFieldErrors } from '../../src/gateway/validation-details.ts'

const schema = Type.Object(
  { name: Type.String(), size: Type.Integer({ minimum: 1 }), tags: Type.Array(Type.String()) },
  { additionalProperties: false },
)
const unknown = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]))

test.each([1, 7, 8, 9])('names %i unknown members, and what is wrong beside them', (count) => {
  const found = explainInvalidValue(schema, { ...unknown(count), size: 0 })
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
    detail: 'k0 is unknown; known are name, size, tags',
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
  [{ pickup: { latitude: 1, longitude: 1, lat: 1 } }, 'lat is unknown; did you mean latitude?'],
  [{ pickup: { latitude: 1, longitude: 1, longitud: 1 } }, 'longitud is unknown; did you mean longitude?'],
  [{ pickup: { latitude: 1, longitude: 1, point: 1 } }, 'point is unknown; known are latitude, longitude'],
  [{ dropoff: {} }, 'dropoff is unknown'],
])('says which member may be meant: %j', (value, detail) => {
  expect(explainInvalidValue(trip, value).map((found) => found.detail)).toEqual([detail])
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
    const found = explainInvalidValue(schema, value)
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThanOrEqual(100)
    expect(JSON.stringify(found).length).toBeLessThan(20_000)
  }
})

/** Returns the faults of a value of the field `it`. */
const faults = (member: Type.TSchema, value: unknown): string[] =>
  explainInvalidValue(Type.Object({ it: member }), { it: value }).map(
    ({ pointer, code, detail }) => `${pointer} ${code}: ${detail}`,
  )

test.each<[Type.TSchema, unknown, string]>([
  [Type.String(), 1, 'wrong_type: it must be a text'],
  [Type.Enum(['a', 'b']), 'c', 'invalid_enum: it must be one of a, b'],
  [Type.Literal('a'), 'c', 'invalid_enum: it must be a'],
  [Type.Integer({ minimum: 1 }), 0, 'out_of_range: it must be at least 1'],
  [Type.Integer({ maximum: 1 }), 2, 'out_of_range: it must be at most 1'],
  [Type.Number({ exclusiveMinimum: 1 }), 1, 'out_of_range: it must be more than 1'],
  [Type.Number({ exclusiveMaximum: 1 }), 1, 'out_of_range: it must be less than 1'],
  [
    Type.Integer({ multipleOf: 5, errorMessage: 'must be a step of 5' }),
    7,
    'out_of_range: it must be a step of 5',
  ],
  [Type.String({ minLength: 1 }), '', 'required: it must not be empty'],
  [Type.String({ maxLength: 2 }), 'abc', 'too_long: it must have at most 2 characters'],
  [Type.String({ pattern: '^a$', errorMessage: 'must be an a' }), 'b', 'invalid_format: it must be an a'],
  [Type.Array(Type.String(), { minItems: 1 }), [], 'required: it must have at least 1 entry'],
  [Type.Array(Type.String(), { minItems: 2 }), ['a'], 'required: it must have at least 2 entries'],
  [Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], 'too_many: it must have at most 1 entries'],
  [
    Type.Record(Type.String(), Type.String(), { minProperties: 1 }),
    {},
    'required: it must have at least 1 entry',
  ],
  [
    Type.Record(Type.String(), Type.String(), { maxProperties: 1 }),
    { a: 'a', b: 'b' },
    'too_many: it must have at most 1 entries',
  ],
  [Type.String({ format: 'date' }), '2026-02-30', 'invalid_format: it must be a date, such as 2026-11-21'],
  [
    Type.String({ format: 'date-time' }),
    '2026-11-21T09:00:00',
    'invalid_format: it must be a time with its UTC offset, such as 2026-11-21T09:00:00Z',
  ],
  [Type.String({ format: 'email' }), 'a', 'invalid_format: it must be a valid email'],
  [Type.Union([Type.Literal('a'), Type.Literal(2)]), 'c', 'invalid_enum: it must be one of a, 2'],
  [
    Type.Union([Type.Literal('a'), Type.Integer()]),
    'c',
    'invalid_format: it has no form that is accepted here',
  ],
  // What may be null is explained by what it is otherwise.
  [Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]), 0, 'out_of_range: it must be at least 1'],
  [Type.Union([Type.Integer(), Type.Null()]), 'c', 'wrong_type: it must be a whole number'],
  [
    Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })], {
      errorMessage: 'must have a or b',
    }),
    {},
    'invalid_format: it must have a or b',
  ],
])('says what a member must be: %#', (member, value, said) => {
  expect(faults(member, value)).toEqual([`/it ${said}`])
})

test('names a member by its place in a list, and each fault of a place once', () => {
  const rows = Type.Array(
    Type.Object({ size: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }),
  )
  expect(faults(rows, [{ size: 1 }, { size: 0 }, {}, { size: 1, 'a/b': 1 }])).toEqual([
    '/it/1/size out_of_range: size must be at least 1',
    '/it/2/size required: size is required',
    '/it/3/a~1b unknown_member: a/b is unknown; known are size',
  ])
  const twice = Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ a: Type.String() })])
  expect(explainInvalidValue(twice, { a: 1 })).toEqual([
    { pointer: '/a', code: 'wrong_type', detail: 'a must be a text' },
  ])
})

test('cuts a long name, and guesses no other for it', () => {
  const name = 'size'.padEnd(400, 'x')
  expect(explainInvalidValue(schema, { name: 'a', size: 1, tags: [], [name]: 1 })).toEqual([
    {
      pointer: `/${name.slice(0, 299)}`,
      code: 'unknown_member',
      detail: `${name.slice(0, 60)} is unknown; known are name, size, tags`,
    },
  ])
})

test.each([
  [{ name: 'a', size: 1, tags: [], ta: 1 }, 'ta is unknown; known are name, size, tags'],
  [{ name: 'a', size: 1, tags: [], siz: 1 }, 'siz is unknown; did you mean size?'],
])('guesses a member from three letters on: %j', (value, detail) => {
  expect(explainInvalidValue(schema, value).map((found) => found.detail)).toEqual([detail])
})

test('lists six members at most', () => {
  const members = (count: number) =>
    Type.Object(
      Object.fromEntries(
        'abcdefg'
          .slice(0, count)
          .split('')
          .map((name) => [name, Type.Optional(Type.String())]),
      ),
      { additionalProperties: false },
    )
  const said = (count: number) => explainInvalidValue(members(count), { zz: 1 }).map(({ detail }) => detail)
  expect(said(6)).toEqual(['zz is unknown; known are a, b, c, d, e, f'])
  expect(said(7)).toEqual(['zz is unknown'])
  expect(said(0)).toEqual(['zz is unknown'])
})

test('finds no fault in a value that fits', () => {
  expect(listFieldErrors(schema, { name: 'a', size: 1, tags: [] })).toEqual([])
  // Another validator rejected it: the caller gets a reason all the same.
  expect(explainInvalidValue(schema, { name: 'a', size: 1, tags: [] })).toEqual([
    { pointer: '', code: 'invalid_format', detail: 'the request does not fit its schema' },
  ])
  expect(listFieldErrors(schema, { name: 'a', size: 0, tags: [] })).toMatchObject([{ pointer: '/size' }])
})

test('a member of 60 characters is looked for among the known ones', () => {
  const known = 'k'.repeat(60)
  const named = Type.Object({ [known]: Type.Optional(Type.String()) }, { additionalProperties: false })
  expect(explainInvalidValue(named, { [`x${known.slice(1)}`]: '' })[0]?.detail).toContain('did you mean')
})

test('a request that is no object is told so without a space before it', () => {
  expect(explainInvalidValue(schema, 5)).toMatchObject([{ pointer: '', detail: 'must be an object' }])
})
