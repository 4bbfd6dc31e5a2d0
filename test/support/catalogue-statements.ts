/** Returns every statement about known items and their stock, for the test that runs all of them on both engines. Needs the items of that test. */
import { findItemsByKeys } from '../../src/areas/catalog/queries/catalog.ts'
import * as schedules from '../../src/areas/catalog/queries/schedules.ts'
import * as stock from '../../src/areas/catalog/queries/stock.ts'
import type { Tx } from '../../src/core/db.ts'

export function catalogueStatements(): readonly (readonly [
  name: string,
  run: (tx: Tx) => Promise<unknown>,
])[] {
  return [
    ['updateCategorySchedule', (tx) => schedules.updateCategorySchedule(tx, 'cat_2', null)],
    ['listSchedules', (tx) => schedules.listSchedules(tx, 'mer_1', 5)],
    ['listItemIds', (tx) => schedules.listItemIds(tx, 'cat_1')],
    ['decrementStock', (tx) => stock.decrementStock(tx, 'itm_2', 1, 20_777)],
    ['incrementStock', (tx) => stock.incrementStock(tx, 'itm_4', 2)],
    ['decrementStock', (tx) => stock.decrementStock(tx, 'itm_4', 1, 20_777)],
    ['writeStock', (tx) => stock.writeStock(tx, 'itm_4', 0)],
    ['moveStock', (tx) => stock.moveStock(tx, 20_777)],
    [
      'findItemsByKeys',
      (tx) =>
        findItemsByKeys(tx, 'mer_1', {
          external_ref: ['ref 5', 'ref 9'],
          barcode: ['5012345678900'],
          name_key: ['pad thai 1', 'pad thai 2'],
        }),
    ],
  ]
}
