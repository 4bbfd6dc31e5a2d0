import { describe, expect, test } from 'vitest'
import {
  sanitizeForTerminal,
  truncateToWidth,
  pad,
  usableWidth,
  measureTextWidth,
  wrapText,
  wrapNotice,
} from '../../../src/cli/output/text.ts'
import { FORBIDDEN, HOSTILE } from '../../support/hostile.ts'
import { fc } from '../../support/properties.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom(...HOSTILE)).map((parts) => parts.join('')),
  fc
    .array(
      fc.constantFrom(
        '\x1b',
        '[',
        ']',
        '2J',
        ';',
        '\x07',
        '\\',
        '\x9b',
        'P',
        '\u202e',
        '\u200d',
        '👩',
        'a',
        '\n',
      ),
    )
    .map((parts) => parts.join('')),
)

describe('clean', () => {
  test('removes everything that a terminal acts on, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sanitizeForTerminal(text)).not.toMatch(FORBIDDEN)
        expect(sanitizeForTerminal(text)).not.toMatch(/[\n\t]/)
        expect(sanitizeForTerminal(text, { multiline: true })).not.toMatch(FORBIDDEN)
        expect(sanitizeForTerminal(sanitizeForTerminal(text))).toBe(sanitizeForTerminal(text))
      }),
      { numRuns: 2000 },
    )
  })

  test.each(HOSTILE.map((text) => [JSON.stringify(text).slice(0, 60), text]))('defuses %s', (_, text) => {
    expect(sanitizeForTerminal(text)).not.toMatch(FORBIDDEN)
    expect(sanitizeForTerminal(text).isWellFormed()).toBe(true)
  })

  test.each([
    ['a\x1b]0;title\x07b', 'ab'],
    ['a\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\b', 'alinkb'],
    ['a\x1bP1;2q#0\x1b\\b', 'ab'],
    ['a\x9b31mb', 'ab'],
    ['a\x1b[1;31mb\x1b[0m', 'ab'],
    ['a\x1b]0;never ended', 'a0;never ended'],
    ['one\ntwo', 'one⏎two'],
    ['one\r\ntwo\rthree', 'one⏎two⏎three'],
    ['one\ttwo', 'one two'],
    ['x\u202ey', 'xy'],
    ['\ud800', '\ufffd'],
  ])('makes of %j just %j', (text, cleaned) => {
    expect(sanitizeForTerminal(text)).toBe(cleaned)
  })

  test.each([
    'Ada Lovelace',
    'Żółć, 山田太郎, Ωμέγα',
    '👨\u200d👩\u200d👧',
    '👩🏽\u200d🚀 🏳️\u200d🌈 ❤️',
    'שלום',
    '½ £5 – “quoted”',
    'é',
  ])('leaves %s as it is', (text) => {
    expect(sanitizeForTerminal(text)).toBe(text)
  })

  test('keeps lines and tabs where several lines are welcome', () => {
    expect(sanitizeForTerminal('a\r\nb\tc\x1b[2J', { multiline: true })).toBe('a\nb\tc')
  })

  test('takes no more than a moment for a megabyte of unended sequences', () => {
    const introducers = ['\x1b]', '\x9d', '\x1b[', '\x90', '\u200d'].map((text) =>
      text.repeat(1_000_000 / text.length),
    )
    for (const text of introducers) expect(sanitizeForTerminal(text)).not.toMatch(FORBIDDEN)
  })
})

describe('width and fit', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['山田', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['👩\u200d🚀', 2],
    ['🇬🇧', 2],
    ['❤️', 2],
    ['1️⃣', 2],
    ['©', 1],
    ['👍🏽', 2],
    ['กำ', 2],
    ['ｆｕｌｌ', 8],
    ['한글', 4],
    ['…–£', 3],
  ])('%s takes %i columns', (text, columns) => {
    expect(measureTextWidth(text)).toBe(columns)
  })

  test('never exceeds the columns given, and says when it cut', () => {
    fc.assert(
      fc.property(
        anyText.map((text) => sanitizeForTerminal(text)),
        fc.integer({ min: 0, max: 40 }),
        (text, columns) => {
          const shown = truncateToWidth(text, columns)
          expect(measureTextWidth(shown)).toBeLessThanOrEqual(columns)
          expect(shown === text || columns === 0 || shown.endsWith('…')).toBe(true)
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('does not cut a wide character in half', () => {
    expect(truncateToWidth('山田太郎', 6)).toBe('山田…')
    expect(truncateToWidth('山田太郎', 8)).toBe('山田太郎')
    expect(truncateToWidth('👨\u200d👩\u200d👧 family', 3)).toBe('👨\u200d👩\u200d👧…')
    expect(truncateToWidth('abc', 0)).toBe('')
    expect(truncateToWidth('mon, tue, wed, thu, fri', 18)).toBe('mon, tue, wed, …')
    expect(truncateToWidth('Goosefoot Grocer Spitalfields', 21)).toBe('Goosefoot Grocer Spi…')
  })

  test('pads by the real width', () => {
    expect(pad('山', 4)).toBe('山  ')
    expect(pad('7', 3, 'right')).toBe('  7')
    expect(pad('too long', 3)).toBe('too long')
  })

  test('breaks lines at spaces only, so that an id stays whole', () => {
    expect(wrapText('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrapText('hub_01m7vkystgeegbv5hxx5fd6kz5 is closed', 10)).toEqual([
      'hub_01m7vkystgeegbv5hxx5fd6kz5',
      'is closed',
    ])
  })
})

describe('a notice', () => {
  test('keeps its own lines and indents, and text in backticks', () => {
    expect(wrapNotice('total   2   £10\n  one two three\nrun `dray a b` now', 11)).toEqual([
      'total 2 £10',
      '  one two',
      '  three',
      'run',
      '`dray a b`',
      'now',
    ])
  })

  test('that fits stays as it is', () => {
    expect(wrapNotice('next_day    5   £49.09', 22)).toEqual(['next_day    5   £49.09'])
  })
})

describe('usableWidth', () => {
  test.each([
    [120, undefined, 120],
    [undefined, undefined, 80],
    [0, undefined, 80],
    [-1, undefined, 80],
    [Number.NaN, undefined, 80],
    [1e9, undefined, 1000],
    [5, undefined, 20],
    [120, '20', 20],
    [120, '0', 120],
    [120, '-1', 120],
    [120, '1e9', 120],
    [120, '1000000000', 1000],
    [120, '99999999999999999999', 120],
    [120, 'wide', 120],
    [120, '', 120],
    [undefined, '60', 60],
  ])('of a terminal with %s columns and COLUMNS=%s is %i', (columns, wished, usable) => {
    expect(usableWidth(columns, { COLUMNS: wished })).toBe(usable)
  })
})
