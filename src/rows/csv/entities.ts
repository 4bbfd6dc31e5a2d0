/** Characters that shops write as they stand in web pages: `O&#39;Dowd`, `Marsh &amp; Daughters`. */

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  pound: '£',
  euro: '€',
  deg: '°',
  frac12: '½',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  ntilde: 'ñ',
  ouml: 'ö',
  uuml: 'ü',
  auml: 'ä',
}

const ENTITY = /&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8}\d{0,2});/gi

/** Returns a text with the characters that its entities stand for. Unknown entities stay. */
export function decodeEntities(text: string): string {
  return text.includes('&')
    ? text.replaceAll(ENTITY, (whole: string, name: string) => entity(name, whole))
    : text
}

const TAG = /<\/?[a-z][^>]*>/i

/** Decodes a text as `decodeEntities` does, but leaves HTML as it is: what reads HTML decodes it after its tags. */
export function decodePlain(text: string): string {
  return text.includes('&') && !TAG.test(text) ? decodeEntities(text) : text
}

function entity(name: string, whole: string): string {
  if (!name.startsWith('#')) return ENTITIES[name] ?? ENTITIES[name.toLowerCase()] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = code > 31 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : ' '
}
