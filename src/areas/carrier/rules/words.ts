/** The words by which a parcel is found: those of its names, its postcode and its reference. Pure. */
import { fold } from '../../../core/fold.ts'

type Party = { contact: { name: string }; company?: string | undefined; address: { postal_code: string } }

type Named = {
  reference: string | null
  doc: { recipient: Party; sender?: Party; return_of?: { reference: string | null } }
}

/** A part of a reference is found from so many characters on. */
const SHORTEST_PART = 4

/** Titles stand before a name that is looked for, and seldom in that of a parcel. */
const TITLES: ReadonlySet<string> = new Set(['mr', 'mrs', 'ms', 'miss', 'mx', 'dr', 'mme', 'herr', 'frau'])

/** Returns the words of a parcel, each once, in lower case and without accents. */
export function wordsOf({
  reference: own,
  doc: { recipient, sender = recipient, return_of },
}: Named): string[] {
  // A return is looked for by the customer who sends it, and by the parcel that it was.
  const { contact, company, address } = return_of === undefined ? recipient : sender
  const reference = return_of === undefined ? own : return_of.reference
  const code = reference === null ? '' : split(reference).join('')
  const letters = Array.from(code)
  const parts = letters.map((_, at) => letters.slice(at).join(''))
  return [
    ...new Set([
      ...[contact.name, company ?? '', address.postal_code, reference ?? ''].flatMap(split),
      ...[split(address.postal_code).join(''), code].filter((word) => word !== ''),
      ...parts.filter((part) => part.length >= SHORTEST_PART),
    ]),
  ]
}

/** Returns the words of a question; a title counts only where it is all that was asked for. `T-1` is one word. */
export function questionWords(text: string): string[] {
  const parts = [...new Set(split(text))]
  const words = parts.every((part) => part.length < 2) ? [split(text).join('')] : parts
  const others = words.filter((word) => !TITLES.has(word))
  return others.length === 0 ? words : others
}

/** Returns whether each word of a question begins a word of the parcel. */
export function hasWords(parcel: Named, asked: readonly string[]): boolean {
  const words = wordsOf(parcel)
  return asked.every((each) => words.some((word) => word.startsWith(each)))
}

function split(text: string): string[] {
  return fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}
