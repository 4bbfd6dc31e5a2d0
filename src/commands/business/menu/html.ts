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

/** The text of a description in HTML, one line for each paragraph; text that is none stays as it is. */
export function plainText(html: string): string {
  if (!/<[a-z!/]|&[a-z#]/i.test(html)) return html.trim()
  const lines = html
    .replaceAll(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<li\b[^>]*>/gi, '\n• ')
    .replaceAll(/<br\b[^>]*>|<\/?(?:p|div|ul|ol|h[1-6]|tr|table|blockquote)\b[^>]*>/gi, '\n')
    .replaceAll(/<[a-z/][^>]*>/gi, '')
    .replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8}\d{0,2});/gi, (whole: string, name: string) =>
      entity(name, whole),
    )
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
  return lines.filter((line) => line !== '').join('\n')
}

function entity(name: string, whole: string): string {
  if (!name.startsWith('#')) return ENTITIES[name] ?? ENTITIES[name.toLowerCase()] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = code > 31 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : ' '
}
