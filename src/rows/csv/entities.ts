/** Characters that shops write as they stand in web pages: `O&#39;Dowd`, `Marsh &amp; Daughters`. */
import { decodeHTMLStrict } from 'entities/decode'

const ENTITY = /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,31}\d{0,2});/gi

/** Returns a text with the characters that its entities stand for, and blanks for spaces and controls. Unknown entities stay. */
export function decodeEntities(text: string): string {
  return text.replaceAll(ENTITY, (entity) =>
    decodeHTMLStrict(entity)
      .replace(/^[\p{Zs}\p{Cc}\ufffd]$/u, ' ')
      .replace(/^\p{Cf}$/u, ''),
  )
}

const TAG = /<\/?[a-z][^>]*>/i

/** Decodes a text as `decodeEntities` does, but leaves HTML as it is: what reads HTML decodes it after its tags. */
export function decodePlain(text: string): string {
  return text.includes('&') && !TAG.test(text) ? decodeEntities(text) : text
}
