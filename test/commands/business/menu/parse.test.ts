import { describe, expect, test } from 'vitest'
import { listMappedColumns, mappingError } from '../../../../src/tabular/columns/mapping.ts'
import { catchError } from '../../../support/caught.ts'
import { draftsOf, errorsOf, menuDefaults, readMenu } from '../../../support/menus.ts'
import { gbp } from '../../../support/money.ts'
import { fc } from '../../../support/properties.ts'

const { array, assert, constantFrom, property, string } = fc

const HEAD = 'name,category,price'
const MODIFIERS = 'modifier_group,modifier_min,modifier_max,modifier_name,modifier_price,modifier_default'

describe('an item', () => {
  test('has everything that its row says', () => {
    const csv = [
      'Dish;Menu Section;Price (£);Desc;In stock;PLU;SKU;EAN;Cost;Qty;Supplier;VAT;Diet;Allergens;Image URL;Sort order',
      'Pad  Thai;Noodles;£11,50;"Rice noodles;\nwith tamarind";yes;P-17;S-1;5012345678900;4.20;12;V-9;20%;vegan | gluten_free;peanuts;https://x.example/p.jpg;3',
    ].join('\n')
    expect(draftsOf(readMenu(csv))).toEqual([
      {
        name: 'Pad Thai',
        category: 'Noodles',
        price: gbp(1150),
        description: 'Rice noodles;\nwith tamarind',
        available: true,
        external_ref: 'P-17',
        sku: 'S-1',
        barcode: '5012345678900',
        cost: gbp(420),
        stock: 12,
        supplier_id: 'V-9',
        tax_rate_bps: 2000,
        dietary_tags: ['vegan', 'gluten_free'],
        allergens: ['peanuts'],
        image_url: 'https://x.example/p.jpg',
        sort_order: 3,
      },
    ])
  })

  test('needs a name, a category and a price', () => {
    const menu = readMenu(`${HEAD}\n,Soups,8\nLaksa,,9\nPho,Soups,\n`)
    expect(errorsOf(menu)).toEqual([
      ['name', 'required'],
      ['category', 'required'],
      ['price', 'required'],
    ])
    expect(menu.rows.map(({ row }) => row)).toEqual([2, 3, 4])
  })

  test('is rejected in its row if a comma cut its price in two, beside sound ones', () => {
    const cut = readMenu(`name,price,category\nLaksa,8.00,Soup\nPho,6,50\nRamen,9,Soup\n`)
    expect(errorsOf(cut)).toEqual([['price', 'invalid_format']])
    expect(cut.rows.map(({ row, draft }) => [row, draft?.name])).toEqual([
      [2, 'Laksa'],
      [3, undefined],
      [4, 'Ramen'],
    ])
    expect(cut.rows[1]?.errors[0]?.detail).toBe(
      '"6,50" without quotes may be one amount; write 6.50, or correct "category".',
    )
    const sure = readMenu(`name,price,category\nPho,"6,50",Soup\nRamen,9,Soup\n`)
    expect(draftsOf(sure).map(({ price }) => price)).toEqual([gbp(650), gbp(900)])
  })

  test('has no net price, and none is proposed', () => {
    for (const header of ['Net price', 'Price (ex VAT)', 'Nettopreis', 'Prix HT'])
      expect(readMenu(`name,category,${header}\nLaksa,Soups,8\n`).missing).toMatchObject([
        { column: 'price', headers: [] },
      ])
  })

  test('is rejected for a formula or a truth value, with its row', () => {
    const rows = ['Latte,Coffee,3,,,', ',,,Milk,Oat,=0.5', ',,,Milk,TRUE,0.5', ',,,Milk,None,0']
    const menu = readMenu(`${HEAD},modifier_group,modifier_name,modifier_price\n${rows.join('\n')}`)
    expect(menu.rows[0]?.errors.map(({ column, detail }) => [column, detail])).toEqual([
      ['modifier_name', expect.stringMatching(/^TRUE is a truth value and no text; .* \(row 4\)$/)],
      ['modifier_price', expect.stringMatching(/^It is a formula, not a value; .* \(row 3\)$/)],
    ])
  })

  test('takes the category that is said for all', () => {
    const menu = readMenu('item,price\nLaksa,9\n', menuDefaults('category=Soups'))
    expect(draftsOf(menu)).toEqual([{ name: 'Laksa', category: 'Soups', price: gbp(900) }])
    expect(menu.missing).toEqual([])
  })

  test('without a category is told that of the item above', () => {
    const { rows } = readMenu(`${HEAD}\nA,,1\nB,Soups,1\nC,,1\nD,,x\nE,Buns,1`)
    expect(rows.map(({ errors }) => errors.map(({ column, suggestion }) => [column, suggestion]))).toEqual([
      [['category', undefined]],
      [],
      [['category', 'Soups']],
      [
        ['category', 'Soups'],
        ['price', undefined],
      ],
      [],
    ])
  })

  test('is never priced by what it costs', () => {
    const menu = readMenu('name,category,cost\nLaksa,Soups,3.10\n')
    expect(menu.missing.map(({ column }) => column)).toEqual(['price'])
    expect(mappingError(menu, 1)?.hint).toContain('--map')
    expect(menu.mapping.sources.get('cost')?.how).toBe('exact')
  })

  test.each([
    ['8.505', 'invalid_format'],
    ['1,234', 'ambiguous_number'],
    ['-3', 'out_of_range'],
    ['10000.01', 'out_of_range'],
    ['$8', 'invalid_enum'],
    ['8 EUR', 'invalid_enum'],
    ['ask', 'invalid_format'],
  ])('may not have the price %s', (price, code) => {
    expect(errorsOf(readMenu(`name;category;price\nLaksa;Soups;${price}`))).toEqual([['price', code]])
  })

  test('counts in the currency of the store, or of the header', () => {
    const [yen] = draftsOf(readMenu(`${HEAD}\nRamen,Noodles,1200\n`, {}, 'JPY'))
    expect(yen?.price).toEqual({ amount: 1200, currency: 'JPY' })
    expect(errorsOf(readMenu('name,category,Price (GBP)\nRamen,Noodles,12.00\n', {}, 'EUR'))).toEqual([
      ['Price (GBP)', 'invalid_enum'],
    ])
  })

  test.each([
    [
      'price,Currency Code',
      '£4.40,USD',
      'price',
      '£4.40 is in GBP, and "Currency Code" says USD; correct one of them.',
    ],
    [
      'price (USD),sku',
      '£4.40,1',
      'price (USD)',
      '£4.40 is in GBP, and "price (USD)" says USD; correct one of them.',
    ],
    [
      'price_gbp,currency',
      '4.40,USD',
      'price_gbp',
      '"price_gbp" says GBP, and "currency" says USD; correct one of them.',
    ],
    [
      'price,cost,currency',
      '4.40,2 EUR,GBP',
      'cost',
      '2 EUR is in EUR, and "currency" says GBP; correct one of them.',
    ],
  ])('is refused with two currencies: %s of %s', (columns, cells, column, detail) => {
    const { rows } = readMenu(`name,category,${columns}\nRamen,Noodles,${cells}`)
    expect(rows[0]?.draft).toBeUndefined()
    expect(rows[0]?.errors).toEqual([expect.objectContaining({ column, code: 'mutually_exclusive', detail })])
  })

  test('may repeat the currency of its column', () => {
    const { rows } = readMenu('name,category,price,currency\nRamen,Noodles,£4.40,gbp\nUdon,Noodles,5 GBP,GBP')
    expect(rows.map(({ draft }) => draft?.price.amount)).toEqual([440, 500])
  })

  test('may name its currency in a column, which also counts for its modifiers', () => {
    const csv = 'name,category,price,currency,modifiers\nRamen,Noodles,1200,JPY,Size[1-1]: L=300'
    expect(draftsOf(readMenu(csv, {}, 'JPY'))).toMatchObject([
      {
        price: { amount: 1200, currency: 'JPY' },
        modifier_groups: [{ modifiers: [{ price_delta: { amount: 300, currency: 'JPY' } }] }],
      },
    ])
    expect(errorsOf(readMenu(csv, {}, 'GBP'))).toEqual([
      ['currency', 'invalid_enum'],
      ['modifiers', 'invalid_enum'],
    ])
    expect(errorsOf(readMenu(csv.replace('JPY', 'yen'), {}, 'JPY'))).toEqual([['currency', 'invalid_format']])
  })

  test('comes back on sale when it says so, and only when it is off', () => {
    const until = '2026-11-21T18:00:00+00:00'
    const [off] = draftsOf(readMenu(`${HEAD},unavailable_until\nLaksa,Soups,9,${until}`))
    expect(off).toMatchObject({ available: false, unavailable_until: '2026-11-21T18:00:00.000Z' })
    expect(errorsOf(readMenu(`${HEAD},available,unavailable_until\nLaksa,Soups,9,yes,${until}`))).toEqual([
      ['unavailable_until', 'mutually_exclusive'],
    ])
  })

  test('tells every error of its row with column, value and what was meant', () => {
    const menu = readMenu(`${HEAD},VAT rate,Upc,image_url\nLaksa,Soups,ten,1,36000291452,laksa.jpg`)
    expect(menu.rows[0]?.errors).toMatchObject([
      { column: 'price', pointer: '/price', value: 'ten' },
      { column: 'Upc', code: 'invalid_format', value: '36000291452', suggestion: '036000291452' },
      { column: 'VAT rate', pointer: '/tax_rate_bps', code: 'ambiguous_number', suggestion: '1%' },
      { column: 'image_url', code: 'invalid_format' },
    ])
  })
})

describe('columns', () => {
  test.each([
    ['German', 'Speise;Kategorie;Preis;MwSt.;Verfügbar;Artikel-Nr.;Menge'],
    ['French', 'Plat;Catégorie;Prix TTC;Taux de TVA;Disponible;Réf.;Quantité'],
    ['Spanish', 'Plato;Categoría;Precio;IVA;Disponible;Código;Cantidad'],
    ['Italian', 'Piatto;Categoria;Prezzo;Aliquota IVA;Disponibile;Codice;Quantità'],
  ])('are known in %s, with decimal commas', (_, headers) => {
    const [item] = draftsOf(readMenu(`Menu 2026;;;;;;\n${headers}\nLaksa;Soups;12,50;20%;no;L-1;7`))
    expect(item).toEqual({
      name: 'Laksa',
      category: 'Soups',
      price: gbp(1250),
      tax_rate_bps: 2000,
      available: false,
      external_ref: 'L-1',
      stock: 7,
    })
  })

  test('are known by what menus call them', () => {
    const headers =
      'Menu Group,Dish,Unit price,Status,Item ID,Vendor,Add-ons,Option group,Required,Max select,Option,Extra'
    const { mapping } = readMenu(`${headers}\nSoups`)
    expect(listMappedColumns(mapping).map(({ column }) => column)).toEqual([
      'category',
      'name',
      'price',
      'available',
      'external_ref',
      'supplier_id',
      'modifier_groups',
      'modifier_group',
      'modifier_min',
      'modifier_max',
      'modifier_name',
      'modifier_price',
    ])
  })

  test('that are not known are named, and rejected if the user wants it', () => {
    expect(readMenu(`${HEAD},Calories\nLaksa,Soups,9,450`).unknown).toEqual(['Calories'])
    expect(
      catchError(() => readMenu(`${HEAD},Calories\nLaksa,Soups,9,450`, { strict: true })).message,
    ).toContain('a menu does not')
  })

  test('that are there twice make the file invalid', () => {
    expect(catchError(() => readMenu('name,Name,category,price\na,b,c,1')).extra['reason']).toMatchObject({
      code: 'duplicate_column',
    })
    expect(readMenu('dish,title,category,price\na,b,c,1').ambiguous).toEqual([
      { column: 'name', headers: ['dish', 'title'] },
    ])
  })
})

test('the example of the grammar is a good item', () => {
  const example = 'Size[1-1]: *Regular=0 | Large=1.50; Extras[0-3]: Cheese=0.80 | Bacon=1.20'
  const [item] = draftsOf(readMenu(`${HEAD},modifier_groups\nPho,Soups,8,"${example}"`))
  expect(item?.modifier_groups?.map(({ name, max_selections }) => [name, max_selections])).toEqual([
    ['Size', 1],
    ['Extras', 2],
  ])
})

describe('modifiers in rows of their own', () => {
  test('may be fewer than may be chosen', () => {
    const csv = (repeats: string) =>
      [`${HEAD},${MODIFIERS},allow_repeats`, `Laksa,Soups,9,Extras,0,3,Egg,0.80,,${repeats}`].join('\n')
    const most = (repeats: string) =>
      draftsOf(readMenu(csv(repeats)))[0]?.modifier_groups?.[0]?.max_selections
    expect([most('no'), most(''), most('yes')]).toEqual([1, 1, 3])
  })

  test('belong to the item above, and consecutive ones to one group', () => {
    const csv = [
      `${HEAD},${MODIFIERS}`,
      'Laksa,Soups,9.00,Size,1,1,Small,0,yes',
      ',,,Size,,,Large,1.50,',
      ',,,Extras,0,,Egg,0.80,',
      ',,,,,,Tofu,1,',
      'Pho,Soups,8.50,,,,,,',
    ].join('\n')
    const menu = readMenu(csv)
    expect(menu.rows.map(({ row, rows }) => [row, rows.map((each) => each.row)])).toEqual([
      [2, [2, 3, 4, 5]],
      [6, [6]],
    ])
    expect(draftsOf(menu)).toEqual([
      {
        name: 'Laksa',
        category: 'Soups',
        price: gbp(900),
        modifier_groups: [
          {
            name: 'Size',
            min_selections: 1,
            max_selections: 1,
            modifiers: [
              { name: 'Small', price_delta: gbp(0), is_default: true },
              { name: 'Large', price_delta: gbp(150) },
            ],
          },
          {
            name: 'Extras',
            min_selections: 0,
            max_selections: null,
            modifiers: [
              { name: 'Egg', price_delta: gbp(80) },
              { name: 'Tofu', price_delta: gbp(100) },
            ],
          },
        ],
      },
      { name: 'Pho', category: 'Soups', price: gbp(850) },
    ])
    expect(menu.notes.map(({ text }) => text)).toEqual([
      '5 rows are 2 items: rows without a name add modifiers to the item above.',
    ])
  })

  test('may repeat what the group began with, but not say otherwise', () => {
    const csv = (later: string) =>
      [`${HEAD},${MODIFIERS}`, 'Laksa,Soups,9,Size,1,1,Small,0,', `,,,Size,${later},Large,1,`].join('\n')
    expect(errorsOf(readMenu(csv('1,1')))).toEqual([])
    const conflict = readMenu(csv('0,2'))
    expect(errorsOf(conflict)).toEqual([
      ['modifier_min', 'modifier_group_conflict'],
      ['modifier_max', 'modifier_group_conflict'],
    ])
    expect(conflict.rows[0]?.errors[0]?.detail).toContain('(row 3)')
  })

  test('need an item above them', () => {
    const csv = [`${HEAD},${MODIFIERS}`, ',,,Size,1,1,Small,0,', 'Pho,Soups,8,,,,,,'].join('\n')
    const menu = readMenu(csv)
    expect(errorsOf(menu)).toEqual([['modifier_name', 'orphan_modifier']])
    expect(menu.rows.map(({ draft }) => draft?.name)).toEqual([undefined, 'Pho'])
  })

  test('need a group, and a group needs modifiers', () => {
    const csv = [`${HEAD},${MODIFIERS}`, 'Pho,Soups,8,,,,,,', ',,,,,,Large,1,', 'Ban,Soups,8,Size,,,,,'].join(
      '\n',
    )
    expect(errorsOf(readMenu(csv))).toEqual([
      ['modifier_group', 'required'],
      ['modifier_group', 'required'],
    ])
  })

  test('have no price under the price of items', () => {
    const csv = [`${HEAD},${MODIFIERS}`, 'Pho,Soups,8,,,,,,', ',,1.50,Size,,,Large,,'].join('\n')
    expect(errorsOf(readMenu(csv))).toEqual([['price', 'mutually_exclusive']])
  })

  test('follow the rules of the service before they are sent', () => {
    const csv = [`${HEAD},${MODIFIERS}`, 'Pho,Soups,8,Size,2,1,Large,1,', ',,,Size,,,large,2,'].join('\n')
    const menu = readMenu(csv)
    expect(errorsOf(menu)).toEqual([
      ['modifier_group', 'out_of_range'],
      ['modifier_group', 'mutually_exclusive'],
    ])
    expect(menu.rows[0]?.errors[0]?.detail).toContain('at least 2 but at most 1')
  })

  test('are added to those in one cell', () => {
    const csv = [
      `${HEAD},modifiers,modifier_group,modifier_name`,
      'Pho,Soups,8,Size[1-1]: S | L=1,Herbs,Mint',
      ',,,,Herbs,Basil',
    ].join('\n')
    const [item] = draftsOf(readMenu(csv))
    expect(item?.modifier_groups?.map(({ name, modifiers }) => [name, modifiers.length])).toEqual([
      ['Size', 2],
      ['Herbs', 2],
    ])
  })
})

test('a default that cannot be used has an error of its own', () => {
  const error = catchError(() => readMenu(`${HEAD}\nLaksa,Soups,9`, menuDefaults('vat=1')))
  expect(error.message).toContain('The default for tax_rate cannot be used (1)')
})

test('whatever is in the cells, every row is in one item and every item has a draft or errors', () => {
  const cell = constantFrom('', 'Laksa', '9', '1,234', '=x', '*', 'a[1-1]: b', 'yes', '20%', '\\', ' ')
  const header = `${HEAD},vat,modifiers,${MODIFIERS}`
  const line = array(cell, { minLength: 11, maxLength: 11 })
  assert(
    property(array(line, { minLength: 1, maxLength: 12 }), string(), (lines, tail) => {
      const csv = [header, ...lines.map((cells) => cells.map((each) => `"${each}"`).join(','))].join('\n')
      const filled = lines.flatMap((cells, at) => (cells.some((each) => each.trim() !== '') ? [at + 2] : []))
      if (filled.length === 0) return
      const { rows } = readMenu(`${csv}\n"${tail.replaceAll(/["\0]/g, '')}x",c,1,,,,,,,,`)
      expect(rows.flatMap((each) => each.rows.map(({ row }) => row))).toEqual([...filled, lines.length + 2])
      for (const { draft, errors } of rows) expect(draft === undefined).toBe(errors.length > 0)
    }),
  )
})
