/** The 14 allergens in the words of customers, and whether a note is about an allergy. Pure. */
import { fold } from '../../../core/fold.ts'

/** The words by which customers name each allergen, and the dishes and ingredients that contain it. */
const ALLERGENS = Object.entries({
  celery: ['celeriac', ''],
  crustaceans: ['crustacean shellfish', 'prawn shrimp crab lobster crayfish langoustine scampi seafood'],
  eggs: ['egg', 'mayo mayonnaise'],
  fish: ['', 'seafood salmon tuna cod anchovy anchovies'],
  gluten: ['wheat', 'barley rye oat spelt coeliac celiac'],
  lupin: ['lupine', ''],
  milk: ['dairy lactose', 'cheese butter cream yoghurt yogurt whey casein'],
  molluscs: ['mollusc mollusk shellfish', 'seafood squid octopus calamari mussel oyster clam scallop'],
  mustard: ['', ''],
  nuts: ['nut', 'almond hazelnut walnut cashew pecan pistachio macadamia'],
  peanuts: ['peanut groundnut', 'nut nuts'],
  sesame: ['', 'tahini'],
  soya: ['soy soybean', 'tofu edamame'],
  sulphites: ['sulphite sulfite', 'sulphur sulfur'],
}).map(([slug, [names = '', foods = '']]) => ({
  slug,
  names: new Set([slug, ...split(names)]),
  words: new Set([slug, ...split(names), ...split(foods)]),
}))

function split(words: string): string[] {
  return words.split(' ').filter(Boolean)
}

/** Returns the whole words of a text, also without `free` and the plural: `dairyfree` names dairy. */
function wordsOf(text: string): string[] {
  return plainWords(text).flatMap((word) => [
    word,
    word.replace(/(?:free|frei)$/, ''),
    word.replace(/s$/, ''),
  ])
}

function plainWords(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

/** Returns the allergens that words name, of the 14. */
function namedBy(words: readonly string[]): string[] {
  return ALLERGENS.flatMap(({ slug, words: own }) => (words.some((word) => own.has(word)) ? slug : []))
}

const ALLERGY = /allerg|anaphyla|intoleran|c(?:o|œ)eliac|celiac|epi-?pen/i
/** The words before an allergen that a customer must not have, and those after it. */
const BEFORE = new Set('no non not without avoid never zero sans ohne senza sin sem zonder'.split(' '))
const AFTER = new Set(['free', 'frei'])
/** `no traces of nuts`: as many words may stand between. */
const APART = 3

/** Returns whether a note is about an allergy, as far as its words tell: `no peanuts`, `gluten free`, `sans gluten`. */
export function isAllergy(note: string): boolean {
  return ALLERGY.test(note) || note.split(/[.,;!?\n]/).some(refusesAllergen)
}

/** Returns whether a phrase refuses an allergen by its own name. A dish alone, as in `no cheese`, is a matter of taste. */
function refusesAllergen(phrase: string): boolean {
  const words = plainWords(phrase)
  return words.some((word, at) => {
    if (!isName(word.replace(/(?:free|frei)$/, ''))) return false
    if (/.(?:free|frei)$/.test(word) || AFTER.has(words[at + 1] ?? '')) return true
    return words.slice(Math.max(0, at - APART), at).some((before) => BEFORE.has(before))
  })
}

function isName(word: string): boolean {
  return ALLERGENS.some(({ names }) => names.has(word) || names.has(word.replace(/s$/, '')))
}

/**
 * Returns the allergens among those of an item that the notes of a customer name, by their own or usual words. All of them for
 * notes about an allergy that name none.
 */
export function allergensNamed(notes: readonly string[], allergens: readonly string[]): string[] {
  const said = notes.flatMap(wordsOf)
  const named = namedBy(said)
  if (named.length === 0 && notes.some(isAllergy)) return [...allergens]
  return allergens.filter((allergen) => {
    const own = wordsOf(allergen)
    const slugs = ALLERGENS.some(({ slug }) => slug === fold(allergen)) ? [fold(allergen)] : namedBy(own)
    return (
      slugs.some((slug) => named.includes(slug)) || own.some((word) => word !== '' && said.includes(word))
    )
  })
}
