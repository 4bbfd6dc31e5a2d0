/**
 * The fonts of the paper: Noto Sans in slices of some characters each. Only the slices with characters that are printed
 * are read. The package of Latin, Greek and Cyrillic is installed with dray; each other script has its own, if it is wanted.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import type { CanvasContext } from './glyph-extent.ts'

type Slice = { file: string; ranges: readonly (readonly [first: number, last: number])[] }

const FONT_SCOPE = '@fontsource-variable'
const FIRST = 'noto-sans'
/** The files of a package stand where this major version puts them. */
const FONT_MAJOR = 5

/**
 * The further scripts: the ends of the names of their packages, their names for people, and their characters. The last three
 * share Han characters: `country` and kana decide between them.
 */
const SCRIPTS: readonly (readonly [id: string, name: string, characters: RegExp])[] = [
  ['arabic', 'Arabic', /\p{scx=Arab}/u],
  ['hebrew', 'Hebrew', /\p{scx=Hebr}/u],
  ['thai', 'Thai', /\p{scx=Thai}/u],
  ['armenian', 'Armenian', /\p{scx=Armn}/u],
  ['bengali', 'Bengali', /\p{scx=Beng}/u],
  ['ethiopic', 'Ethiopic', /\p{scx=Ethi}/u],
  ['georgian', 'Georgian', /\p{scx=Geor}/u],
  ['gujarati', 'Gujarati', /\p{scx=Gujr}/u],
  ['gurmukhi', 'Gurmukhi', /\p{scx=Guru}/u],
  ['kannada', 'Kannada', /\p{scx=Knda}/u],
  ['khmer', 'Khmer', /\p{scx=Khmr}/u],
  ['lao', 'Lao', /\p{scx=Laoo}/u],
  ['malayalam', 'Malayalam', /\p{scx=Mlym}/u],
  ['myanmar', 'Myanmar', /\p{scx=Mymr}/u],
  ['sinhala', 'Sinhala', /\p{scx=Sinh}/u],
  ['tamil', 'Tamil', /\p{scx=Taml}/u],
  ['telugu', 'Telugu', /\p{scx=Telu}/u],
  ['kr', 'Korean', /\p{scx=Hang}/u],
  ['jp', 'Japanese', /\p{scx=Hira}|\p{scx=Kana}/u],
  ['sc', 'Chinese', /\p{scx=Hani}|[\u3000-\u303f\uff00-\uffef]/u],
]

/** The last code point of Unicode, which no font has. */
const NO_CHARACTER = '\u{10FFFF}'
const DASH = /\p{Pd}/u
const KANA = /[\p{sc=Hira}\p{sc=Kana}]/u
const HANGUL = /\p{sc=Hang}/u

/** Characters that show nothing and need no font. */
const BLANK = /[\s\p{Cf}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u

const { resolve } = createRequire(import.meta.filename)
/** The font of a character: its file, or the script whose package has it and is not installed. Empty if no font has it. */
type CharacterFont = { file?: string; script?: string }

/** The font of each character that was looked for, by the East Asian font that was preferred. */
const found = new Map<string, CharacterFont>()
const packages = new Map<string, readonly Slice[]>()
const registered = new Set<string>()

export type Families = {
  /** The families that a text needs, for the font of a canvas. */
  css: string
  /** Its characters that no font here has. */
  missing: string[]
  /** The scripts of those for which a package is to be had. */
  scripts: string[]
}

/** Returns the fonts of a text, and makes them known to the canvas. */
export function familiesOf(text: string, country?: string): Families {
  const files = new Set<string>()
  const missing = new Set<string>()
  const scripts = new Set<string>()
  // A space or a digit between the words of another script has the shape of this font.
  for (const character of new Set(`a${text}`)) {
    const { file, script } = findFont(character, orderOf(text, country))
    if (file !== undefined) files.add(file)
    else if (!BLANK.test(character)) {
      missing.add(character)
      if (script !== undefined) scripts.add(script)
    }
  }
  const css = [...files].map((file) => `"${nameOf(file)}"`).join(',')
  return { css, missing: [...missing], scripts: [...scripts] }
}

/** Returns the name of a script for people, and the package of its font as npm installs it. */
export function describeScript(script: string): { name: string; package: string } {
  const name = SCRIPTS.find(([id]) => id === script)?.[1] ?? script
  return { name, package: `${FONT_SCOPE}/${FIRST}-${script}@${FONT_MAJOR}` }
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

function findFont(character: string, eastAsian: string | undefined): CharacterFont {
  const key = `${eastAsian ?? ''} ${character}`
  const known = found.get(key)
  if (known !== undefined) return known
  const font = searchFont(character, eastAsian)
  // A package may be installed while a service runs.
  if (font.script === undefined) found.set(key, font)
  return font
}

function searchFont(character: string, eastAsian: string | undefined): CharacterFont {
  const own = inPackage(FIRST, character)
  if (own !== undefined) return { file: own }
  const names = SCRIPTS.flatMap(([id, , characters]) => (characters.test(character) ? [id] : []))
  // Each font of East Asia has Han characters that the others lack.
  const han = names.includes('sc') ? ['sc', 'jp', 'kr'] : []
  const inOrder = [...(han.length > 0 && eastAsian !== undefined ? [eastAsian] : []), ...names, ...han]
  for (const name of inOrder) {
    const file = inPackage(`${FIRST}-${name}`, character)
    if (file !== undefined) return { file }
  }
  const script = inOrder.find((name) => !packages.has(`${FIRST}-${name}`))
  return script === undefined ? {} : { script }
}

function inPackage(name: string, character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0
  return slicesOf(name)?.find(
    ({ file, ranges }) =>
      ranges.some(([first, last]) => code >= first && code <= last) && hasShape(file, character),
  )?.file
}

/** Returns the slices of a package; undefined while it is not installed. */
function slicesOf(name: string): readonly Slice[] | undefined {
  const known = packages.get(name)
  if (known !== undefined) return known
  const path = findTable(name)
  if (path === undefined) return undefined
  const slices = readSlices(name, path)
  packages.set(name, slices)
  return slices
}

/** Returns the file that lists the characters of a package; undefined while it is not installed. */
function findTable(name: string): string | undefined {
  try {
    return resolve(`${FONT_SCOPE}/${name}/unicode.json`)
  } catch (error) {
    if ((error as { code?: unknown }).code === 'MODULE_NOT_FOUND' && name !== FIRST) return undefined
    throw error
  }
}

let probe: CanvasContext | undefined

/** Says whether a font has a shape for a character: the ranges of a package name some that it renders as an empty box. */
function hasShape(file: string, character: string): boolean {
  register(file)
  probe ??= createCanvas(1, 1).getContext('2d')
  probe.font = `100px "${nameOf(file)}"`
  const [shape, box] = [character, NO_CHARACTER].map((text) => JSON.stringify(probe?.measureText(text)))
  return BLANK.test(character) || shape !== box
}

/** Reads which characters each file of a package has: `"[0]": "U+25ee8,U+25f23-25f2a"`. */
function readSlices(name: string, path: string): Slice[] {
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
