/** Ordering again: the same things at the prices of today, and never others without a word. */
import { describe, expect, test } from 'vitest'
import { compareLines, type FoodOrder } from '../../../src/commands/food/again.ts'
import type { Menu } from '../../../src/commands/items.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { gbp } from '../../support/money.ts'
import { partialResponse } from '../../support/part.ts'
import { runLine, typeAt } from '../../support/printed-hints.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' }
const FIRST =
  'dray food order "Lime Street" --item "Pad Thai x2 + Chicken + Hot" --item Jok --fulfillment delivery --to "12 Finsbury Square, EC2A 1AN" --if-absent leave --tip 2 --notes "Nut allergy" --yes --max-total 90 --json'

type Order = {
  order_id: string
  display_number: string
  notes: string
  total: { amount: number }
  lines: { item_id: string; name: string }[]
}

const script = (home: Home, line: string) => runLine(home, line, { piped: true })

async function ordered(home: Home, line: string): Promise<Order> {
  const { code, out, err } = await script(home, line)
  expect(code, err).toBe(0)
  return JSON.parse(out) as Order
}

const list = async (home: Home) =>
  (JSON.parse((await script(home, 'dray food list --json')).out) as { data: Order[] }).data

const owner = async (home: Home, line: string) => {
  const { code, err } = await script(home, `dray business catalog ${line} --as owner`)
  expect(code, err).toBe(0)
}

describe('an order is placed again', () => {
  test('the last one, with its choices, address, tip, note and what to do if no one answers the door', async () => {
    using home = makeHome(FROZEN)
    const first = await ordered(home, FIRST)
    const again = await ordered(home, 'dray food order --again --yes --max-total 90 --json')
    const { order_id, display_number, ...same } = again
    expect(order_id).not.toBe(first.order_id)
    expect(display_number).not.toBe(first.display_number)
    const { total, lines, notes } = first
    expect(same).toMatchObject({
      total,
      lines,
      notes,
      fulfillment_type: 'delivery',
      if_absent: 'leave',
    })
  })

  test('any one by its number, with another tip', async () => {
    using home = makeHome(FROZEN)
    const { display_number, lines } = await ordered(home, FIRST)
    await ordered(
      home,
      'dray food order "Lime Street" --item Jok --fulfillment pickup --yes --max-total 90 --json',
    )
    const line = `dray food order --again ${display_number.toLowerCase()} --tip 3 --yes --max-total 90 --json`
    expect(await ordered(home, line)).toMatchObject({ lines, total: { amount: 3548 } })
  })

  test('at the price of today, which is said, and never above the limit', async () => {
    using home = makeHome(FROZEN)
    const { lines } = await ordered(home, FIRST)
    await owner(home, `update ${lines[1]?.item_id} --price 7.50`)
    const above = await script(home, 'dray food order --again --yes --max-total 34.48')
    expect(above.code).toBe(7)
    expect(above.err).toContain('- Jok costs £7.50; it was £6.50.\n')
    expect(await list(home)).toHaveLength(1)
    expect((await script(home, 'dray food order --again --yes --max-total 40')).code).toBe(0)
  })

  test('in a script never without what is gone: the rest is a command to copy', async () => {
    using home = makeHome(FROZEN)
    const { lines, display_number } = await ordered(home, FIRST)
    await owner(home, `available ${lines[1]?.item_id} no`)
    const refused = await script(home, 'dray food order --again --yes --max-total 90 --json')
    expect(refused.code).toBe(7)
    expect(JSON.parse(refused.out)).toMatchObject({
      code: 'item_unavailable',
      detail: `Order ${display_number} cannot be had as it was: Jok is left out: it is not available now. Nothing was ordered.`,
      hint: expect.stringMatching(
        /^Order the rest: dray food order mer_\w+ --item 'itm_\w+ x2 \+ mod_\w+ \+ mod_\w+'$/,
      ),
      exit_code: 7,
    })
    expect(await list(home)).toHaveLength(1)
  })

  test('at a terminal the rest after a yes, once it was said what is gone', async () => {
    using home = makeHome(FROZEN)
    const { lines } = await ordered(home, FIRST)
    await owner(home, `available ${lines[1]?.item_id} no`)
    const no = await typeAt(home, 'dray food order --again', ['no'])
    expect(no.err).toContain('- Jok is left out: it is not available now.\n')
    expect(no.code).toBe(3)
    const yes = await typeAt(home, 'dray food order --again', ['yes'])
    expect(yes.code, yes.err).toBe(0)
    const [last] = await list(home)
    expect(last?.lines.map(({ name }) => name)).toEqual(['Pad Thai'])
  })

  test('at a table, only with the table of this visit', async () => {
    using home = makeHome(FROZEN)
    await ordered(
      home,
      'dray food order "Forno Santa Rosa" --item Margherita --fulfillment dine_in --table 4 --yes --max-total 90 --json',
    )
    const refused = await script(home, 'dray food order --again --yes --max-total 90')
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('Missing: --table.') })
  })

  test('of a slot, only for another time', async () => {
    using home = makeHome(FROZEN)
    await ordered(
      home,
      'dray food order "Lime Street" --item Jok --fulfillment pickup --for 14:00 --yes --max-total 90 --json',
    )
    const refused = await script(home, 'dray food order --again --yes --max-total 90')
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('Missing: --for.') })
  })

  test('and not beside items, a basket or a quote', async () => {
    using home = makeHome(FROZEN)
    for (const more of ['--item Jok', '--quote-id quo_01m7vkystge8kbcf2tpy8vep2a'])
      expect(await script(home, `dray food order --again ${more} --yes --max-total 9`)).toMatchObject({
        code: 2,
        err: expect.stringContaining('leave out'),
      })
  })
})

test('a quote is not bought with a flag that it cannot follow any more', async () => {
  using home = makeHome(FROZEN)
  for (const more of ['--if-absent leave', '--tip 2', '--for 19:30'])
    expect(
      await script(home, `dray food order --quote-id quo_01m7vkystge8kbcf2tpy8vep2a ${more} --yes`),
    ).toMatchObject({ code: 2, err: expect.stringContaining(`leave out ${more.split(' ')[0]}.`) })
})

type Item = Menu['categories'][number]['items'][number]
type Group = Item['modifier_groups'][number]

const option = (name: string, more: Partial<Group['modifiers'][number]> = {}) => ({
  modifier_id: `mod_${name}`,
  name,
  price_delta: gbp(50),
  available: true,
  is_default: false,
  ...more,
})
const group = (modifiers: Group['modifiers'], more: Partial<Group> = {}): Group => ({
  modifier_group_id: 'mgr_1',
  name: 'Protein',
  min_selections: 1,
  max_selections: 1,
  allow_repeats: false,
  modifiers,
  ...more,
})
const item = (modifier_groups: Group[], more: Partial<Item> = {}) =>
  partialResponse<Item>({
    item_id: 'itm_1',
    name: 'Curry',
    price: gbp(900),
    available: true,
    modifier_groups,
    ...more,
  })
const LINE = partialResponse<FoodOrder['lines'][number]>({
  item_id: 'itm_1',
  name: 'Curry',
  quantity: 2,
  unit_price: gbp(900),
  modifiers: [
    { modifier_id: 'mod_Tofu', modifier_group_id: 'mgr_1', name: 'Tofu', quantity: 1, price_delta: gbp(50) },
  ],
  notes: null,
  total: gbp(1900),
})

describe('a line is compared with the menu', () => {
  const NONE = { gone: [], other: [], prices: [] }
  test.each<[string, Item[], object]>([
    ['as it was', [item([group([option('Tofu')])])], NONE],
    ['deleted', [], { gone: ['Curry is left out: it is no longer on the menu.'] }],
    [
      'without its option',
      [item([group([option('Beef', { is_default: true })])])],
      { gone: ['Curry is left out: Tofu is no longer an option.'] },
    ],
    [
      'with its option sold out',
      [item([group([option('Tofu', { available: false })])])],
      { gone: ['Curry is left out: Tofu is not now an option.'] },
    ],
    [
      'with a new choice that it does not have',
      [item([group([option('Tofu')]), group([option('Small')], { name: 'Size' })])],
      { gone: ['Curry is left out: its choices of Size have changed.'] },
    ],
    [
      'with a new default, which costs',
      [item([group([option('Tofu')]), group([option('Large', { is_default: true })], { name: 'Size' })])],
      { ...NONE, other: ['Curry now has Large.'], prices: ['Curry costs £10.00; it was £9.50.'] },
    ],
    [
      'under another name',
      [item([group([option('Tofu', { name: 'Silken tofu' })])], { name: 'Red curry' })],
      { ...NONE, other: ['Curry is now called Red curry.', 'Tofu is now called Silken tofu.'] },
    ],
    [
      'with a dearer option',
      [item([group([option('Tofu', { price_delta: gbp(75) })])])],
      { ...NONE, prices: ['Curry costs £9.75; it was £9.50.'] },
    ],
  ])('%s', (_, items, expected) => {
    const menu = partialResponse<Menu>({ categories: [{ category_id: 'cat_1', name: 'Mains', items }] })
    expect(compareLines([LINE], menu)).toMatchObject(expected)
  })
})
