import london from '../../reference-data/london/places.json' with { type: 'json' }
import { foldForSearch } from '../fold.ts'
import type { Point } from '../geometry.ts'
import { findClosestWord } from '../nearest.ts'

export type NamedPlace = Point & { name: string }

/** Places of London that people name instead of a point, sorted by slug. */
const PLACES = london.places as [name: string, latitude: number, longitude: number][]

/** Other names of the same places, as slugs. */
const ALIASES: Readonly<Record<string, string>> = london.aliases

/** Words after a name that do not change the place. */
const TAIL = /-(?:station|airport|terminal|underground|tube|market|london|uk)$/
/** A terminal with a number is a place of its own, kilometres from the next one. */
const TERMINAL = /^(.+?)-(?:terminal-|t-?)(\d)$/

let slugs: ReadonlyMap<string, NamedPlace> | undefined

/** Every place by its name as a slug, sorted: made once, and not by a program that names none. */
export function namedPlaces(): ReadonlyMap<string, NamedPlace> {
  return (slugs ??= new Map(
    PLACES.map(([name, latitude, longitude]) => [slugOf(name), { name, latitude, longitude }]),
  ))
}

/** Returns the place of London that a text means: `kings-cross`, `King’s Cross station`, `heathrow t5`, `BANK`. */
export function findNamedPlace(text: string): NamedPlace | undefined {
  for (let slug = slugOf(text).replace(/^the-/, ''); slug !== ''; slug = slug.replace(TAIL, '')) {
    const found = namedPlaces().get(nameOfSlug(slug)) ?? namedPlaces().get(`${slug}-airport`)
    if (found !== undefined) return found
    if (!TAIL.test(slug)) return undefined
  }
  return undefined
}

/** Returns the slug of the place that another of its names means: `heathrow-airport` of `lhr`, `heathrow-terminal-5` of `lhr-t5`. */
function nameOfSlug(slug: string): string {
  const [, airport, terminal] = TERMINAL.exec(slug) ?? []
  if (airport !== undefined) return `${nameOfSlug(airport).replace(/-airport$/, '')}-terminal-${terminal}`
  return Object.hasOwn(ALIASES, slug) ? (ALIASES[slug] ?? slug) : slug
}

const SUGGESTIONS = 5
/** Words that are in too many names to show which place is meant. */
const COMMON = new Set(
  'street road avenue lane close court place way house station the and near central london'.split(' '),
)

/**
 * Returns up to five likely names, of places and of `others`: the one nearest in spelling, then those that share the
 * most words with the text.
 */
export function similarNames(text: string, others: readonly string[] = []): string[] {
  const slug = slugOf(text)
  const known = new Map([...namedPlaces().keys(), ...others].map((name) => [slugOf(name), name]))
  const words = slug.split('-').filter((word) => word.length > 2 && !COMMON.has(word))
  const shared = [...known].map(([key, name]) => {
    const parts = key.split('-')
    return { name, count: words.filter((word) => parts.some((part) => part.startsWith(word))).length }
  })
  const most = Math.max(1, ...shared.map(({ count }) => count))
  const sharing = shared.filter(({ count }) => count === most).map(({ name }) => name)
  // A text that begins with a digit, such as "5 Bond Street", is an address and not a misspelt name.
  const spelt = /^\d/.test(slug) ? undefined : known.get(findClosestWord(slug, [...known.keys()]) ?? '')
  return [...new Set([...(spelt === undefined ? [] : [spelt]), ...sharing])].slice(0, SUGGESTIONS)
}

function slugOf(text: string): string {
  return foldForSearch(text)
    .replaceAll(/['.]/g, '')
    .replaceAll(/[\s_,-]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
