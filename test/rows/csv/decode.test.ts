import { describe, expect, test } from 'vitest'
import { decode, lineAt } from '../../../src/rows/csv/decode.ts'
import { caught } from '../../support/caught.ts'

const text = 'reference,city\nA1,Café Zürich £5\n'

function utf16(value: string, littleEndian: boolean, mark: boolean): Uint8Array {
  const units = mark ? `\uFEFF${value}` : value
  const view = new DataView(new ArrayBuffer(units.length * 2))
  for (let i = 0; i < units.length; i++) view.setUint16(i * 2, units.charCodeAt(i), littleEndian)
  return new Uint8Array(view.buffer)
}

const latin = Uint8Array.from(text, (char) => char.charCodeAt(0))

describe('the encoding of a file', () => {
  test.each([
    ['plain UTF-8', new TextEncoder().encode(text), 'utf-8', false],
    ['UTF-8 with a byte order mark', new TextEncoder().encode(`\uFEFF${text}`), 'utf-8', true],
    ['UTF-16 of Excel', utf16(text, true, true), 'utf-16le', true],
    ['UTF-16 without a mark', utf16(text, true, false), 'utf-16le', false],
    ['big-endian UTF-16', utf16(text, false, true), 'utf-16be', true],
    ['big-endian UTF-16 without a mark', utf16(text, false, false), 'utf-16be', false],
    ['Windows-1252', latin, 'windows-1252', false],
  ] as const)('%s is found and loses nothing', (_, bytes, encoding, bom) => {
    expect(decode(bytes)).toEqual({ text, encoding, bom })
  })

  test('Windows-1252 keeps the euro sign and curly quotes', () => {
    expect(decode(Uint8Array.of(0x80, 0x93, 0xe9, 0x94)).text).toBe('€“é”')
  })

  test.each(['latin1', 'cp1252', 'Windows-1252', 'ISO-8859-1'])(
    '--encoding %s overrides the guess',
    (name) => {
      const decoded = decode(new TextEncoder().encode('é'), name)
      expect(decoded).toMatchObject({ text: 'Ã©', encoding: 'windows-1252' })
    },
  )

  test('--encoding utf-16 follows the byte order mark', () => {
    expect(decode(utf16(text, false, true), 'utf-16')).toMatchObject({ text, encoding: 'utf-16be' })
    expect(decode(utf16(text, true, true), 'utf-16')).toMatchObject({ text, encoding: 'utf-16le' })
  })
})

describe('a file that is not text', () => {
  test.each([
    [
      'a NUL in the middle',
      new TextEncoder().encode('a,b\n1,\0\n'),
      'bad_encoding',
      'NUL character on line 2',
    ],
    ['a PDF', new TextEncoder().encode('%PDF-1.7\n'), 'bad_encoding', 'a PDF'],
    ['a web page', new TextEncoder().encode('\n<html><table>'), 'bad_encoding', 'a web page or XML'],
    ['half a surrogate', Uint8Array.of(0xff, 0xfe, 0x41, 0, 0, 0xd8), 'bad_encoding', 'UTF-16LE'],
    ['an odd number of UTF-16 bytes', Uint8Array.of(0xff, 0xfe, 0x41), 'bad_encoding', 'UTF-16LE'],
  ])('%s is refused', (_, bytes, code, words) => {
    const error = caught(() => decode(bytes))
    expect(error.code).toBe('file_error')
    expect(error.extra['reason']).toMatchObject({ code })
    expect(error.message).toContain(words)
  })

  test('bytes that are not what --encoding says are refused', () => {
    expect(caught(() => decode(latin, 'utf-8')).message).toBe('The file is not valid UTF-8.')
  })

  test('an encoding nobody knows is a usage error that lists the known ones', () => {
    const error = caught(() => decode(latin, 'ebcdic'))
    expect(error.code).toBe('usage')
    expect(error.message).toContain('windows-1252')
  })
})

test('lines end with CR, LF or both', () => {
  const mixed = 'a\rb\r\nc\nd'
  expect([0, 2, 5, 7].map((at) => lineAt(mixed, at))).toEqual([1, 2, 3, 4])
})
