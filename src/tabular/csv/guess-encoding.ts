/**
 * Finds the encoding of a text that is not Unicode. Windows-1252 stays the answer unless its letters make no words, and
 * those of another encoding do. Words decide first, because a sheet has too few letters for statistics; the statistics of
 * `chardet` decide between the encodings that are left.
 */
import { analyse } from 'chardet'
import encodings from './encodings.json' with { type: 'json' }

/* oxlint-disable no-control-regex -- control characters mark an encoding that is not the right one */

/** A reading of a file: `letters` are words of it beyond ASCII, by which a person sees whether it is right. */
export type Guess = { text: string; encoding: string; letters: string[] }

/** Encodings that the statistics do not know, or tell from others only by long texts. */
const ALSO = encodings.also.split(' ')

/** More words than this say nothing new. */
const MAX_WORDS = 5000
const MAX_SAMPLE_WORDS = 3

/**
 * Returns the most likely reading, and all that are possible where none is clearly better. Throws nothing: every file is
 * some Windows-1252.
 */
export function guessEncoding(bytes: Uint8Array): { best: Guess; doubt: Guess[] } {
  const western = readAs(bytes, 'windows-1252')
  if (western === undefined) throw new RangeError('windows-1252 has a character for every byte')
  const { words, guess } = western
  const broken = words.filter(isBroken).length
  const faults = broken + new Set(words.filter((word) => !isBroken(word) && isMixed(word))).size
  const isSuspect = broken * MANY > words.length || faults * MANY > words.length + MANY
  if (!isSuspect) return { best: guess, doubt: [] }
  const confidences = new Map(
    analyse(wordsOnly(bytes)).map(({ name, confidence }) => [name.toLowerCase(), confidence]),
  )
  const better = findBetter(bytes, guess, { names: [...confidences.keys(), ...ALSO], faults })
  const [first, second] = better
  if (first === undefined)
    return { best: guess, doubt: words.some((word) => SIGNS.test(word)) ? [guess] : [] }
  const confidenceOf = (other: Guess | undefined): number => confidences.get(other?.encoding ?? '') ?? 0
  const isAlone = second === undefined && broken > 0 && !HAN.test(first.text)
  const isClear = isAlone || confidenceOf(first) >= Math.max(CLEARLY * confidenceOf(second), MIN_CONFIDENCE)
  return { best: first, doubt: isClear ? [] : [...better, guess] }
}

type Search = { names: readonly string[]; /** Those of the western reading. */ faults: number }

/** Returns the readings that have clearly fewer faults than the western one. Several encodings may read the same. */
function findBetter(bytes: Uint8Array, western: Guess, { names, faults }: Search): Guess[] {
  const better = new Map<string, Guess>()
  for (const name of names) {
    const read = readAs(bytes, name)
    if (read === undefined || read.words.filter(isBroken).length * CLEARLY > faults) continue
    if (!better.has(read.guess.text)) better.set(read.guess.text, { ...read.guess, encoding: name })
  }
  better.delete(western.text)
  return [...better.values()]
}

/** Chinese fits nearly any bytes. */
const HAN = /\p{sc=Han}/u

/** Windows-1252 is doubted when one of so many words is none. */
const MANY = 5
/** Another encoding must have so many times fewer faults, and its statistics so many times more confidence. */
const CLEARLY = 3
/** Chinese and Japanese have a confidence of 10 where their statistics found nothing. */
const MIN_CONFIDENCE = 20

function readAs(bytes: Uint8Array, encoding: string): { guess: Guess; words: string[] } | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true })
    const text = decoder.decode(bytes)
    const words = text.match(WORD)?.slice(0, MAX_WORDS) ?? []
    const letters = [...new Set(words)].slice(0, MAX_SAMPLE_WORDS)
    return { guess: { text, encoding: decoder.encoding, letters }, words }
  } catch {
    return undefined
  }
}

/** A run of characters with one beyond ASCII, between the spaces, digits and punctuation of ASCII. */
const WORD =
  /[A-Za-z']*[^\x00-\x7f\u3000-\u303f\uff00-\uff0f](?:[A-Za-z']|[^\x00-\x7f\u3000-\u303f\uff00-\uff0f])*/gu

/** Controls, unassigned characters, and signs at a letter that are no accent and no mark of a brand. */
const SIGNS = /[\u0080-\u009f\ufffd\p{Co}\p{Cn}]|\p{L}(?![™®©°´`])\p{S}|(?![™®©°´`])\p{S}\p{L}/u

/** Letters and signs that no word of a language has. */
const FAULTS: readonly RegExp[] = [
  SIGNS,
  // The mark of an ordinal number at the start of a word.
  /[ªº]\p{L}/u,
  // Punctuation between letters.
  /\p{L}(?![’‘·‐‑–—])\p{P}\p{L}(?<![\x00-\x7f]{2})/u,
  // An opening mark behind a letter.
  /\p{L}[‘“„‚¡¿](?!\p{L})/u,
  // A capital behind a small letter, or before one within a word.
  /\p{Ll}(?=[^\x00-\x7f])\p{Lu}|\p{L}(?=[^\x00-\x7f])\p{Lu}\p{Ll}/u,
  // Three accents in a row have only other scripts that are read as a western one.
  /[\u00c0-\u00ff]{3}/u,
  // Two scripts in one word.
  /(?=.*\p{sc=Latin})(?=.*(?:\p{sc=Cyrl}|\p{sc=Grek}|\p{sc=Han}|\p{sc=Hang}|\p{sc=Hira}|\p{sc=Kana}|\p{sc=Hebr}|\p{sc=Arab}|\p{sc=Thai}))/u,
  /(?=.*\p{sc=Cyrl})(?=.*(?:\p{sc=Grek}|\p{sc=Han}))/u,
]

function isBroken(word: string): boolean {
  return FAULTS.some((fault) => fault.test(word))
}

/** The letters beyond ASCII of the languages that are written in Windows-1252. */
const ALPHABETS = Object.values(encodings.alphabets)

/** Returns whether a word has letters that no western language has together: other languages do, in the same places. */
function isMixed(word: string): boolean {
  const letters = Array.from(word.toLowerCase()).filter(
    (letter) => /[^\x00-\x7f]/.test(letter) && /\p{L}/u.test(letter),
  )
  return !ALPHABETS.some((alphabet) => letters.every((letter) => alphabet.includes(letter)))
}

/** Returns the words beyond ASCII alone: a sheet is so full of ASCII that the statistics would find English. */
function wordsOnly(bytes: Uint8Array): Uint8Array {
  const words =
    Buffer.from(bytes)
      .toString('latin1')
      .match(/[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*/g) ?? []
  return Buffer.from(words.slice(0, MAX_WORDS).join(' '), 'latin1')
}
