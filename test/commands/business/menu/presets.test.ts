import { describe, expect, test } from 'vitest'
import { exportFile } from '../../../support/manifests.ts'
import { draftsOf, errorsOf, menuDefaults, readMenu } from '../../../support/menus.ts'
import { gbp } from '../../../support/money.ts'

describe.each(['square-items', 'shopify-products'])('%s', (name) => {
  test('maps without a flag', () => {
    const menu = readMenu(exportFile(name))
    expect(menu.mapping.preset?.name).toBe(name)
    expect({ missing: menu.missing, ambiguous: menu.ambiguous, unknown: menu.unknown }).toEqual({
      missing: [],
      ambiguous: [],
      unknown: [],
    })
    expect(errorsOf(menu)).toEqual([])
  })
})

describe('a Square export', () => {
  const menu = readMenu(exportFile('square-items'))
  const items = new Map(draftsOf(menu).map((item) => [item.name, item]))

  test('has one item for each product, its variations a choice that must be made', () => {
    expect([...items.keys()]).toEqual([
      'Flat White',
      'Latte',
      'Cinnamon Bun',
      'Carrot Cake',
      'Sparkling Water',
    ])
    expect(items.get('Latte')).toEqual({
      name: 'Latte',
      category: 'Coffee',
      price: gbp(300),
      description: 'Espresso, milk and a thin foam',
      available: true,
      external_ref: 'A7VQ4RNZK2M5D6FJXWTB3HCE',
      supplier_id: 'Allpress',
      stock: 20,
      tax_rate_bps: 2000,
      modifier_groups: [
        {
          name: 'Cup',
          min_selections: 1,
          max_selections: 1,
          modifiers: [
            { name: 'Small', price_delta: gbp(0), is_default: true },
            { name: 'Large', price_delta: gbp(80) },
            { name: 'Iced', price_delta: gbp(60), available: false },
          ],
        },
      ],
    })
  })

  test('of an item with one variation keeps its SKU, cost and barcode', () => {
    expect(items.get('Flat White')).toMatchObject({ sku: 'FW-R', cost: gbp(64), price: gbp(320) })
    expect(items.get('Flat White')).not.toHaveProperty('modifier_groups')
    expect(items.get('Sparkling Water')).toMatchObject({ barcode: '5012345678900', stock: 48 })
  })

  test('takes what is archived off sale and oversold stock as uncounted', () => {
    expect(items.get('Carrot Cake')?.available).toBe(false)
    expect(items.get('Cinnamon Bun')).toMatchObject({ description: 'Baked this morning & glazed' })
    expect(items.get('Cinnamon Bun')).not.toHaveProperty('stock')
  })

  test('says which modifiers it does not explain', () => {
    expect(menu.notes.map(({ text }) => text)).toEqual([
      '7 rows are 5 items: the variations of one product go together.',
      'The export has modifier groups without modifiers: Modifier Set - Milk (2), Modifier Set - Syrups (2). Add modifiers to these items afterwards.',
    ])
  })

  test('reports an item without a price as that', () => {
    const csv = 'Token,Item Name,Variation Name,SKU,Description,Category,Price\nT1,Tip,Regular,,,Other,\n'
    expect(errorsOf(readMenu(csv))).toEqual([['Price', 'required']])
  })
})

describe('a Shopify export', () => {
  const items = draftsOf(readMenu(exportFile('shopify-products')))

  test('has one item for each handle, its options a choice', () => {
    expect(items[0]).toEqual({
      name: 'House Blend',
      category: 'Coffee beans',
      price: gbp(950),
      description: 'Chocolate & hazelnut.\n• Roasted weekly\n• Arabica',
      available: true,
      external_ref: 'house-blend',
      supplier_id: 'Lime Street Roasters',
      image_url: 'https://cdn.example.com/house-blend.jpg',
      stock: 71,
      tax_rate_bps: 0,
      dietary_tags: ['vegan', 'gluten_free'],
      modifier_groups: [
        {
          name: 'Size / Grind',
          min_selections: 1,
          max_selections: 1,
          modifiers: [
            { name: '250 g / Whole bean', price_delta: gbp(0), is_default: true },
            { name: '250 g / Filter', price_delta: gbp(0) },
            { name: '1 kg / Whole bean', price_delta: gbp(2250) },
          ],
        },
      ],
    })
  })

  test('of a product without options is an item without a choice', () => {
    expect(items[1]).toMatchObject({
      name: 'Ceramic Dripper',
      category: 'Coffee Makers',
      sku: 'DR-01',
      barcode: '4977642723016',
      cost: gbp(980),
      stock: 14,
    })
    expect(items[1]).not.toHaveProperty('modifier_groups')
  })

  test('takes a draft off sale', () => {
    expect(items[2]).toMatchObject({ name: 'Advent Box', available: false })
  })

  test('in its newer form reads the same', () => {
    const csv = [
      'Title,URL handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU,Barcode,Option1 name,Option1 value,Price,Cost per item,Charge tax,Inventory quantity,Product image URL',
      'Mug,mug,<p>Stoneware</p>,Acme,,Kitchen,,TRUE,Active,MUG-S,,Size,Small,9.50,3.00,TRUE,4,https://cdn.example.com/mug.png',
      ',mug,,,,,,,,MUG-L,,,Large,12.00,3.00,TRUE,6,',
    ].join('\n')
    expect(draftsOf(readMenu(csv))).toEqual([
      {
        name: 'Mug',
        category: 'Kitchen',
        price: gbp(950),
        description: 'Stoneware',
        available: true,
        external_ref: 'mug',
        supplier_id: 'Acme',
        cost: gbp(300),
        stock: 10,
        image_url: 'https://cdn.example.com/mug.png',
        modifier_groups: [
          {
            name: 'Size',
            min_selections: 1,
            max_selections: 1,
            modifiers: [
              { name: 'Small', price_delta: gbp(0), is_default: true },
              { name: 'Large', price_delta: gbp(250) },
            ],
          },
        ],
      },
    ])
  })

  test('without product types uses the category of the whole import', () => {
    const csv =
      'Handle,Title,Option1 Name,Option1 Value,Variant Price,Type\nmug,Mug,Title,Default Title,9.50,\n'
    expect(errorsOf(readMenu(csv))).toEqual([['Type', 'required']])
    expect(draftsOf(readMenu(csv, menuDefaults('category=Shop')))[0]?.category).toBe('Shop')
  })
})
