import * as Type from 'typebox'
import { expect, test } from 'vitest'
import { withoutNulls } from '../../src/core/nulls.ts'
import { orNull } from '../../src/core/schema.ts'

const schema = Type.Object({
  name: Type.String(),
  note: Type.Optional(orNull(Type.String())),
  tags: Type.Optional(Type.Array(Type.String())),
  anything: Type.Optional(Type.Unknown()),
  kind: Type.Optional(Type.Enum(['a', 'b'] as const)),
  only: Type.Optional(Type.Literal(true)),
  inner: Type.Optional(orNull(Type.Object({ size: Type.Optional(Type.Integer()) }))),
  list: Type.Optional(Type.Array(Type.Object({ size: Type.Optional(Type.Integer()) }))),
  rows: Type.Optional(Type.Array(Type.Object({}, { 'x-body-of': 'other' }))),
})

test.each([
  ['a member without a null of its own', { name: 'x', tags: null, kind: null, only: null }, { name: 'x' }],
  ['a required member, which is then missing', { name: null }, {}],
  [
    'members within objects and lists',
    { inner: { size: null }, list: [{ size: null }] },
    { inner: {}, list: [{}] },
  ],
])('leaves out %s', (_, given, left) => {
  const before = structuredClone(given)
  expect(withoutNulls(schema, given)).toEqual(left)
  expect(given).toEqual(before)
})

test.each([
  ['null that the schema has', { note: null, anything: null, inner: null }],
  ['unknown members', { nmae: null, constructor: null }],
  ['entries of lists', { tags: [null], list: [null] }],
  ['rows whose schema is not known here', { rows: [{ size: null }] }],
])('keeps %s, and the object itself', (_, given) => {
  expect(withoutNulls(schema, given)).toBe(given)
})

test('reads rows by the schema of a row', () => {
  const rows = Type.Object({
    size: Type.Optional(Type.Integer()),
    note: Type.Optional(orNull(Type.String())),
  })
  const given = { rows: [{ size: null, note: null }, { size: 1 }] }
  expect(withoutNulls(schema, given, rows)).toEqual({ rows: [{ note: null }, { size: 1 }] })
})
