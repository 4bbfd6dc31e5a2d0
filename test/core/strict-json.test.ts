import { describe, expect, test } from 'vitest'
import { parseOnce, parseStrictJson } from '../../src/core/strict-json.ts'
import { fc } from '../support/properties.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe.each([
  ['strict JSON', parseStrictJson],
  ['strict JSON of a command that parses once', parseOnce],
])('%s', (_, parseBytes) => {
  const parse = (text: string) => parseBytes(bytes(text))

  test('accepts what JSON.parse accepts, with the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const answer = parse(text)
        // the generator also makes texts that are rejected on purpose
        fc.pre(!/__proto__|\\u0000|\\ud[89a-f]/.test(text) && !hasUnsafeInteger(value))
        expect(answer).toEqual({ value: JSON.parse(text) })
      }),
      { numRuns: 1000 },
    )
  })

  test('agrees with JSON.parse on which texts are JSON at all', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"b\\""',
      '1',
      '-',
      '.',
      'e',
      'true',
      'null',
      ' ',
      '\\',
      '"',
    )
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
        const text = fragments.join('')
        const answer = parse(text)
        // these fragments make invalid JSON, an object with a repeated field, or an accepted text
        const twice = 'problem' in answer && answer.problem.includes('same member twice')
        expect(twice || 'value' in answer).toBe(isJson(text))
      }),
      { numRuns: 5000 },
    )
  })

  test('a byte order mark before it is left out', () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ value: { a: 1 } })
  })

  test.each([
    ['nothing', ''],
    ['two byte order marks', '\ufeff\ufeff{}'],
    ['a byte order mark alone', '\ufeff'],
    ['a byte order mark within', '{\ufeff}'],
    ['a trailing comma', '{"a":1,}'],
    ['a comment', '{/**/}'],
    ['NaN', '{"a":NaN}'],
    ['two documents', '{}{}'],
    ['a cut document', '{"a":'],
    ['an open string', '{"a'],
    ['an open escape', '{"a\\'],
    ['a raw control character', '{"a":"\u0001"}'],
    ['a raw NUL', '{"a":"\u0000"}'],
    ['an escaped NUL', '{"a":"\\u0000"}'],
    ['an escaped NUL in a name', '{"a\\u0000":1}'],
    ['half a surrogate pair', '{"a":"\\ud800"}'],
    ['half a surrogate pair in a name', '{"\\udc00":1}'],
    ['a surrogate pair the wrong way round', '["\\udc00\\ud800"]'],
    ['the same member twice', '{"quote_id":"a","quote_id":"b"}'],
    ['the same member twice, far apart', '{"a":1,"b":{"c":[1,{"d":1}]},"a":2}'],
    ['the same member twice, deep inside', '[[{"a":{"b":1,"b":1}}]]'],
    ['an integer beyond 2^53 that JSON writes the same way', '{"a":9007199254740994}'],
    ['the same member twice, one of them escaped', '{"aa":1,"a\\u0061":2}'],
    ['__proto__', '{"a":{"__proto__":{"x":1}}}'],
    ['__proto__, escaped', '{"__pr\\u006fto__":1}'],
    ['an integer beyond 2^53', '{"a":9007199254740993}'],
    ['a negative integer beyond 2^53', '{"a":-9007199254740992}'],
    ['an integer written as a power', '{"a":1e21}'],
    ['a number beyond doubles', '{"a":1e400}'],
    ['33 levels', nested(33)],
    ['33 levels of objects', '{"a":'.repeat(33) + '1' + '}'.repeat(33)],
    ['five million levels', '['.repeat(5_000_000)],
    ['five million levels that all end', nested(5_000_000)],
  ])('refuses %s', (_what, text) => {
    expect(parse(text)).toEqual({ problem: expect.stringMatching(/\.$/) })
  })

  test.each([
    ['an escaped surrogate pair', '["\\ud83d\\ude00"]'],
    ['other escapes', '["\\u0041\\n\\\\\\"\\/"]'],
    ['brackets and colons in strings', '{"a":"}:{[\\":"}'],
    ['equal names in different objects', '{"a":{"a":1},"b":[{"a":1},{"a":2}]}'],
    ['constructor and toString as names', '{"constructor":1,"toString":2}'],
    ['32 levels', nested(32)],
    ['the largest integer', '[9007199254740991,-9007199254740991,1E5,-0,0.1]'],
    ['white space of all kinds', ' \t\r\n{ "a" : [ ] } '],
    ['the other kinds of value', '[null,true,false,"",{}]'],
    ['a bare value', '"x"'],
  ])('accepts %s', (_what, text) => {
    expect(parse(text)).toEqual({ value: JSON.parse(text) })
  })

  test.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0x7b, 0, 0x7d, 0]],
  ])('refuses %s', (_what, content) => {
    expect(parseBytes(Uint8Array.from(content))).toHaveProperty('problem')
  })

  test('says where the syntax breaks, and repeats nothing of the body', () => {
    expect(parse('{\n  "card": 4111111111111111,\n}')).toEqual({
      problem: 'The body is not valid JSON (line 3, column 1).',
    })
    expect(JSON.stringify(parse('{"token": sk_secret}'))).not.toContain('sk_secret')
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function hasUnsafeInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnsafeInteger)
}
