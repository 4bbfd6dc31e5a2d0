import { expect, test } from 'vitest'
import type { CatalogItem } from '../../../../src/client/list-store-items.ts'
import { compareMenu } from '../../../../src/commands/business/menu/difference.ts'
import { findDoubts } from '../../../../src/commands/business/menu/doubts.ts'
import { readMenu } from '../../../support/menus.ts'
import { gbp } from '../../../support/money.ts'
import { partialResponse } from '../../../support/part.ts'

const onMenu = (amount: number) =>
  partialResponse<CatalogItem>({
    item_id: 'itm_Ring',
    name: 'Ring',
    price: gbp(amount),
    category: { category_id: 'cat_1', name: 'Rings', sort_order: 1 },
    external_ref: null,
    barcode: null,
  })

test.each([
  ['whole prices of a new menu, of which half are at least 100', ['340', '95', '1195'], [], true],
  ['whole prices far above those of the menu', ['340'], [onMenu(1000)], true],
  ['whole prices of a menu that has such prices', ['340', '1195'], [onMenu(25_000)], false],
  ['prices of which one is not whole', ['340', '1195', '9.50'], [], false],
  ['low prices', ['3', '12', '340'], [], false],
  ['prices of a currency without minor units', ['340', '1195'], [], false, 'JPY'],
])('doubted or not: %s', (_, prices, catalogue, doubted, currency = 'GBP') => {
  const lines = prices.map((price, at) => `Dish ${at},Soups,${price}`)
  const { rows } = readMenu(['name,category,price', ...lines].join('\n'), {}, currency)
  const { outcomes } = compareMenu({ rows }, catalogue)
  expect(outcomes.map(({ result }) => result)).not.toContain('rejected')
  expect(findDoubts(rows, outcomes, catalogue).length > 0).toBe(doubted)
})
