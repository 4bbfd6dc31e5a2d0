import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/core/canonical-json.ts'
import { fc } from '../support/properties.ts'

describe('canonical JSON', () => {
  test('matches the examples of RFC 8785', () => {
    const example = {
      numbers: [JSON.parse('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }
    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('sorts members by UTF-16 code units, as RFC 8785 asks', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6']
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])))
    expect(Object.keys(JSON.parse(text.replaceAll('"1"', '"_1"')) as object)).toEqual([
      '\r',
      '_1',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ])
  })

  test('sorts names that an object would keep in an order of its own', () => {
    const given = '{"b":[{"2":2,"10":1,"__proto__":{"y":1,"x":[null]}}],"a":"\\u20ac"}'
    expect(canonicalJson(JSON.parse(given))).toBe(
      '{"a":"€","b":[{"10":1,"2":2,"__proto__":{"x":[null],"y":1}}]}',
    )
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${30 - index}`, index]))
    expect(Object.keys(JSON.parse(canonicalJson(many)) as object)).toEqual(Object.keys(many).toSorted())
  })

  test('is the same text for any order of members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const turned = Object.fromEntries(Object.entries(object).toReversed())
        expect(canonicalJson(turned)).toBe(canonicalJson(object))
      }),
    )
  })

  test('parses to the same value, and is unchanged when repeated', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })

  test('leaves out undefined members and throws for values that are no JSON', () => {
    expect(canonicalJson({ b: undefined, a: [undefined, -0] })).toBe('{"a":[null,0]}')
    expect(() => canonicalJson({ a: Number.POSITIVE_INFINITY })).toThrow(TypeError)
    expect(() => canonicalJson(undefined)).toThrow(TypeError)
    expect(() => canonicalJson(() => 1)).toThrow(TypeError)
  })
})
