/** The 14 allergens in the words of customers, and whether a note is about an allergy. Pure. */
import { foldForSearch } from '../../../core/fold.ts'

/**
 * The words by which customers name each allergen, in English and folded in German, French, Spanish, Italian, Portuguese and Dutch, and
 * the dishes and ingredients that contain it.
 */
const ALLERGENS = Object.entries({
  celery: ['celeriac celeri sellerie apio sedano aipo selderij', ''],
  crustaceans: [
    'crustacean shellfish crustaces krebstiere crustaceos crostacei schaaldieren',
    'prawn shrimp crab lobster crayfish langoustine scampi seafood garnelen crevettes gambas',
  ],
  eggs: ['egg oeuf oeufs ei eier huevo uovo uova ovo eieren', 'mayo mayonnaise'],
  fish: [
    'poisson fisch pescado pesce peixe vis',
    'seafood salmon tuna cod anchovy anchovies lachs thunfisch saumon thon',
  ],
  gluten: [
    'glutine wheat ble weizen trigo frumento grano tarwe',
    'barley rye oat spelt coeliac celiac coeliaque celiaque celiaco celiaca celiachia zoliakie',
  ],
  lupin: ['lupine lupinen altramuz lupini lupino', ''],
  milk: [
    'dairy lactose lactosa lattosio laktose lait laitier milch leche latticini leite melk',
    'cheese butter cream yoghurt yogurt whey casein kase sahne fromage creme beurre latte queso formaggio kaas',
  ],
  molluscs: [
    'mollusc mollusk shellfish mollusques weichtiere moluscos molluschi weekdieren',
    'seafood squid octopus calamari mussel oyster clam scallop muscheln moules',
  ],
  mustard: ['moutarde senf mostaza senape mostarda mosterd', ''],
  nuts: [
    'nut noix nuss nusse nuez nueces noce noci noz nozes noot noten',
    'almond hazelnut walnut cashew pecan pistachio macadamia mandeln haselnusse walnusse amandes noisettes almendras nocciole mandorle',
  ],
  peanuts: [
    'peanut groundnut arachide arachides arachidi cacahuete cacahuetes cacahouetes cacahuate erdnuss erdnusse mani amendoim amendoins pinda',
    'nut nuts',
  ],
  sesame: ['sesam sesamo gergelim ajonjoli', 'tahini'],
  soya: ['soy soybean soja soia', 'tofu edamame'],
  sulphites: ['sulphite sulfite sulfit sulfites sulfitos solfiti sulfieten', 'sulphur sulfur'],
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
  return plainWords(text).flatMap((word) => [word, word.replace(FREE, ''), word.replace(/s$/, '')])
}

function plainWords(text: string): string[] {
  return foldForSearch(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

/** Returns the allergens that words name, of the 14. */
function namedBy(words: readonly string[]): string[] {
  return ALLERGENS.flatMap(({ slug, words: own }) => (words.some((word) => own.has(word)) ? slug : []))
}

/** In a folded note: `coeliac`, `alérgico`, `cœliaque`, `Zöliakie`, `unverträglich`. */
const ALLERGY = /all?erg|anaphyla|intoleran|coelia|celia[ckq]|zoliak|unvertrag|epi-?pen/
/** The words before an allergen that a customer must not have, and those after it. */
const BEFORE = new Set(
  'no non not without avoid never zero sans pas aucun ohne kein keine senza sin sem zonder geen'.split(' '),
)
const AFTER = new Set(['free', 'frei', 'vrij'])
const FREE = /(?:free|frei|vrij)$/
/** `no traces of nuts`: as many words may stand between. */
const APART = 3

/** Returns whether a note is about an allergy, as far as its words tell: `no peanuts`, `gluten free`, `sans gluten`. */
export function isAllergy(note: string): boolean {
  return findAllergyWord(note) !== undefined
}

/**
 * Returns the word above a note about an allergy: `ALLERGY` where it says so, `AVOID` where it only rejects an allergen, as in
 * `no dairy`. Undefined for every other note.
 */
export function findAllergyWord(note: string): 'ALLERGY' | 'AVOID' | undefined {
  if (ALLERGY.test(foldForSearch(note))) return 'ALLERGY'
  return note.split(/[.,;!?\n]/).some(refusesAllergen) ? 'AVOID' : undefined
}

/** Returns whether notes name any of the 14 allergens, by its own or usual words. */
export function isAllergenNamed(notes: readonly string[]): boolean {
  return namedBy(notes.flatMap(wordsOf)).length > 0
}

/** Returns whether a phrase rejects an allergen by its own name. A dish alone, as in `no cheese`, is a matter of taste. */
function refusesAllergen(phrase: string): boolean {
  const words = plainWords(phrase)
  return words.some((word, at) => {
    if (!isName(word.replace(FREE, ''))) return false
    if (FREE.test(word) || AFTER.has(words[at + 1] ?? '')) return true
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
  if (namedBy(said).length === 0 && notes.some(isAllergy)) return [...allergens]
  return allergensAmong(said, allergens)
}

/** Returns the allergens that words name: those of the 14 by all of their words, others by their own. */
function allergensAmong(said: readonly string[], allergens: readonly string[]): string[] {
  const named = namedBy(said)
  return allergens.filter((allergen) => {
    const own = wordsOf(allergen)
    const slugs = ALLERGENS.some(({ slug }) => slug === foldForSearch(allergen))
      ? [foldForSearch(allergen)]
      : namedBy(own)
    return (
      slugs.some((slug) => named.includes(slug)) || own.some((word) => word !== '' && said.includes(word))
    )
  })
}

/** The allergens of a dish that its kitchen reads beside it, and those among them that the customer named. */
export type AllergenWarning = { listed: readonly string[]; named: readonly string[] }

/**
 * Returns the allergens of a dish once the notes of its customer name any or are about an allergy; none before that. A dish or an
 * ingredient names an allergen in a note about an allergy alone: `extra cheese` is a wish.
 */
export function warnOfAllergens(notes: readonly string[], allergens: readonly string[]): AllergenWarning {
  const said = notes.flatMap((note) =>
    isAllergy(note) ? wordsOf(note) : wordsOf(note).filter((word) => isName(word)),
  )
  if (said.length === 0) return { listed: [], named: [] }
  return { listed: allergens, named: allergensAmong(said, allergens) }
}

/** Returns `contains PEANUTS, gluten`, the named ones first and in capitals, which need no colour; undefined without any. */
export function formatAllergens({ listed, named }: AllergenWarning): string | undefined {
  if (listed.length === 0) return undefined
  const others = listed.filter((each) => !named.includes(each))
  return `contains ${[...named.map((each) => each.toUpperCase()), ...others].join(', ')}`
}
