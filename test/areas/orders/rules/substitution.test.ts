import { expect, test } from 'vitest'
import { allergensNamed } from '../../../../src/areas/orders/rules/substitution.ts'

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
