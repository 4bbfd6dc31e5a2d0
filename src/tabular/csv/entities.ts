/** Characters that shops write as they are in web pages: `O&#39;Dowd`, `Marsh &amp; Daughters`. */

let decode: ((entity: string) => string) | undefined

/** Loads the names of entities, of which HTML has two thousand, where a text may have some. */
export async function loadEntities(text: string): Promise<void> {
  if (text.search(ENTITY) >= 0) decode ??= (await import('entities/decode')).decodeHTMLStrict
}

const ENTITY = /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,31}\d{0,2});/gi

/**
 * Returns a text with the characters that its entities stand for, and blanks for spaces and controls. Unknown entities
 * stay. Throws where `loadEntities` was not called for the file.
 */
export function decodeEntities(text: string): string {
  return text.replaceAll(ENTITY, (entity) => {
    if (decode === undefined) throw new Error('the names of entities are not loaded')
    return decode(entity)
      .replace(/^[\p{Zs}\p{Cc}\ufffd]$/u, ' ')
      .replace(/^\p{Cf}$/u, '')
  })
}

const TAG = /<\/?[a-z][^>]*>/i

/** Decodes a text as `decodeEntities` does, but leaves HTML as it is: what reads HTML decodes it after its tags. */
export function decodePlain(text: string): string {
  return text.includes('&') && !TAG.test(text) ? decodeEntities(text) : text
}
