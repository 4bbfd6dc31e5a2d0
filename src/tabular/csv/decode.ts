import { AppError } from '../../core/errors.ts'
import { pluralize, joinFirst } from '../wording.ts'
import encodings from './encodings.json' with { type: 'json' }
import { fileError } from './file-error.ts'
import type { Guess } from './guess-encoding.ts'

/** A text and its encoding, by its label in the Encoding Standard. */
export type DecodedText = {
  text: string
  encoding: string
  bom: boolean
  /** Words beyond ASCII, by which a person sees whether a guess is right. Absent where nothing was guessed. */
  letters?: readonly string[]
  /** Readings between which only a person can choose. */
  doubt?: readonly Guess[]
}

const AS_CSV = 'Export it again as CSV (UTF-8).'

const PDF = [0x25, 0x50, 0x44, 0x46]

/** Tools write tables as HTML or XML and call them .xls. */
const MARKUP = /^\uFEFF?\s*<(?:!doctype|html|table|meta|\?xml)/i

function assertNoPdf(bytes: Uint8Array): void {
  if (PDF.every((byte, at) => bytes[at] === byte))
    throw fileError('bad_encoding', 'The file is a PDF, not CSV.', { hint: AS_CSV })
}

/**
 * Text of a file: a byte order mark decides, else valid UTF-8, else UTF-16 by where its NULs stand, else what its letters
 * say (`guess-encoding.ts`, which only such a file loads)
 * (docs/rules/files.md#the-encoding-is-found-and-named). `encoding` overrides. Throws `file_error` for NUL characters,
 * undecodable bytes, rows in two encodings and files of other programs.
 */
export async function decode(bytes: Uint8Array, encoding?: string): Promise<DecodedText> {
  const decoded = decodeSure(bytes, encoding)
  if (decoded !== undefined) return decoded
  // Bytes that are no text have no encoding.
  checked(Buffer.from(bytes).toString('latin1'))
  assertOneEncoding(bytes)
  const { best, doubt } = (await import('./guess-encoding.ts')).guessEncoding(bytes)
  return { ...best, text: checked(best.text), bom: false, ...(doubt.length > 0 && { doubt }) }
}

/** Returns a text in Unicode or in the encoding that is named, as `decode` does; undefined where it must be guessed. */
export function decodeSure(bytes: Uint8Array, encoding?: string): DecodedText | undefined {
  assertNoPdf(bytes)
  const marked = markOf(bytes)
  const asked = encoding === undefined ? undefined : named(encoding, marked)
  const chosen = asked ?? marked ?? byNuls(bytes) ?? 'utf-8'
  const text = read(bytes, chosen)
  if (text !== undefined) return { text: checked(text), encoding: chosen, bom: marked === chosen }
  if (asked === undefined && marked === undefined && chosen === 'utf-8') return undefined
  throw fileError('bad_encoding', `The file is not valid ${chosen.toUpperCase()}.`, {
    hint: 'Save it again as UTF-8, or set its encoding with --encoding, such as windows-1252.',
  })
}

/** Throws `file_error` for a file of which some lines are UTF-8 and others are not: programs have appended to it. */
function assertOneEncoding(bytes: Uint8Array): void {
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/\r\n?|\n/)
  const isHigh = (line: string): boolean => /[\x80-\xff]/.test(line)
  const isUtf8 = (line: string): boolean => read(Buffer.from(line, 'latin1'), 'utf-8') !== undefined
  if (!lines.some((line) => isHigh(line) && isUtf8(line))) return
  const others = lines.flatMap((line, at) => (isUtf8(line) ? [] : [at + 1]))
  const text = pluralize(
    others.length,
    '{Row|Rows} {} {is|are} not UTF-8, and other rows are.',
    joinFirst(others),
  )
  throw fileError('bad_encoding', text, {
    hint: 'Correct the letters there and save the file as CSV (UTF-8), or set one encoding for the file with --encoding.',
  })
}

/** Returns the text. Throws `file_error` for a text that is no table. */
function checked(text: string): string {
  const nul = text.indexOf('\0')
  if (nul !== -1) {
    throw fileError(
      'bad_encoding',
      `The file has a NUL character on line ${lineAt(text, nul)}; it is not text.`,
      {
        hint: AS_CSV,
      },
    )
  }
  if (MARKUP.test(text))
    throw fileError('bad_encoding', 'The file is a web page or XML, not CSV, despite its name.', {
      hint: `${AS_CSV} A spreadsheet opens such a page.`,
    })
  return text
}

/** Programs write some labels otherwise than the Encoding Standard has them. */
const OTHER_LABELS: Readonly<Record<string, string>> = encodings.labels

/** Returns the encoding of a label of the Encoding Standard. Throws `usage` for any other. */
function named(encoding: string, marked: string | undefined): string {
  const label = encoding.trim().toLowerCase()
  if (label === 'utf-16' && marked === 'utf-16be') return marked
  try {
    return new TextDecoder(OTHER_LABELS[label] ?? label).encoding
  } catch {
    throw new AppError(
      'usage',
      `--encoding ${encoding} is not known; use utf-8, utf-16le, windows-1252, windows-1251, macintosh, gbk or another label of the Encoding Standard.`,
    )
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/** Returns which UTF-16 a text of a western language is: half of it is NULs, which are valid UTF-8. */
function byNuls(bytes: Uint8Array): string | undefined {
  const sample = Math.min(bytes.length, 4096)
  let even = 0
  let odd = 0
  for (let i = 0; i < sample; i++) {
    if (bytes[i] !== 0) continue
    if (i % 2 === 0) even++
    else odd++
  }
  if (even + odd < sample / 4 || bytes.length % 2 !== 0) return undefined
  if (odd > even * 9) return 'utf-16le'
  if (even > odd * 9) return 'utf-16be'
  return undefined
}

function read(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The physical line of a position: CR, LF and CRLF each end one. */
export function lineAt(text: string, position: number): number {
  let line = 1
  for (let i = 0; i < position; i++) {
    const code = text.charCodeAt(i)
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) line++
  }
  return line
}
