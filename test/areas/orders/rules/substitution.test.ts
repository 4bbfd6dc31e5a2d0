import { expect, test } from 'vitest'
import { allergensNamed, isAllergy } from '../../../../src/areas/orders/rules/allergens.ts'

test.each([
  ['no nuts', ['nuts', 'milk'], ['nuts']],
  ['NO NUTS!', ['peanuts'], ['peanuts']],
  ['nut-free, thanks', ['nuts'], ['nuts']],
  ['dairyfree', ['milk'], ['milk']],
  ['lactose intolerant', ['milk', 'gluten'], ['milk']],
  ['no egg', ['eggs'], ['eggs']],
  ['eggs make me ill', ['egg'], ['egg']],
  ['Allergic to sesame', ['sesame', 'gluten'], ['sesame']],
  ['shellfish allergy', ['crustaceans', 'molluscs', 'fish'], ['crustaceans', 'molluscs']],
  ['no peanuts', ['nuts'], []],
  ['no almonds', ['tree_nuts'], ['tree_nuts']],
  ['kiwi makes me ill', ['kiwi'], ['kiwi']],
  ['coeliac', ['wheat'], ['wheat']],
  // Whole words only.
  ['coconut is fine', ['nuts'], []],
  ['eggplant, extra', ['eggs'], []],
  ['ring twice', ['nuts', 'milk'], []],
  // An allergy that nobody could name may be any.
  ['severe allergy', ['mustard', 'celery'], ['mustard', 'celery']],
  ['severe allergy', [], []],
])('the notes “%s” name of %j: %j', (note, allergens, named) => {
  expect(allergensNamed([note], allergens)).toEqual(named)
})

test.each([
  ['no peanuts', true],
  ['Gluten free please', true],
  ['glutenfrei', true],
  ['sans gluten', true],
  ['without any nuts', true],
  ['severe allergy', true],
  // A wish about taste, and an allergen that is wanted.
  ['no cheese', false],
  ['no onions. extra egg', false],
  ['coconut is fine', false],
  ['feel free to add peanuts', false],
])('the note “%s” is about an allergy: %s', (note, isRed) => {
  expect(isAllergy(note)).toBe(isRed)
})
