/** A label printer reads each text as it was given, and never as a command. */
import { describe, expect, test } from 'vitest'
import { renderLabel } from '../../src/areas/carrier/label/label.ts'
import type { DrawingItem } from '../../src/core/drawing.ts'
import { renderDocument } from '../../src/rendering/render.ts'
import { HOSTILE_NAMES, makeLabelFields } from '../support/labels.ts'

async function print(items: readonly DrawingItem[]): Promise<string> {
  const sheets = [{ width: 101.6, height: 152.4, items }]
  const { bytes } = await renderDocument({ title: 'Labels', sheets }, { format: 'zpl', dpi: 203 })
  return Buffer.from(bytes).toString()
}

/** Returns the texts as a printer takes them apart: between `^FH^FD` and `^FS`, each `_XX` as a byte of UTF-8. */
function textsOf(zpl: string): string[] {
  return [...zpl.matchAll(/\^FH\^FD(.*?)\^FS/g)].map(([, text = '']) => {
    const bytes = text.replaceAll(
      /_([0-9A-F]{2})|([^])/g,
      (_, hex?: string, plain?: string) => hex ?? Buffer.from(plain ?? '').toHex(),
    )
    return Buffer.from(bytes, 'hex').toString()
  })
}

const textOf = (line: string): DrawingItem => ({
  kind: 'text',
  x: 5,
  y: 5,
  width: 90,
  height: 10,
  lines: [line],
  size: 10,
  least: 5,
})

describe('a text', () => {
  test.each([
    'a_b',
    'a^b',
    'a~b',
    String.raw`a\b`,
    '_5E_58_5A',
    '^XZ^XA',
    String.raw`\^_~`,
    '~JA',
    'Café £5',
    'plain',
  ])('%s comes back as it was', async (text) => {
    const zpl = await print([textOf(text)])
    expect(textsOf(zpl)).toEqual([text])
    expect(zpl).toMatch(/^\^XA[^]*\^XZ\n$/)
    // The commands of the page alone.
    expect(zpl.match(/\^X[AZ]|~/g)).toEqual(['^XA', '^XZ'])
    expect(zpl).not.toContain('\\')
  })

  test('that printers have no letters for goes out as a picture', async () => {
    const zpl = await print([textOf('محمد')])
    expect([textsOf(zpl), zpl.includes('^GFA,')]).toEqual([[], true])
  })
})

test('a whole label comes back, whatever its recipient is called', async () => {
  for (const name of [...HOSTILE_NAMES, 'Grace Okoro']) {
    const zpl = await print(renderLabel(makeLabelFields({ name })))
    const texts = textsOf(zpl)
    for (const line of [
      'DELIVER TO',
      'IF UNDELIVERED, RETURN TO',
      'Alex Morgan',
      'READING',
      'ZC 9680 4337 0 GB',
    ])
      expect([name, texts.filter((text) => text === line)]).toEqual([name, [line]])
    expect([name, zpl.match(/\^X[AZ]|~/g)]).toEqual([name, ['^XA', '^XZ']])
    expect(zpl).toContain('^FDZC968043370GB^FS')
  }
})
