import { describe, expect, test } from 'vitest'
import { makeCut, valueOf } from '../../src/core/json-text.ts'
import { fc } from '../support/properties.ts'

/** Text with all that could be taken for a key or for the end of a string. */
const words = fc.array(
  fc.oneof(
    fc.constantFrom('"', '\\', '{', '}', ',', ':', ',"b":', '{"a":', '\\"', 'ж', '漢', 'ا', '🚚', '\u2028'),
    fc.string({ unit: 'binary' }),
  ),
)
const text = words.map((some) => some.join(''))
const value = fc.oneof(
  text,
  fc.integer(),
  fc.constant(null),
  fc.record({ name: text, x: fc.array(text) }),
  fc.constant({}),
)

describe('a document that is cut before some of its keys', () => {
  const cut = makeCut('b', 'd')

  test('is the same when its parts are put together, whatever its strings hold', () => {
    const documents = fc.record(
      { a: value, b: value, c: value, d: value, e: value },
      { noNullPrototype: true },
    )
    fc.assert(
      fc.property(documents, ({ a, b, c, d, e }) => {
        const parts = cut(JSON.stringify({ a, b, c, d, e })) ?? []
        expect(parts.map((part) => JSON.parse(`{${part}}`))).toEqual([{ a }, { b, c }, { d, e }])
        expect(`{${parts.join(',')}}`).toBe(JSON.stringify({ a, b, c, d, e }))
        expect(valueOf(parts[0] ?? '')).toEqual(a)
      }),
    )
  })

  test.each([{ a: 1, b: 2, c: 3 }, { b: 1, c: 2, d: 3 }, { a: 1, d: 2, b: 3 }, {}])(
    'is not cut when a key is missing, first or in another place: %j',
    (document) => {
      expect(cut(JSON.stringify(document))).toBeUndefined()
    },
  )
})
