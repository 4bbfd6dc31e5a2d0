/** Whether a text is TOML: its form only, and that no key is there twice. What is not is left alone. */

const KEY = /(?:[\w-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')/.source
const KEYS = `${KEY}(?:[ \\t]*\\.[ \\t]*${KEY})*`
const SCALAR = [
  /"""(?:\\[^]|[^\\])*?"{3,5}/,
  /'''[^]*?'{3,5}/,
  /"(?:\\.|[^"\\\n])*"/,
  /'[^'\n]*'/,
  /true|false|[+-]?(?:inf|nan)/,
  /\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?/,
  /\d\d:\d\d(?::\d\d(?:\.\d+)?)?/,
  /0x[\da-fA-F][\da-fA-F_]*|0o[0-7][0-7_]*|0b[01][01_]*/,
  /[+-]?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?/,
]
  .map(({ source }) => source)
  .join('|')

const BLANK = /[ \t]*/y
const GAP = /(?:\s|#[^\n]*)*/y
const END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y
const HEAD = new RegExp(`\\[[ \\t]*(${KEYS})[ \\t]*\\]|\\[\\[[ \\t]*(${KEYS})[ \\t]*\\]\\]`, 'y')
const ASSIGNED = new RegExp(`(${KEYS})[ \\t]*=[ \\t]*`, 'y')
const VALUE = new RegExp(`(?:${SCALAR})(?=[ \\t\\r\\n,\\]}#]|$)`, 'y')
const OPEN = /[[{]/y

/** The number of the line at which it stops being TOML; undefined when it never does. */
export function findFault(text: string): number | undefined {
  const source = text.replace(/^\ufeff/, '')
  const seen = new Set<string>()
  let table = ''
  let at = 0

  /** What stands here, passed over; undefined where something else does. */
  function take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(source) ?? undefined
    at += found?.[0].length ?? 0
    return found
  }

  function isNew(name: string): boolean {
    return !seen.has(name) && seen.add(name).has(name)
  }

  function takeHead(): boolean {
    const [, plain, listed] = take(HEAD) ?? []
    table = plain === undefined ? `${normal(listed)}#${at}` : normal(plain)
    return plain === undefined ? listed !== undefined : isNew(table)
  }

  function takePair(within: string): boolean {
    const key = take(ASSIGNED)?.[1]
    return key !== undefined && isNew(`${within}\n${normal(key)}`) && takeValue()
  }

  function takeValue(): boolean {
    const open = take(OPEN)?.[0]
    if (open === undefined) return take(VALUE) !== undefined
    const [close, place] = [open === '[' ? /\]/y : /\}/y, `${at}`]
    for (take(GAP); take(close) === undefined; take(GAP)) {
      if (!(open === '[' ? takeValue() : takePair(place))) return false
      take(GAP)
      if (take(/,/y) === undefined) return take(close) !== undefined
    }
    return true
  }

  while (at < source.length) {
    const start = at
    take(BLANK)
    if (take(END) !== undefined) continue
    const fits = source[at] === '[' ? takeHead() : takePair(table)
    if (!fits || take(END) === undefined) return source.slice(0, start).split('\n').length
  }
  return undefined
}

/** Without blanks and quotation marks around its parts. */
function normal(key = ''): string {
  const parts = key.match(new RegExp(KEY, 'g')) ?? []
  return JSON.stringify(parts.map((part) => part.replaceAll(/^["']|["']$/g, '')))
}
