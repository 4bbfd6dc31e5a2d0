/** Asks again for the answer that the store rejected, instead of ending. */
import type { CommandContext } from '../../cli/cli.ts'
import { refusalText } from '../../cli/output/errors.ts'
import type { OperationInput } from '../../client/operations.ts'
import type { AppError, ErrorCode } from '../../core/errors.ts'
import { askDropoff, askFulfillment, askTable, askTime, askTip, askWays } from './ask-basket.ts'
import type { Merchant } from './merchants.ts'

type Order = OperationInput<'quote_food_order'>
type Member = keyof typeof FLAG_OF

const FLAG_OF = {
  items: '--item',
  dropoff: '--to',
  scheduled_for: '--for',
  table: '--table',
  tip: '--tip',
  fulfillment_type: '--fulfillment',
} as const

/** The fields that errors without a pointer are about. */
const MEMBER_OF: { readonly [C in ErrorCode]?: Member } = {
  minimum_order_not_met: 'items',
  item_unavailable: 'items',
  item_not_found: 'items',
  merchant_closed: 'scheduled_for',
  slot_unavailable: 'scheduled_for',
  no_courier_available: 'scheduled_for',
}

/** The facts for asking again: the store, whether the time was typed, and the items, which keep what was chosen. */
export type BasketRetryContext = {
  merchant: Merchant | undefined
  currency: string
  isTimeTyped: boolean
  askItems(): Promise<Order['items']>
}

/** Returns the input with another answer; undefined where the rejected field was typed, or is none. */
export async function mendBasket(
  cli: CommandContext,
  error: AppError,
  input: Order,
  answers: BasketRetryContext,
): Promise<Order | undefined> {
  const member = memberOf(error)
  if (member === undefined || !wasAsked(cli, member, answers)) return undefined
  await cli.say(refusalText(error, cli.spec.flags))
  removeAnsweredFlags(cli, FLAG_OF[member])
  if (member === 'fulfillment_type') return askOtherFulfillment(cli, answers, input)
  const { [member]: _, ...rest } = input
  return { ...rest, ...(await askMember(cli, member, answers, error)) } as Order
}

/** Drops an answer, which another one replaces. */
export function removeAnsweredFlags({ answered }: CommandContext, ...flags: readonly string[]): void {
  answered.splice(0, answered.length, ...answered.filter(({ flag }) => !flags.includes(flag)))
}

/** Address, table and tip belong to one kind of fulfilment, and are asked for again; so does the wish for who is out. */
async function askOtherFulfillment(
  cli: CommandContext,
  { merchant, currency }: BasketRetryContext,
  input: Order,
): Promise<Order> {
  const { dropoff: _, table: __, tip: ___, if_absent: ____, ...rest } = input
  removeAnsweredFlags(cli, FLAG_OF.dropoff, FLAG_OF.table, FLAG_OF.tip)
  const fulfillment = await askFulfillment(cli, merchant)
  const time = { scheduled_for: '', ...rest }
  const ways = await askWays(cli, fulfillment, time, { currency, isClosed: false })
  return { ...rest, fulfillment_type: fulfillment, ...ways }
}

function memberOf({ code, errors }: AppError): Member | undefined {
  const first = errors[0]?.pointer?.split('/')[1]
  return first !== undefined && Object.hasOwn(FLAG_OF, first) ? (first as Member) : MEMBER_OF[code]
}

/** As soon as possible is an answer without a flag. */
function wasAsked(
  { answered }: CommandContext,
  member: Member,
  { isTimeTyped }: BasketRetryContext,
): boolean {
  if (member === 'scheduled_for') return !isTimeTyped
  return answered.some(({ flag }) => flag === FLAG_OF[member])
}

async function askMember(
  cli: CommandContext,
  member: Exclude<Member, 'fulfillment_type'>,
  { merchant, currency, askItems }: BasketRetryContext,
  { code, extra }: AppError,
): Promise<Partial<Order>> {
  switch (member) {
    case 'items':
      return { items: await askItems() }
    case 'dropoff':
      return askDropoff(cli)
    case 'table':
      return askTable(cli)
    case 'tip':
      return askTip(cli, currency)
    case 'scheduled_for':
      return askTime(cli, {
        isClosed: code === 'merchant_closed',
        free: (extra['alternatives'] as string[] | undefined) ?? [],
        ...(merchant !== undefined && { zone: merchant.timezone }),
      })
  }
}
