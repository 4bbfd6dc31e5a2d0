/** The store of a command: by id, by name near a point, or chosen from those that are open there. */
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag } from '../../cli/command.ts'
import { askWhich, pointNear, formatNearby } from '../../cli/nearby.ts'
import { cellText } from '../../cli/output/cell.ts'
import { formatTimeOfDay } from '../../cli/output/hour.ts'
import type { RenderOptions } from '../../cli/output/render-options.ts'
import { missingInputError } from '../../cli/prompts.ts'
import type { Client } from '../../client/client.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import type { Point } from '../../core/geometry.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import { PLACE_HELP } from '../../core/places/words.ts'
import { matchByName } from '../items.ts'

export type Merchant = OperationOutput<'search_restaurants'>['data'][number]

export const NEAR_FLAG = {
  flag: 'near',
  kind: 'text',
  value: 'PLACE',
  description: `place near which to search for the store by name: ${PLACE_HELP}. Default in a sandbox: the City`,
} as const satisfies Flag

export const MERCHANT = { name: 'merchant', description: 'store name or ID' } as const

/** The argument of commands that can repeat an order. */
export const STORE_OR_ORDER = {
  ...MERCHANT,
  description: 'store name or ID; with --again an order',
} as const

/** The id, and what else is known of the store: nothing, when it was named by its id. */
export type ChosenMerchant = { id: string; merchant: Merchant | undefined }

/** As far as a search goes. */
const FAR_M = 20_000

/** The store that is meant. Throws AppError('usage' | 'merchant_not_found'). */
export async function resolveMerchant(
  cli: CommandContext,
  near: string | undefined,
  asked: string,
): Promise<ChosenMerchant> {
  if (/^mer_[0-9a-z]{26}$/.test(asked)) return { id: asked, merchant: undefined }
  const point = await pointNear(cli, near)
  const q = asked.slice(0, 80)
  const client = await cli.client()
  const open = matchByName(await search(client, point, { q }), asked, idOf)
  // A closed store is not confused with an open one of a like name.
  const picked =
    'one' in open || open.several.length > 0
      ? open
      : matchByName(await search(client, point, { q, include_closed: true }), asked, idOf)
  if ('one' in picked) return { id: picked.one.merchant_id, merchant: picked.one }
  const { several } = picked
  if (several.length === 0) {
    throw new AppError(
      'merchant_not_found',
      `No store near there is named ${JSON.stringify(asked.slice(0, 60))}.`,
      {
        hint: '`dray food search --include-closed` lists the stores; use --near to search elsewhere.',
      },
    )
  }
  const merchant = await askWhich(cli, 'stores', several, { idOf, choiceOf })
  return { id: merchant.merchant_id, merchant }
}

type MerchantChoiceOptions = {
  /** For a later order, stores that are closed now are offered, too. */
  forLater?: boolean
  fulfillment?: Merchant['fulfillment_types'][number]
  /** The place of a delivery. */
  there?: Point | undefined
}

/** A store near the point, chosen on the terminal; a closed one where none is open and the order can be for later. */
export async function chooseMerchant(
  cli: CommandContext,
  near: string | undefined,
  { forLater = false, fulfillment, there }: MerchantChoiceOptions = {},
): Promise<ChosenMerchant> {
  const ask = await cli.ask()
  if (ask === undefined)
    throw missingInputError(cli.argv, [{ flag: 'MERCHANT', description: 'store name or ID' }])
  const point = there ?? (await pointNear(cli, near))
  const client = await cli.client()
  const wish = fulfillment === undefined ? {} : { fulfillment_type: fulfillment }
  const open = await search(client, point, forLater ? { ...wish, include_closed: true } : wish)
  const takesTime = cli.spec.flags.some(({ flag }) => flag === 'for')
  const found =
    open.length > 0 || forLater || !takesTime
      ? open
      : await search(client, point, { ...wish, include_closed: true })
  if (found.length === 0)
    throw there === undefined
      ? new AppError('merchant_not_found', 'No store near there is open now.', {
          hint: 'Use --near to search elsewhere.',
        })
      : new AppError('merchant_not_found', 'No store delivers there.', {
          hint: 'Use another address with --to, or --fulfillment pickup.',
        })
  const merchant = await ask.select({
    message: open.length > 0 ? 'Choose a store' : 'No store is open now. Choose one, for later',
    choices: found.map((each) => choiceOf(each)),
  })
  cli.answered.push({ flag: merchant.merchant_id })
  return { id: merchant.merchant_id, merchant }
}

async function search(client: Client, point: Point, more: Record<string, unknown>): Promise<Merchant[]> {
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

function formatMerchantHours({ is_open, open_until, opens_at }: Merchant): string {
  if (!is_open) return opens_at === null ? 'closed' : `closed until ${whenOf(opens_at)}`
  return open_until === null ? 'open all day' : `open until ${formatTimeOfDay(open_until, open_until, PLAIN)}`
}

function whenOf(at: string): string {
  return cellText(at, 'at', PLAIN)
}

/** Returns an instant with the offset of its place, for a command to copy. */
export function typedAt(at: string, timezone: string): string {
  return cellText(at, 'at', { tty: false, width: 80, colour: false, timezone })
}

/** Returns that a store takes no orders now, and when it does; undefined for an open one and one of unknown hours. */
export function closedWords(merchant: Merchant | undefined): string | undefined {
  if (merchant === undefined || merchant.is_open) return undefined
  const { name, opens_at } = merchant
  return opens_at === null
    ? `${name} is not taking orders now.`
    : `${name} is closed until ${whenOf(opens_at)}.`
}

function choiceOf(merchant: Merchant): { value: Merchant; name: string; description: string } {
  const { cuisines, delivery } = merchant
  const facts = [
    cuisines.map((cuisine) => cuisine.replaceAll('_', ' ')).join(', '),
    delivery === null ? 'no delivery' : `delivery ${formatGroupedMoney(delivery.fee)}`,
    formatMerchantHours(merchant),
  ]
  return {
    value: merchant,
    name: formatNearby(merchant),
    description: facts.filter((fact) => fact !== '').join('; '),
  }
}
