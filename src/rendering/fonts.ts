/**
 * The fonts of the paper: Noto Sans in slices of some characters each. Only the slices with characters that are printed
 * are read.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import type { CanvasContext } from './glyph-extent.ts'

type Slice = { file: string; ranges: readonly (readonly [first: number, last: number])[] }

const FIRST = 'noto-sans'

/** The package of each further script. The last three share Han characters: `country` and kana decide between them. */
const SCRIPTS: readonly (readonly [name: string, characters: RegExp])[] = [
  ['arabic', /\p{scx=Arab}/u],
  ['hebrew', /\p{scx=Hebr}/u],
  ['thai', /\p{scx=Thai}/u],
  ['armenian', /\p{scx=Armn}/u],
  ['bengali', /\p{scx=Beng}/u],
  ['ethiopic', /\p{scx=Ethi}/u],
  ['georgian', /\p{scx=Geor}/u],
  ['gujarati', /\p{scx=Gujr}/u],
  ['gurmukhi', /\p{scx=Guru}/u],
  ['kannada', /\p{scx=Knda}/u],
  ['khmer', /\p{scx=Khmr}/u],
  ['lao', /\p{scx=Laoo}/u],
  ['malayalam', /\p{scx=Mlym}/u],
  ['myanmar', /\p{scx=Mymr}/u],
  ['sinhala', /\p{scx=Sinh}/u],
  ['tamil', /\p{scx=Taml}/u],
  ['telugu', /\p{scx=Telu}/u],
  ['kr', /\p{scx=Hang}/u],
  ['jp', /\p{scx=Hira}|\p{scx=Kana}/u],
  ['sc', /\p{scx=Hani}|[\u3000-\u303f\uff00-\uffef]/u],
]

/** The last code point of Unicode, which no font has. */
const NO_CHARACTER = '\u{10FFFF}'
const DASH = /\p{Pd}/u
const KANA = /[\p{sc=Hira}\p{sc=Kana}]/u
const HANGUL = /\p{sc=Hang}/u

/** Characters that show nothing and need no font. */
const BLANK = /[\s\p{Cf}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u

const { resolve } = createRequire(import.meta.filename)
/** The file of each character that was looked for, by the East Asian font that was preferred. */
const found = new Map<string, string | undefined>()
const packages = new Map<string, readonly Slice[]>()
const registered = new Set<string>()

export type Families = {
  /** The families that a text needs, for the font of a canvas. */
  css: string
  /** Its characters that no font has. */
  missing: string[]
}

/** Returns the fonts of a text, and makes them known to the canvas. */
export function familiesOf(text: string, country?: string): Families {
  const files = new Set<string>()
  const missing = new Set<string>()
  // A space or a digit between the words of another script has the shape of this font.
  for (const character of new Set(`a${text}`)) {
    const file = findSlice(character, orderOf(text, country))
    if (file !== undefined) files.add(file)
    else if (!BLANK.test(character)) missing.add(character)
  }
  return { css: [...files].map((file) => `"${nameOf(file)}"`).join(','), missing: [...missing] }
}

/** Returns a text in which each character without a font is its plain form, if it has one: `-`, `c/o`, `F` for `𝔉`. */
export function inPlainLetters(text: string, country?: string): string {
  return familiesOf(text, country).missing.reduce(
    (rest, character) => rest.replaceAll(character, DASH.test(character) ? '-' : character.normalize('NFKC')),
    text,
  )
}

/** Returns which of the fonts of East Asia has a text's Han characters. */
function orderOf(text: string, country: string | undefined): string | undefined {
  if (KANA.test(text)) return 'jp'
  if (HANGUL.test(text)) return 'kr'
  return country === 'JP' ? 'jp' : country === 'KR' ? 'kr' : undefined
}

function findSlice(character: string, eastAsian: string | undefined): string | undefined {
  const key = `${eastAsian ?? ''} ${character}`
  if (!found.has(key)) found.set(key, searchSlice(character, eastAsian))
  return found.get(key)
}

function searchSlice(character: string, eastAsian: string | undefined): string | undefined {
  const own = inPackage(FIRST, character)
  if (own !== undefined) return own
  const names = SCRIPTS.flatMap(([name, characters]) => (characters.test(character) ? [name] : []))
  // Each font of East Asia has Han characters that the others lack.
  const han = names.includes('sc') ? ['sc', 'jp', 'kr'] : []
  for (const name of [...(han.length > 0 && eastAsian !== undefined ? [eastAsian] : []), ...names, ...han]) {
    const file = inPackage(`${FIRST}-${name}`, character)
    if (file !== undefined) return file
  }
  return undefined
}

function inPackage(name: string, character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0
  const slices = packages.get(name) ?? readSlices(name)
  packages.set(name, slices)
  return slices.find(
    ({ file, ranges }) =>
      ranges.some(([first, last]) => code >= first && code <= last) && hasShape(file, character),
  )?.file
}

let probe: CanvasContext | undefined

/** Says whether a font has a shape for a character: the ranges of a package name some that it draws as an empty box. */
function hasShape(file: string, character: string): boolean {
  register(file)
  probe ??= createCanvas(1, 1).getContext('2d')
  probe.font = `100px "${nameOf(file)}"`
  const [shape, box] = [character, NO_CHARACTER].map((text) => JSON.stringify(probe?.measureText(text)))
  return BLANK.test(character) || shape !== box
}

/** Reads which characters each file of a package has: `"[0]": "U+25ee8,U+25f23-25f2a"`. */
function readSlices(name: string): Slice[] {
  const path = resolve(`@fontsource-variable/${name}/unicode.json`)
  const slices = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  return Object.entries(slices).map(([slice, text]) => ({
    file: join(dirname(path), 'files', `${name}-${slice.replace(/[[\]]/g, '')}-wght-normal.woff2`),
    ranges: text.split(',').map((range) => {
      const [first = '', last = first] = range.replace('U+', '').split('-')
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const
    }),
  }))
}

function register(file: string): void {
  if (registered.has(file)) return
  registered.add(file)
  GlobalFonts.register(readFileSync(file), nameOf(file))
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replaceAll(/\.woff2$|.*\\/g, '')
}
