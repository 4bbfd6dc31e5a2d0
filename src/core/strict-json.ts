/** The deepest nesting that is accepted. */
export const MAX_DEPTH = 32
export const TOO_DEEP = `The {whole} is nested deeper than ${MAX_DEPTH} levels.`
/** The scan of more bytes is compiled while it runs; and `JSON.parse` would build millions of levels. */
const MAX_UNSCANNED = 65_536

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const LOWER_U = 0x75

/**
 * Parses JSON strictly (docs/rules/requests.md#json-is-parsed-strictly): UTF-8 without NUL or lone surrogates, at most 32 levels
 * deep, no repeated field, no integer beyond 2^53 - 1, no number beyond a double, no field named `__proto__`.
 * Accepted JSON has the value that `JSON.parse` returns. A problem is a sentence without any of the content; `whole` says
 * in it what the text is.
 */
export function parseStrictJson(
  bytes: Uint8Array,
  whole: Whole = 'body',
): { value: unknown } | { problem: string } {
  const parsed = parse(bytes)
  return 'problem' in parsed ? { problem: inWhole(parsed.problem, whole) } : parsed
}

/** The word for the whole text in a problem. */
export type Whole = 'body' | 'message'

export function inWhole(problem: string, whole: Whole): string {
  return problem.replace('{whole}', whole)
}

function parse(marked: Uint8Array): { value: unknown } | { problem: string } {
  // Programs of Windows write a byte order mark, which RFC 8259 lets a reader ignore.
  const hasMark = marked[0] === 0xef && marked[1] === 0xbb && marked[2] === 0xbf
  const bytes = hasMark ? marked.subarray(3) : marked
  if (bytes.length === 0) return { problem: 'The {whole} is empty; send a JSON object.' }
  const outline = scan(bytes)
  if (outline.depth > MAX_DEPTH) return { problem: TOO_DEEP }
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { problem: 'The {whole} is not valid UTF-8.' }
  }
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: syntaxProblem(error) }
  }
  const tally = { members: 0, escapes: outline.escapes }
  const problem = problemOf(value, tally)
  if (problem !== undefined) return { problem }
  // JSON.parse keeps one of equal fields, so fewer fields than colons means a repeated field.
  if (tally.members < outline.colons)
    return { problem: 'An object of the {whole} has the same member twice.' }
  return { value }
}

/**
 * Parses JSON as `parseStrictJson` does. For text as `JSON.stringify` writes it no byte is looked at alone: in a command
 * that parses one response that code is not yet compiled, and would take longer than the parsing.
 */
export function parseOnce(bytes: Uint8Array): { value: unknown } | { problem: string } {
  const value = bytes.length <= MAX_UNSCANNED ? parseCompact(bytes) : undefined
  return value === undefined ? parseStrictJson(bytes) : { value }
}

/** Returns the value of text that is written as `JSON.stringify` writes it; undefined for other text, and for any problem. */
function parseCompact(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    // A repeated field is lost in the value, and so is the digit of a number that is too long.
    if (text.includes('\\u') || JSON.stringify(value) !== text) return undefined
    const problem = problemOf(value, { members: 0, escapes: false })
    return problem === undefined && isShallow(value, MAX_DEPTH) ? value : undefined
  } catch {
    return undefined
  }
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1))
}

type Outline = {
  depth: number
  /** Colons outside strings: one for each field. */
  colons: number
  /** True if a string has a `\u` escape. In valid UTF-8 only an escape can produce a NUL or a lone surrogate. */
  escapes: boolean
}

/** Scans the bytes once before they are decoded, so that deep nesting costs no memory. */
function scan(bytes: Uint8Array): Outline {
  const outline = { depth: 0, colons: 0, escapes: false }
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = skipString(bytes, at + 1, outline)
    } else if (byte === COLON) {
      outline.colons += 1
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1
      if (depth > outline.depth) outline.depth = depth
      if (depth > MAX_DEPTH) return outline
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1
    }
  }
  return outline
}

/** Returns the position of the quote that closes the string. */
function skipString(bytes: Uint8Array, start: number, outline: Outline): number {
  let at = start
  while (at < bytes.length && bytes[at] !== QUOTE) {
    if (bytes[at] === BACKSLASH) {
      at += 1
      outline.escapes ||= bytes[at] === LOWER_U
    }
    at += 1
  }
  return at
}

/**
 * Returns why plain values cannot be stored unchanged, namely lone surrogates or NUL in a string; undefined when they
 * can.
 */
export function problemOfPlain(value: unknown): string | undefined {
  // `JSON.stringify` writes both as escapes; checking each string takes ten times as long.
  if (!/\\u(?:0000|d[89a-f])/.test(JSON.stringify(value))) return undefined
  const problem = problemOf(value, { members: 0, escapes: true })
  return problem === undefined ? undefined : inWhole(problem, 'body')
}

type Tally = { members: number; escapes: boolean }

function problemOf(value: unknown, tally: Tally): string | undefined {
  if (typeof value === 'string') return tally.escapes ? problemOfText(value) : undefined
  if (typeof value === 'number') return problemOfNumber(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) return problemOfObject(value as Record<string, unknown>, tally)
  for (const item of value) {
    const problem = problemOf(item, tally)
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemOfObject(object: Record<string, unknown>, tally: Tally): string | undefined {
  const keys = Object.keys(object)
  tally.members += keys.length
  for (const key of keys) {
    if (key === '__proto__') return 'A member cannot be named __proto__.'
    const problem = (tally.escapes ? problemOfText(key) : undefined) ?? problemOf(object[key], tally)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Returns why a string is rejected, with `{whole}` in the place of the word. */
export function problemOfText(text: string): string | undefined {
  if (!text.isWellFormed()) return 'A string of the {whole} has a lone surrogate.'
  return text.includes('\0') ? 'A string of the {whole} has a NUL character.' : undefined
}

/** Returns why a number is rejected, with `{whole}` in the place of the word. */
export function problemOfNumber(number: number): string | undefined {
  if (!Number.isFinite(number)) return 'A number of the {whole} is too large.'
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return undefined
  return 'An integer of the {whole} is beyond 9007199254740991; send it as a string.'
}

/** Returns where the syntax is wrong, without the text that `JSON.parse` quotes. */
function syntaxProblem(error: unknown): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(String(error)) ?? []
  const where = line === undefined || column === undefined ? '' : ` (line ${line}, column ${column})`
  return `The {whole} is not valid JSON${where}.`
}
