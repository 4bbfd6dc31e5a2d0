/**
 * The words by which a parcel is found: those of its names, its address and its reference. Pure. A name is also found as one word
 * (O'Neill as oneill, Mary-Ann as maryann) and as it is written without dots (Müller as mueller).
 */
import type { WordMatch } from '../../../core/db.ts'
import { foldForSearch } from '../../../core/fold.ts'
import { sha256Hex } from '../../../core/hash.ts'

type Party = {
  contact: { name: string }
  company?: string | undefined
  address: { line1: string; line2?: string | undefined; city: string; postal_code: string }
}

type SearchableParcel = {
  reference: string | null
  doc: { recipient: Party; sender?: Party; return_of?: { reference: string | null } }
}

/**
 * The pieces of a search, which must all fit. A piece fits in one of several ways: `o'neill` as the words `o` and `neill`, or as
 * the word `oneill`.
 */
export type WordQuestion = readonly (readonly (readonly string[])[])[]

/** A part of a reference is found from so many characters on. */
const MIN_PART = 4
/** A reference is indexed in overlapping parts of so many characters. */
const GRAM = 3

/** Titles stand before a name that is looked for, and seldom in that of a parcel. */
const TITLES: ReadonlySet<string> = new Set(['mr', 'mrs', 'ms', 'miss', 'mx', 'dr', 'mme', 'herr', 'frau'])

/** Letters with a second spelling; the first is that of `fold`, without the mark. */
const SPELLED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
/** A letter with a mark, or the mark behind a plain letter. */
const HAS_SPELLED = /[äöüåø]|\u0308|\u030a/i

/** The words of a parcel, each once, and the letters and digits of its reference; in lower case and without accents. */
type ParcelWords = { words: ReadonlySet<string>; code: string }

function wordsOf({
  reference: own,
  doc: { recipient, sender = recipient, return_of },
}: SearchableParcel): ParcelWords {
  // A return is looked for by the customer who sends it, and by the parcel that it was.
  const { contact, company = '', address } = return_of === undefined ? recipient : sender
  const { line1, line2 = '', city, postal_code } = address
  const reference = (return_of === undefined ? own : return_of.reference) ?? ''
  const code = split(foldForSearch(reference)).join('')
  const words = new Set([split(foldForSearch(postal_code)).join(''), code])
  const texts = `${contact.name} ${company} ${line1} ${line2} ${city} ${postal_code} ${reference}`
  for (const text of spellings(texts)) {
    for (const piece of text.split(' ')) {
      const parts = split(piece)
      for (const part of parts) words.add(part)
      if (parts.length > 1) words.add(parts.join(''))
    }
  }
  words.delete('')
  return { words, code }
}

/** Returns what a text asks for; a title counts only where it is all that was requested. */
export function toQuestion(text: string): WordQuestion {
  const pieces = text.split(/\s+/).filter((piece) => split(foldForSearch(piece)).length > 0)
  const others = pieces.filter((piece) => !TITLES.has(split(foldForSearch(piece)).join('')))
  return (others.length === 0 ? pieces : others).map((piece) =>
    spellings(piece).flatMap((spelling) => {
      const parts = split(spelling)
      return parts.length > 1 ? [parts, [parts.join('')]] : [parts]
    }),
  )
}

/** Returns whether a question has no word of two characters. */
export function isTooShort(question: WordQuestion): boolean {
  return question.every((ways) => ways.every((words) => words.every((word) => word.length < 2)))
}

/** Returns whether each word of a question begins a word of the parcel, or is a part of its reference. */
export function hasWords(parcel: SearchableParcel, question: WordQuestion): boolean {
  const { words, code } = wordsOf(parcel)
  const isThere = (asked: string): boolean =>
    words.values().some((word) => word.startsWith(asked)) || (isPart(asked) && code.includes(asked))
  return question.every((ways) => ways.some((way) => way.every(isThere)))
}

/** Returns the words of a parcel as the index has them: each begins with the mark of its agreement, so that a search stays within it. */
export function indexedWords(agreementId: string, parcel: SearchableParcel): string {
  const { words, code } = wordsOf(parcel)
  const { word, gram } = marksOf(agreementId)
  const indexed = Array.from(words, (each) => word + each)
  for (const each of gramsOf(code)) indexed.push(gram + each)
  return indexed.join(' ')
}

/** Returns the condition that finds the parcels of an agreement that fit a question, and few others: `hasWords` says which ones do. */
export function toMatch(agreementId: string, question: WordQuestion): WordMatch {
  const { word, gram } = marksOf(agreementId)
  const toOne = (asked: string): WordMatch => {
    const begins: WordMatch = { word: word + asked, isBeginning: true }
    if (!isPart(asked)) return begins
    return { any: [begins, { all: gramsOf(asked).map((each) => ({ word: gram + each })) }] }
  }
  return { all: question.map((ways) => ({ any: ways.map((way) => ({ all: way.map(toOne) })) })) }
}

/** Returns whether a word is long enough to stand anywhere in a reference. */
function isPart(word: string): boolean {
  return Array.from(word).length >= MIN_PART
}

type Marks = { agreementId: string; word: string; gram: string }

/** The parcels of an upload have one agreement: a hash for each would take longer than their words. */
let lastMarks: Marks | undefined

/** Two agreements may have the same mark: the parcel names its owner. */
function marksOf(agreementId: string): Marks {
  if (lastMarks?.agreementId === agreementId) return lastMarks
  const mark = sha256Hex(agreementId).slice(0, 5)
  lastMarks = { agreementId, word: `w${mark}`, gram: `r${mark}` }
  return lastMarks
}

function gramsOf(code: string): string[] {
  const grams: string[] = []
  if (PLAIN.test(code)) {
    for (let end = GRAM; end <= code.length; end++) grams.push(code.slice(end - GRAM, end))
    return grams
  }
  const letters = Array.from(code)
  for (let end = GRAM; end <= letters.length; end++) grams.push(letters.slice(end - GRAM, end).join(''))
  return grams
}

/** Returns a text folded, and folded with its second spelling where it has one. */
function spellings(text: string): string[] {
  const folded = foldForSearch(text)
  if (!HAS_SPELLED.test(text)) return [folded]
  const spelled = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[äöüåø]/g, (letter) => SPELLED[letter] ?? letter)
  return [folded, foldForSearch(spelled)]
}

/** Most texts are printable ASCII; V8 takes longer for the sets of Unicode. */
const PLAIN = /^[ -~]*$/

/** Returns the runs of letters and digits of a folded text. */
function split(text: string): string[] {
  return (PLAIN.test(text) ? text.match(/[a-z0-9]+/g) : text.match(/[\p{L}\p{M}\p{N}]+/gu)) ?? []
}
