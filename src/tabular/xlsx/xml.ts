import { decodeXML } from 'entities/decode'
import { Parser } from 'saxen'
import { workbookDamagedError, workbookTooDeepError } from './faults.ts'

export type XmlEvents = {
  open?(name: string, attributes: () => Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

/** Programs write about ten levels. The parser takes longer for each element the deeper it stands. */
const MAX_DEPTH = 64

/** Reads XML from its start to its end; names come without a prefix. Throws AppError('file_error'). */
export function readXml(xml: string, { open, close, text }: XmlEvents): void {
  let depth = 0
  const parser = new Parser()
    .on('openTag', (name, attributes) => {
      depth++
      if (depth > MAX_DEPTH) throw workbookTooDeepError(MAX_DEPTH)
      open?.(bareName(name), attributes)
    })
    .on('closeTag', (name) => {
      depth--
      close?.(bareName(name))
    })
    .on('text', (part) => text?.(decodeXml(part)))
    .on('cdata', (part) => text?.(part))
    .on('error', (error) => {
      throw workbookDamagedError(error)
    })
  parser.parse(xml)
  if (depth !== 0) throw workbookDamagedError()
}

function bareName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Replaces references to characters. The parser's own function cuts those beyond the 65,536th. */
export function decodeXml(text: string): string {
  return text.includes('&') ? decodeXML(text) : text
}
