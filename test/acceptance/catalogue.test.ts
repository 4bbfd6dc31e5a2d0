import { expect } from 'vitest'
import type { PrintedFailure } from '../support/answers.ts'
import { acceptanceTest, type AcceptanceContext } from '../support/story.ts'
import { KEY_BYTES } from '../support/terminal.ts'

type Item = {
  item_id: string
  merchant_id: string
  name: string
  version: number
  price: { amount: number; currency: string }
  category: { name: string }
  effective_available: boolean
  availability: { available: boolean; until: string | null; reason: string | null }
}

const CREATE = 'business catalog create --name "Test Laksa" --category "Test soups" --price 12.50 --json'

acceptanceTest('a store changes its catalogue, and the menu shows it at once', async (told) => {
  const item = (await told.dray(CREATE)).json<Item>()
  const { item_id, merchant_id } = item
  expect(item).toMatchObject({
    name: 'Test Laksa',
    price: { amount: 1250, currency: 'GBP' },
    category: { name: 'Test soups' },
    effective_available: true,
    version: 1,
  })
  const read = async () => {
    const menu = await told.call('get_restaurant_menu', { merchant_id }, { as: 'guest' })
    const found = menu.categories.flatMap(({ items }) => items).find((each) => each.item_id === item_id)
    return { version: menu.menu_version, item: found }
  }
  const first = await read()
  expect(first.item).toMatchObject({ name: 'Test Laksa', available: true })

  const off = await told.dray(
    `business catalog available ${item_id} no --until "2026-11-20T12:00:00Z" --reason sold_out --json`,
  )
  expect(off.json<Item>()).toMatchObject({
    effective_available: false,
    availability: { available: false, until: '2026-11-20T12:00:00.000Z', reason: 'sold_out' },
  })
  expect(await read()).toMatchObject({ version: first.version + 1, item: { available: false } })
  const listed = (await told.dray('business catalog list --q "test laksa" --no-available --json')).json<{
    data: Item[]
  }>()
  expect(listed.data.map((each) => each.item_id)).toEqual([item_id])
  await told.advance('3h')
  expect(await read()).toMatchObject({ version: first.version + 1, item: { available: true } })

  const update = `business catalog update ${item_id} --price 13.25 --if-version 2 --json`
  expect((await told.dray(update)).json<Item>()).toMatchObject({ version: 3, price: { amount: 1325 } })
  const late = await told.dray(`business catalog update ${item_id} --name Other --if-version 2 --json`, {
    exit: 7,
  })
  expect(late.json<PrintedFailure>()).toMatchObject({ code: 'version_conflict', current_version: 3 })

  // Deleting asks for the item by its id; a script names it.
  expect(
    (await told.dray(`business catalog delete ${item_id} --yes --json`, { exit: 3 })).json<PrintedFailure>(),
  ).toMatchObject({
    code: 'not_confirmed',
  })
  await told.dray(`business catalog delete ${item_id} --confirm ${item_id} --json`)
  expect((await read()).item).toBeUndefined()
  await told.dray(`business catalog available ${item_id} yes --json`, { exit: 5 })
})

acceptanceTest('a store says in flags what can be chosen', async (told) => {
  const line =
    'business catalog create --name "Test tea" --category "Test drinks" --price 2.50 --description "Loose leaf" ' +
    '--modifiers "Size[1-1]: *Cup | Pot=1.80; Milk[0-2]: Oat=0.40 | Cow" --dietary-tags vegan,halal --json'
  const item = (await told.dray(line)).json<Record<string, unknown>>()
  expect(item).toMatchObject({
    description: 'Loose leaf',
    dietary_tags: ['vegan', 'halal'],
    modifier_groups: [
      {
        name: 'Size',
        min_selections: 1,
        max_selections: 1,
        modifiers: [
          { name: 'Cup', is_default: true, price_delta: { amount: 0 } },
          { name: 'Pot', is_default: false, price_delta: { amount: 180, currency: 'GBP' } },
        ],
      },
      { name: 'Milk', min_selections: 0, max_selections: 2 },
    ],
  })
  const cleared = `business catalog update ${String(item['item_id'])} --description "" --modifiers "[]" --json`
  const refused = (await told.dray(cleared, { exit: 3 })).json<PrintedFailure>()
  expect(refused.detail).toContain(
    'Remove Size, Milk from Test tea? Confirmation required, but this is not a terminal',
  )
  expect((await told.dray(`${cleared} --yes`)).json()).toMatchObject({
    description: null,
    modifier_groups: [],
    version: 2,
  })
})

acceptanceTest('a store hears what is wrong with an item, and what to do about it', async (told) => {
  await told.dray(CREATE)
  const twice = await told.dray(`${CREATE} --new`, { exit: 7 })
  expect(twice.json<PrintedFailure>()).toMatchObject({
    code: 'duplicate_item',
    existing_item_id: expect.any(String),
  })
  const wrong = await told.dray(
    'business catalog create --name X --category Y --price "12 EUR" --barcode 123 --json',
    { exit: 6 },
  )
  expect(wrong.json<PrintedFailure>().errors.map(({ pointer }) => pointer)).toEqual([
    '/price/currency',
    '/barcode',
  ])
  const missing = await told.dray('business catalog create --name X', { exit: 2 })
  expect(missing.stderr).toContain('--category')
  expect(missing.stderr).toContain('--price')
  const several = await told.dray('business catalog list --as chain', { exit: 2 })
  expect(several.stderr).toContain('--merchant')
})

const gbp = (amount: number) => ({ amount, currency: 'GBP' })

const createFlatWhite = (told: AcceptanceContext, more: { external_ref?: string } = {}) =>
  told.call('create_catalog_item', {
    name: 'Flat White',
    category: 'Drinks',
    price: gbp(360),
    modifier_groups: [
      {
        name: 'Milk',
        max_selections: 1,
        modifiers: [{ name: 'Oat', price_delta: gbp(40) }, { name: 'Cow' }],
      },
    ],
    ...more,
  })

async function priceOf(told: AcceptanceContext, id: string): Promise<number | undefined> {
  const { data } = await told.call('list_catalog_items', { limit: 100 })
  return data.find(({ item_id }) => item_id === id)?.price.amount
}

acceptanceTest('a price that jumps is shown old beside new, and needs the name of the item', async (told) => {
  const { item_id: id } = await createFlatWhite(told)
  const update = 'business catalog update "Flat White" --price'
  for (const line of [
    `${update} 360`,
    `${update} 360 --yes`,
    `api update_catalog_item --item-id ${id} --price 1.79`,
  ]) {
    const refused = await told.dray(line, { exit: 3 })
    expect(refused.stderr).toContain('price: £3.60 → £')
    expect(refused.stderr).toContain('--confirm')
  }
  expect(await priceOf(told, id)).toBe(360)
  const rehearsed = await told.dray(`${update} 360 --dry-run --json`)
  expect(rehearsed.json()).toMatchObject({
    changes: [{ field: 'price', from: { amount: 360 }, to: { amount: 36_000 }, percent: 9900 }],
  })
  const small = await told.dray(`${update} 3.90`)
  expect(small.stderr).toContain('price: £3.60 → £3.90 (+8.3%)')
  expect(await priceOf(told, id)).toBe(390)
  const again = await told.dray(`${update} 3.90 --json`)
  expect(again.stderr).toContain('Nothing changed: Flat White is so already.')
  expect(again.json()).toMatchObject({ version: 2 })
  await told.dray(`${update} 360 --yes --confirm "Flat White"`)
  expect(await priceOf(told, id)).toBe(36_000)
})

acceptanceTest('a price of a choice that jumps is asked about too', async (told) => {
  const { item_id: id } = await createFlatWhite(told)
  const line = `business catalog update ${id} --modifiers "Milk[0-1]: Oat=40 | Cow"`
  const refused = await told.dray(`${line} --yes`, { exit: 3 })
  expect(refused.stderr).toContain('Milk: Oat: £0.40 → £40.00 (+9900%)')
  const same = await told.dray(`business catalog update ${id} --modifiers "Milk[0-1]: Oat=0.40 | Cow"`)
  expect(same.stderr).toContain('Nothing changed')
  await told.dray(`${line} --confirm ${id}`)
})

acceptanceTest(
  'a new item that costs nothing needs its name, unless what must be chosen costs something',
  async (told) => {
    const create = 'business catalog create --name "Tap water" --category Drinks --price'
    for (const line of [
      `${create} 0`,
      `${create} 0.00 --yes`,
      `${create} 0 --modifiers "Ice[0-1]: Ice=0.50"`,
    ]) {
      const refused = await told.dray(line, { exit: 3 })
      expect(refused.stderr).toContain('1 item has a price of zero: Tap water. Create it?')
      expect(refused.stderr).toContain("--confirm 'Tap water'")
    }
    const asked = told.terminal(`${create} 0 --yes`)
    await asked.shows('Create it?')
    asked.type(KEY_BYTES.enter)
    expect(await asked.ended()).toMatchObject({ exitCode: 3 })
    await told.dray(`${create} 0 --modifiers "Size[1-1]: Glass=0.50 | Jug=1"`)
    const named = await told.dray(`${create.replace('Drinks', 'Free')} 0 --confirm "Tap water" --json`)
    expect(named.json()).toMatchObject({ price: { amount: 0 } })
  },
)

type Choices = {
  modifier_groups: {
    modifier_group_id: string
    name: string
    modifiers: { name: string; price_delta: { amount: number }; available: boolean }[]
  }[]
}

acceptanceTest(
  'choices that are changed by a flag keep what it leaves out, and none goes unasked',
  async (told) => {
    const { item_id: id } = await createFlatWhite(told)
    const groups = [
      {
        name: 'Milk',
        modifiers: [{ name: 'Oat', price_delta: { amount: 40, currency: 'GBP' }, available: false }],
      },
      { name: 'Size', min_selections: 1, max_selections: 1, modifiers: [{ name: 'Cup' }, { name: 'Pot' }] },
    ]
    const update = `business catalog update ${id} --json --modifiers`
    const before = (await told.dray(`${update} '${JSON.stringify(groups)}' --yes`)).json<Choices>()
    const line = `${update} "Milk[0-2]: Oat | Soy=0.50; Size[1-1]: Cup | Pot"`
    const after = (await told.dray(line)).json<Choices>()
    expect(after.modifier_groups[0]).toMatchObject({
      modifier_group_id: before.modifier_groups[0]?.modifier_group_id,
      max_selections: 2,
      modifiers: [
        { name: 'Oat', price_delta: { amount: 40 }, available: false },
        { name: 'Soy', price_delta: { amount: 50 }, available: true },
      ],
    })

    const less = `business catalog update ${id} --modifiers "Milk[0-1]: Oat"`
    const refused = await told.dray(less, { exit: 3 })
    expect(refused.stderr).toContain(
      'Remove Milk: Soy, Size from Flat White? Confirmation required, but this is not a terminal',
    )
    const asked = told.terminal(less)
    await asked.shows('Remove Milk: Soy, Size from Flat White?')
    asked.type(`y${KEY_BYTES.enter}`)
    expect(await asked.ended()).toMatchObject({ exitCode: 0 })
    const listed = (await told.dray('business catalog list --q "flat white" --json')).json<{
      data: Choices[]
    }>()
    expect(listed.data[0]?.modifier_groups).toMatchObject([
      { name: 'Milk', modifiers: [{ name: 'Oat', available: false }] },
    ])

    // An undo brings back what was seen, and asks nothing.
    await told.dray(`business catalog undo ${id}`)
    await told.dray(`business catalog undo ${id} --to 2`)
    const wrong = await told.dray(`${update} '[{"name":"Milk"}]'`, { exit: 6 })
    expect(wrong.json<PrintedFailure>()).toMatchObject({ code: 'invalid_request' })
  },
)

acceptanceTest('at a terminal a jump of a price is a question, and no is the default', async (told) => {
  const { item_id: id } = await createFlatWhite(told)
  const asked = told.terminal('business catalog update "Flat White" --price 360 --yes')
  await asked.shows(/Change Flat White, price: £3\.60 → £360\.00 \(\+9900%\)\?/)
  asked.type(KEY_BYTES.enter)
  expect(await asked.ended()).toMatchObject({ exitCode: 3 })
  expect(await priceOf(told, id)).toBe(360)
  const agreed = told.terminal('business catalog update --price 360')
  await agreed.shows(/Focaccia[^]*type to search/)
  agreed.type('flat WH')
  await agreed.shows(/Which item\? flat WH\n. Flat White, £3\.60\n\nDrinks/)
  agreed.type(KEY_BYTES.enter)
  await agreed.shows('Change Flat White')
  agreed.type(`y${KEY_BYTES.enter}`)
  expect(await agreed.ended()).toMatchObject({ exitCode: 0 })
  expect(await priceOf(told, id)).toBe(36_000)
})

acceptanceTest('an item of one of several stores is compared by its id, too', async (told) => {
  const stores = await told.dray('business catalog list --as chain --json', { exit: 2 })
  const [store = ''] = stores.json<{ merchant_ids: string[] }>().merchant_ids
  const { data } = (await told.dray(`business catalog list --as chain --merchant ${store} --json`)).json<{
    data: Item[]
  }>()
  const refused = await told.dray(
    `business catalog update ${data[0]?.item_id} --price 900 --as chain --yes`,
    { exit: 3 },
  )
  expect(refused.stderr).toContain('→ £900.00')
})

type Versions = { version: number; deleted_at: string | null; data: { version: number; change: string }[] }

acceptanceTest('a store sees who changed an item, and takes a change back', async (told) => {
  const { item_id: id } = await createFlatWhite(told, { external_ref: 'FW-1' })
  await told.dray('business catalog update FW-1 --price 3.90 --description Strong')
  await told.dray('business catalog available "Flat White" no --reason sold_out')

  const listed = await told.dray('business catalog history FW-1 --limit 2')
  expect(listed.stdout).toMatch(/^3\t\S+\t\w+\tavailability: "available" → "unavailable"$/m)
  expect(listed.stdout).toMatch(/^2\t.*price: £3\.60 → £3\.90 \(\+8\.3%\)$/m)
  const back = await told.dray('business catalog undo "Flat White" --json')
  expect(back.json<Item>()).toMatchObject({ version: 4, effective_available: true })
  expect(back.stderr).toContain('availability: "unavailable" → "available"')
  expect(back.stderr).toMatch(/^Undoes version 3 of 20 Nov 2026 09:00 .*, by everything\.$/m)

  // To an earlier version, with all that happened since; the undoing is a version, too.
  const plan = await told.dray(`business catalog undo ${id} --to 1 --dry-run --json`)
  expect(plan.json()).toMatchObject({ operation: 'update_catalog_item', input: { version: 4 } })
  expect((await told.dray(`business catalog undo ${id} --to 1 --json`)).json<Item>()).toMatchObject({
    version: 5,
    price: { amount: 360 },
  })
  expect(await priceOf(told, id)).toBe(360)
  const same = await told.dray(`business catalog undo ${id} --to 1`)
  expect(same.stderr).toContain('Nothing changed: Flat White already has the values of version 1.')

  // A price that jumps needs its name here, too.
  await told.dray('business catalog update "Flat White" --price 1 --confirm "Flat White"')
  const refused = await told.dray('business catalog undo "Flat White" --yes', { exit: 3 })
  expect(refused.stderr).toContain('price: £1.00 → £3.60')
  await told.dray('business catalog undo "Flat White" --confirm "Flat White"')
  expect(await priceOf(told, id)).toBe(360)

  await told.dray(`business catalog delete ${id} --confirm ${id}`)
  const gone = await told.dray(`business catalog undo ${id}`, { exit: 7 })
  expect(gone.stderr).toContain("dray business catalog create --name 'Flat White' --category Drinks")
  const history = (await told.dray(`business catalog history ${id} --json`)).json<Versions>()
  expect(history.data.map(({ version, change }) => `${version} ${change}`)).toEqual([
    '8 deleted',
    '7 updated',
    '6 updated',
    '5 updated',
    '4 availability_changed',
    '3 availability_changed',
    '2 updated',
    '1 created',
  ])
  await told.dray(`business catalog history ${id} --as owner`, { exit: 5 })
})

acceptanceTest(
  'an undo of a price and of a sale makes both changes, each of the version that was seen',
  async (told) => {
    const { item_id: id } = await createFlatWhite(told)
    await told.dray('business catalog update "Flat White" --price 3.90')
    await told.dray(`business catalog available ${id} no --reason sold_out --if-version 2`)
    const late = await told.dray(`business catalog available ${id} yes --if-version 2 --json`, { exit: 7 })
    expect(late.json<PrintedFailure>()).toMatchObject({ code: 'version_conflict', current_version: 3 })
    const plan = await told.dray(`business catalog undo ${id} --dry-run --json`)
    expect(plan.json()).toMatchObject({
      operation: 'set_catalog_item_availability',
      input: { version: 3, available: true },
    })
    await told.dray(`business catalog undo ${id} --to 1`)
    const { data } = await told.call('list_catalog_items', { q: 'flat white' })
    expect(data).toMatchObject([{ version: 5, price: { amount: 360 }, effective_available: true }])
  },
)
