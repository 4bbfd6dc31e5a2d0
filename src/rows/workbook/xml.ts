import { Parser } from 'saxen'
import { damaged } from './faults.ts'

export type XmlEvents = {
  open?(name: string, attributes: () => Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

/** Reads XML from its start to its end; names come without a prefix. Throws AppError('file_error'). */
export function readXml(xml: string, { open, close, text }: XmlEvents): void {
  let depth = 0
  const parser = new Parser()
    .on('openTag', (name, attributes) => {
      depth++
      open?.(bareName(name), attributes)
    })
    .on('closeTag', (name) => {
      depth--
      close?.(bareName(name))
    })
    .on('text', (part) => text?.(decodeXml(part)))
    .on('cdata', (part) => text?.(part))
    .on('error', (error) => {
      throw damaged(error)
    })
  parser.parse(xml)
  if (depth !== 0) throw damaged()
}

function bareName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Replaces references to characters. The parser's own function cuts those beyond the 65,536th. */
export function decodeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16)
    if (name !== undefined) return NAMED[String(name)] ?? whole
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole
  })
}
