import { AppError } from '../../core/errors.ts'
import { fileError } from './file-error.ts'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export type Decoded = { text: string; encoding: Encoding; bom: boolean }

/** The encodings that `--encoding` takes. Latin-1 means Windows-1252, as it does for every browser. */
const NAMES: Readonly<Record<string, Encoding>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'utf-16': 'utf-16le',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
  latin1: 'windows-1252',
  'iso-8859-1': 'windows-1252',
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
 * Text of a file: a byte order mark decides, else valid UTF-8, else UTF-16 by where its NULs stand, else Windows-1252
 * (`contract.md` E). `encoding` overrides. Throws `file_error` for NUL characters, undecodable bytes
 * and files of other programs.
 */
export function decode(bytes: Uint8Array, encoding?: string): Decoded {
  assertNoPdf(bytes)
  const marked = markOf(bytes)
  const asked = encoding === undefined ? undefined : named(encoding, marked)
  const chosen = asked ?? marked ?? guess(bytes)
  const text = read(bytes, chosen)
  if (text === undefined) {
    throw fileError('bad_encoding', `The file is not valid ${chosen.toUpperCase()}.`, {
      hint: 'Save it again as UTF-8, or name its encoding with --encoding (utf-8, utf-16le, utf-16be, windows-1252).',
    })
  }
  const nul = text.indexOf('\0')
  if (nul !== -1) {
    throw fileError(
      'bad_encoding',
      `The file holds a NUL character on line ${lineAt(text, nul)}; it is not text.`,
      {
        hint: AS_CSV,
      },
    )
  }
  if (MARKUP.test(text))
    throw fileError('bad_encoding', 'The file is a web page or XML, whatever its name says; it is not CSV.', {
      hint: `${AS_CSV} A spreadsheet opens such a page.`,
    })
  return { text, encoding: chosen, bom: marked === chosen }
}

function named(encoding: string, marked: Encoding | undefined): Encoding {
  const name = encoding.trim().toLowerCase()
  const found = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
  if (found === undefined) {
    throw new AppError(
      'usage',
      `--encoding ${encoding} is not known; use utf-8, utf-16le, utf-16be or windows-1252.`,
    )
  }
  return name === 'utf-16' && marked === 'utf-16be' ? marked : found
}

function markOf(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function guess(bytes: Uint8Array): Encoding {
  // Half of UTF-16 text of western languages is NULs, which are valid UTF-8: so the NULs are looked at first.
  const wide = byNuls(bytes)
  if (wide !== undefined) return wide
  return read(bytes, 'utf-8') === undefined ? 'windows-1252' : 'utf-8'
}

function byNuls(bytes: Uint8Array): Encoding | undefined {
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

function read(bytes: Uint8Array, encoding: Encoding): string | undefined {
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
