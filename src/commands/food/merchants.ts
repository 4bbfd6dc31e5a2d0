/** Which store: by id, by name near a point, or chosen from those that are open there. */
import type { Cli } from '../../cli/cli.ts'
import type { Flag } from '../../cli/command.ts'
import { askWhich, pointNear, spellNearby } from '../../cli/nearby.ts'
import { hourOf } from '../../cli/output/hour.ts'
import type { RenderOptions } from '../../cli/output/render-options.ts'
import { PLACE_WORDS } from '../../cli/places.ts'
import { missingInput } from '../../cli/prompts.ts'
import type { Answer } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import type { Point } from '../../core/geometry.ts'
import { spellMoney } from '../../core/money.ts'
import { pickOne } from '../items.ts'

export type Merchant = Answer<'search_restaurants'>['data'][number]

export const NEAR_FLAG = {
  flag: 'near',
  kind: 'text',
  value: 'PLACE',
  description: `where to look for a store by name: ${PLACE_WORDS}; in a sandbox the City without it`,
} as const satisfies Flag

export const MERCHANT = { name: 'merchant', description: 'the store, by id or name' } as const

/** The id, and what else is known of the store: nothing, when it was named by its id. */
export type Chosen = { id: string; merchant: Merchant | undefined }

/** As far as a search goes. */
const FAR_M = 20_000

/** The store that is meant. Throws AppError('usage' | 'merchant_not_found'). */
export async function findMerchant(cli: Cli, near: string | undefined, asked: string): Promise<Chosen> {
  if (/^mer_[0-9a-z]{26}$/.test(asked)) return { id: asked, merchant: undefined }
  const found = await search(cli, await pointNear(cli, near), { q: asked.slice(0, 80) })
  const picked = pickOne(found, asked, idOf)
  if ('one' in picked) return { id: picked.one.merchant_id, merchant: picked.one }
  const { several } = picked
  if (several.length === 0) {
    throw new AppError(
      'merchant_not_found',
      `No open store is called ${JSON.stringify(asked.slice(0, 60))} there.`,
      {
        hint: '`dray food search` shows those that are open; a closed one goes by its id.',
      },
    )
  }
  const merchant = await askWhich(cli, 'stores', several, { idOf, choiceOf })
  return { id: merchant.merchant_id, merchant }
}

/** One of those that are open near the point, chosen on the terminal. */
export async function chooseMerchant(cli: Cli, near: string | undefined): Promise<Chosen> {
  const ask = await cli.ask()
  if (ask === undefined)
    throw missingInput(cli.argv, [{ flag: 'MERCHANT', description: 'the store, by id or name' }])
  const found = await search(cli, await pointNear(cli, near), {})
  if (found.length === 0) {
    throw new AppError('merchant_not_found', 'No store is open near there now.', {
      hint: 'Look elsewhere with --near.',
    })
  }
  const merchant = await ask.select({
    message: 'Which store?',
    choices: found.map((each) => choiceOf(each)),
  })
  cli.answered.push({ flag: merchant.merchant_id })
  return { id: merchant.merchant_id, merchant }
}

async function search(cli: Cli, point: Point, more: Record<string, unknown>): Promise<Merchant[]> {
  const client = await cli.client()
  const { value } = await client.call('search_restaurants', {
    ...point,
    radius_m: FAR_M,
    limit: 100,
    ...more,
  })
  return value.data
}

const PLAIN: RenderOptions = { tty: true, width: 80, colour: false }

function idOf({ merchant_id }: Merchant): string {
  return merchant_id
}

function choiceOf(merchant: Merchant): { value: Merchant; name: string; description: string } {
  const { cuisines, open_until, delivery } = merchant
  const facts = [
    cuisines.map((cuisine) => cuisine.replaceAll('_', ' ')).join(', '),
    delivery === null ? 'no delivery' : `delivery ${spellMoney(delivery.fee)}`,
    open_until === null ? 'open all day' : `open until ${hourOf(open_until, open_until, PLAIN)}`,
  ]
  return {
    value: merchant,
    name: spellNearby(merchant),
    description: facts.filter((fact) => fact !== '').join('; '),
  }
}
