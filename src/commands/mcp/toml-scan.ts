/** Finds the places of tables and values in a TOML text. The text must be valid: a parser has read it before. */
import { parse } from 'smol-toml'

/** `[a.b]` or `[[a.b]]`: its path, and the end of its brackets. */
export type TomlHeader = { path: readonly string[]; end: number; isArray: boolean }

/** `key = value`: the path from the root, the path of its table, and the places of its line. */
export type TomlPair = {
  path: readonly string[]
  table: readonly string[]
  key: number
  value: number
  end: number
  /** True if it stands within `{ … }`. */
  isInline: boolean
}

type Cursor = { text: string; at: number; pairs: TomlPair[] }

const STRING = /"""(?:\\[^]|[^\\])*?"{3,5}|'''[^]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y

/** Returns the headers and the pairs in the order of the text, an inline table before its own pairs. */
export function scanToml(text: string): { headers: TomlHeader[]; pairs: TomlPair[] } {
  const cursor: Cursor = { text, at: 0, pairs: [] }
  const headers: TomlHeader[] = []
  let table: readonly string[] = []
  for (skipBlank(cursor); cursor.at < text.length; skipBlank(cursor)) {
    if (text[cursor.at] !== '[') {
      readPair(cursor, table, false)
      continue
    }
    const isArray = text.startsWith('[[', cursor.at)
    cursor.at += isArray ? 2 : 1
    table = readKey(cursor)
    cursor.at += isArray ? 2 : 1
    headers.push({ path: table, end: cursor.at, isArray })
  }
  return { headers, pairs: cursor.pairs }
}

function skip(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at
  const [found = ''] = pattern.exec(cursor.text) ?? []
  cursor.at += found.length
  return found
}

/** Skips spaces, line ends and comments. */
function skipBlank(cursor: Cursor): void {
  skip(cursor, /(?:\s|#[^\n]*)*/y)
}

/** Reads `a."b c".d`, and the spaces around it. */
function readKey(cursor: Cursor): string[] {
  const path: string[] = []
  do {
    skip(cursor, /[ \t]*/y)
    const quoted = skip(cursor, STRING)
    path.push(quoted === '' ? skip(cursor, /[^\s.=\]]+/y) : keyIn(quoted))
    skip(cursor, /[ \t]*/y)
  } while (skip(cursor, /\./y) !== '')
  return path
}

/** Returns the text of a quoted key: it is written as a value is. */
function keyIn(quoted: string): string {
  const { key } = parse(`key = ${quoted}`)
  return typeof key === 'string' ? key : quoted
}

function readPair(cursor: Cursor, table: readonly string[], isInline: boolean): void {
  const key = cursor.at
  const path = [...table, ...readKey(cursor)]
  skip(cursor, /=[ \t]*/y)
  const pair = { path, table, key, value: cursor.at, end: 0, isInline }
  cursor.pairs.push(pair)
  skipValue(cursor, path)
  pair.end = cursor.at
}

/** Skips a value, and collects the pairs of an inline table. Without a path it stands in an array, and collects none. */
function skipValue(cursor: Cursor, path: readonly string[] | undefined): void {
  const { text, pairs } = cursor
  const open = text[cursor.at]
  if (open !== '[' && open !== '{') {
    if (skip(cursor, STRING) === '') skip(cursor, /[^,\]}#\r\n]*[^,\]}#\s]/y)
    return
  }
  const close = open === '[' ? ']' : '}'
  const count = pairs.length
  cursor.at += 1
  for (skipBlank(cursor); cursor.at < text.length && text[cursor.at] !== close; skipBlank(cursor)) {
    if (open === '[') skipValue(cursor, undefined)
    else readPair(cursor, path ?? [], true)
    skipBlank(cursor)
    skip(cursor, /,/y)
  }
  cursor.at += 1
  // Entries of an array have no path.
  if (path === undefined || open === '[') pairs.length = count
}
