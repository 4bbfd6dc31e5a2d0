import { describe, expect, test } from 'vitest'
import { decode, decodeSure, lineAt } from '../../../src/tabular/csv/decode.ts'
import { catchError } from '../../support/caught.ts'

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
  ] as const)('%s is found and loses nothing', async (_, bytes, encoding, bom) => {
    expect(await decode(bytes)).toMatchObject({ text, encoding, bom })
  })

  test('Windows-1252 keeps the euro sign and curly quotes', async () => {
    expect((await decode(Uint8Array.of(0x80, 0x93, 0xe9, 0x94))).text).toBe('€“é”')
  })

  test.each(['latin1', 'cp1252', 'Windows-1252', 'ISO-8859-1'])(
    '--encoding %s overrides the guess',
    async (name) => {
      const decoded = await decode(new TextEncoder().encode('é'), name)
      expect(decoded).toMatchObject({ text: 'Ã©', encoding: 'windows-1252' })
    },
  )

  test('--encoding utf-16 follows the byte order mark', async () => {
    expect(await decode(utf16(text, false, true), 'utf-16')).toMatchObject({ text, encoding: 'utf-16be' })
    expect(await decode(utf16(text, true, true), 'utf-16')).toMatchObject({ text, encoding: 'utf-16le' })
  })
})

const FROM: Readonly<Record<string, string>> = {
  macintosh: 'A,Zo\x91 M\x9fller,12 Caf\x8e Stra\xa7e',
  'windows-1251': 'A,\xce\xeb\xe5\xed\xe0 \xd8\xe5\xe2\xf7\xe5\xed\xea\xee,5 Road',
  'koi8-r': 'A,\xe5\xcc\xc5\xce\xc1 \xfb\xc5\xd7\xde\xc5\xce\xcb\xcf,5 Road',
  'windows-1250': 'A,\xa3ukasz \xaf\xf3\xb3\xe6,Gda\xf1sk',
}

describe('a file that is no Unicode', () => {
  test.each([
    ['macintosh', 'Zoë Müller,12 Café Straße'],
    ['windows-1251', 'Олена Шевченко'],
    ['koi8-r', 'Елена Шевченко'],
    ['windows-1250', 'Łukasz Żółć,Gdańsk'],
  ])('in %s is read by its words', async (encoding, words) => {
    const decoded = await decode(Buffer.from(`reference,name\n${FROM[encoding]}\n`, 'latin1'))
    expect(decoded).toMatchObject({
      encoding,
      letters: expect.arrayContaining([words.split(' ')[0]]) as string[],
    })
    expect(decoded.text).toContain(words)
    expect(decoded.doubt).toBeUndefined()
  })

  test.each([
    'Zoë Müller, Siân, François, José Núñez, Straße',
    'ÉLÉONORE ÇELIK, Château d\u0092Or',
    'FranÇois LE GÉANT',
    'Håkon Ødegård, Tromsø, Blåbærveien',
    'São João, Coração',
    '£5.00, 20°, ½, D´Arcy, Nº 5, ¿qué?',
    'Süßmuth & Co, Grüße',
    'Café\u0099, \u0093Rose Cottage\u0094, Siân \u0096 Lee',
  ])('stays Windows-1252: %s', async (text) => {
    const decoded = await decode(Buffer.from(`reference,name\nA,${text}\n`, 'latin1'))
    expect(decoded.encoding).toBe('windows-1252')
    expect(decoded.doubt).toBeUndefined()
  })

  test.each([
    ['Chinese', '\xcd\xf5\xd0\xa1\xc3\xf7', 'gb18030'],
    ['Czech', 'Ji\xf8\xed Dvo\xf8\xe1k, \xc8esk\xe1', 'windows-1250'],
    ['Turkish', '\xdeükr\xfc G\xfcne\xfe', 'windows-1254'],
    ['DOS', 'Zo\x89 M\x81ller', 'windows-1252'],
  ])('in %s is in doubt', async (_, text, encoding) => {
    const { doubt } = await decode(Buffer.from(`reference,name\nA,${text}\n`, 'latin1'))
    expect(doubt?.map((guess) => guess.encoding)).toContain(encoding)
  })

  test('names the rows that are not UTF-8 where others are', async () => {
    const bytes = Buffer.concat([Buffer.from('reference,name\nA,Zoë\n'), Buffer.from('B,Zo\xeb\n', 'latin1')])
    await expect(decode(bytes)).rejects.toThrow('Row 3 is not UTF-8, and other rows are.')
    expect((await decode(bytes, 'windows-1252')).text).toContain('B,Zoë')
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
    const error = catchError(() => decodeSure(bytes))
    expect(error.code).toBe('file_error')
    expect(error.extra['reason']).toMatchObject({ code })
    expect(error.message).toContain(words)
  })

  test('bytes that are not what --encoding says are refused', () => {
    expect(catchError(() => decodeSure(latin, 'utf-8')).message).toBe('The file is not valid UTF-8.')
  })

  test('an encoding nobody knows is a usage error that lists the known ones', () => {
    const error = catchError(() => decodeSure(latin, 'ebcdic'))
    expect(error.code).toBe('usage')
    expect(error.message).toContain('windows-1252')
  })
})

test('lines end with CR, LF or both', () => {
  const mixed = 'a\rb\r\nc\nd'
  expect([0, 2, 5, 7].map((at) => lineAt(mixed, at))).toEqual([1, 2, 3, 4])
})
