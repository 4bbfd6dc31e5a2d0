import { describe, expect, test } from 'vitest'
import type { CommandContext } from '../../../src/cli/cli.ts'
import type { Prompts } from '../../../src/cli/questions.ts'
import { askItems, askWays } from '../../../src/commands/food/ask-basket.ts'
import type { Menu, MenuItem } from '../../../src/commands/items.ts'

function makeItem(name: string): MenuItem {
  return {
    item_id: `itm_${name.replaceAll(/\W+/g, '_')}`,
    name,
    description: null,
    price: { amount: 500, currency: 'GBP' },
    available: true,
    unavailable_until: null,
    image_url: null,
    dietary_tags: [],
    allergens: [],
    modifier_groups: [],
  }
}

const MENU = {
  merchant_id: 'mer_1',
  currency: 'GBP',
  categories: [
    { category_id: 'cat_1', name: 'Dishes', sort_order: 1, items: ['Jok', 'Buns x2'].map(makeItem) },
  ],
} as unknown as Menu

/** Picks choices by their words, one after the other, and accepts the offered quantity. */
async function pickAll(words: readonly string[]) {
  const left = [...words]
  const asked: string[] = []
  const ask = {
    async select({
      message,
      choices,
    }: {
      message: string
      choices: readonly { name: string; value: unknown }[]
    }) {
      asked.push(message)
      const word = left.shift()
      const found = choices.find(({ name }) => name.startsWith(word ?? 'Done'))
      if (found === undefined) throw new Error(`no ${word} in ${choices.map(({ name }) => name).join('; ')}`)
      return found.value
    },
    number: async () => 1,
  } as unknown as Prompts
  const cli = { answered: [], ask: async () => ask } as unknown as CommandContext
  const items = await askItems(cli, MENU, { deliversFrom: { amount: 1000, currency: 'GBP' } })
  return {
    items: items.map(({ item_id }) => item_id),
    answered: cli.answered.map(({ value }) => value),
    asked,
  }
}

describe('a basket that is put together', () => {
  test('loses what is taken out again', async () => {
    const { items } = await pickAll(['Dishes', 'Jok', 'Dishes', 'Buns', 'Without Jok'])
    expect(items).toEqual(['itm_Buns_x2'])
  })

  test('says what is delivered at least, while it holds less', async () => {
    const { asked } = await pickAll(['Dishes', 'Jok', 'Dishes', 'Jok'])
    expect(asked.filter((message) => message.includes('so far'))).toEqual([
      '1 item, £5.00 so far; the minimum for delivery is £10.00. Anything else?',
      '2 items, £10.00 so far. Anything else?',
    ])
  })

  test('is shown by ids where a name would be read as a number of it', async () => {
    expect((await pickAll(['Dishes', 'Jok', 'Dishes', 'Buns'])).answered).toEqual(['Jok', 'itm_Buns_x2'])
  })
})

test('a dish says what is in it before it is chosen, as on the menu', async () => {
  const seen: string[] = []
  const satay = { ...makeItem('Satay'), allergens: ['peanuts', 'soy'], dietary_tags: ['halal'] }
  const menu = {
    ...MENU,
    categories: [{ category_id: 'cat_1', name: 'Dishes', sort_order: 1, items: [satay] }],
  }
  const ask = {
    async select({ choices }: { choices: readonly { value: unknown; description?: string }[] }) {
      seen.push(...choices.map(({ description = '' }) => description))
      return seen.length > 2 ? undefined : choices[0]?.value
    },
    number: async () => 1,
  } as unknown as Prompts
  await askItems({ answered: [], ask: async () => ask } as unknown as CommandContext, menu, {})
  expect(seen).toContain('Contains peanuts, soy. Halal.')
})

const OPEN = { currency: 'GBP', isClosed: false }

describe('the tip of the courier', () => {
  const asked = async (typed: string) => {
    let problem: string | undefined
    const ask = {
      select: async ({ choices }: { choices: readonly { value: unknown }[] }) => choices[0]?.value,
      async input({ validate }: { validate(answer: string): string | undefined }) {
        problem = validate(typed)
        return typed
      },
    } as unknown as Prompts
    const cli = { answered: [], ask: async () => ask } as unknown as CommandContext
    const given = { dropoff: {} }
    const ways = await askWays(cli, 'delivery', given, OPEN).catch(() => undefined)
    return { problem, ways, answered: cli.answered }
  }

  test('is skipped with Enter', async () => {
    expect(await asked('')).toEqual({ problem: undefined, ways: {}, answered: [] })
  })

  test('is in the command that is shown', async () => {
    const { ways, answered } = await asked(' 2.50 ')
    expect(ways).toEqual({ tip: { amount: 250, currency: 'GBP' } })
    expect(answered).toEqual([{ flag: '--tip', value: '2.50' }])
  })

  test('is asked for again when it is no amount of the store’s currency', async () => {
    expect((await asked('much')).problem).toBeDefined()
    expect((await asked('2.50 EUR')).problem).toBe('The tip must be in GBP, like the prices.')
  })
})

test('a closed store is asked for a time at once, and again until it is one', async () => {
  const problems: (string | undefined)[] = []
  const ask = {
    select: () => {
      throw new Error('as soon as possible was offered')
    },
    async input({ validate }: { validate(answer: string): string | undefined }) {
      problems.push(validate('noonish'), validate('2026-11-21T12:00:00Z'))
      return '2026-11-21T12:00:00Z'
    },
  } as unknown as Prompts
  const cli = { answered: [], ask: async () => ask } as unknown as CommandContext
  expect(await askWays(cli, 'pickup', {}, { ...OPEN, isClosed: true })).toEqual({
    scheduled_for: '2026-11-21T12:00:00.000Z',
  })
  expect(problems).toEqual(['Please type a time, such as 19:30 or tomorrow 12:00.', undefined])
})
