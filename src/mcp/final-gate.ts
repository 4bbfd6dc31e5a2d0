/**
 * The gate before what cannot be undone, or pays money out: with `--confirm` a person must consent to it. Cancellations are
 * free of it: nothing may be in the way of a user who wants out.
 */
import { dayWords, earlyWords, namedDays } from '../areas/business/rules/day-words.ts'
import {
  type AdjustmentWords,
  describeAdjustment,
  describeAnswer,
} from '../areas/orders/rules/adjust-words.ts'
import type { AdjustmentKind, LineAdjustmentRequest } from '../areas/orders/rules/adjust.ts'
import { resolveReplacements } from '../areas/orders/rules/substitution.ts'
import { refundable } from '../areas/payments/rules/payment.ts'
import type { Client } from '../client/client.ts'
import { findOwnItem, listStoreItems } from '../client/list-store-items.ts'
import type { OperationOutput, OperationInput } from '../client/operations.ts'
import { classifyFailure } from '../client/outcome.ts'
import { AppError } from '../core/errors.ts'
import { formatMajorUnits, formatGroupedMoney } from '../core/money.ts'
import { type ConfirmationResult, requestConsent, ownAccount } from './consent.ts'
import type { McpClientSession } from './elicitation.ts'
import type { GuardState } from './guard-types.ts'
import { quoteUntrusted } from './sanitize.ts'

type Input = Readonly<Record<string, unknown>>

/** The end of something: the words of the question, and of the command that does the same. */
type End = {
  question: string
  title: string
  what: string
  words: string[]
  id: string
  /** Further flags of the command. */
  flags?: string[]
  /** Its state: a response counts for this one only. */
  state: unknown
}

/** The question about each tool; undefined where the service rejects the call. */
const ENDS: Readonly<Record<string, (client: Client, input: Input) => Promise<End | undefined>>> = {
  delete_catalog_item: endOfItem,
  reject_business_order: endOfOrder,
  adjust_business_order: endOfPart,
  answer_order_problem: endOfProblem,
  close_business_day: endOfDays,
  delete_webhook_endpoint: endOfWebhook,
}

/**
 * Returns the question before a call that is final. Throws AppError('approval_required' | 'not_confirmed'), and Error for a
 * tool without a question: nothing final goes out unasked.
 */
export async function askAboutEnd(
  guard: GuardState,
  client: Client,
  { tool, input, program }: { tool: { name: string }; input: Input; program: McpClientSession },
): Promise<ConfirmationResult> {
  const endOf = ENDS[tool.name]
  if (endOf === undefined) throw new Error(`${tool.name} is final and has no question`)
  const end = await endOf(client, input)
  if (end === undefined) return undefined
  const { question, title, what, words, id, flags = [], state } = end
  const command = guard.commandOf([...words, id, ...flags, ...ownAccount(guard), '--confirm', id])
  return requestConsent(guard, client, program, {
    change: [tool.name, id],
    questioned: { input, about: [tool.name, state] },
    message: [question],
    subject: 'it',
    title,
    what,
    way: `\`${command}\``,
  })
}

async function endOfItem(client: Client, { item_id }: Input): Promise<End | undefined> {
  const id = String(item_id)
  const item = await findOwnItem(client, id)
  if (item === undefined) return undefined
  const about = `${quoteUntrusted(item.name)}, ${formatGroupedMoney(item.price)}`
  return {
    question: `Delete ${about}, from your menu for good?`,
    title: 'Yes, delete it',
    what: `deleting ${about}`,
    words: ['business', 'catalog', 'delete'],
    id,
    state: item.version,
  }
}

async function endOfOrder(client: Client, { order_id }: Input): Promise<End | undefined> {
  const id = String(order_id)
  const order = await readOrder(client, id)
  if (order === undefined) return undefined
  const { refund, display_number, total } = order
  const back = refundable(order)
  const sum = back && formatGroupedMoney(back)
  const unpaid = refund === null ? 'nothing was paid yet' : 'nothing more goes back to the customer'
  const money = sum === undefined ? unpaid : `${sum} is refunded to the customer`
  const about = `order ${quoteUntrusted(display_number)} of ${formatGroupedMoney(total)}`
  return {
    question: `Reject ${about}? ${money.charAt(0).toUpperCase()}${money.slice(1)}.`,
    title: sum === undefined ? 'Yes, reject it' : `Yes, refund ${sum}`,
    what: `rejecting ${about}: ${money}`,
    words: ['business', 'orders', 'reject'],
    id,
    state: [order.status, money],
  }
}

/** The verb of the question, and the flag of the command. */
const KINDS = {
  removed: ['Take off', '--remove'],
  replaced: ['Replace', '--replace'],
  refunded: ['Refund', '--refund'],
} as const

async function endOfPart(
  client: Client,
  { order_id, kind, lines, reason_code }: Input,
): Promise<End | undefined> {
  const id = String(order_id)
  const order = await readOrder(client, id)
  const wish = { kind: kind as AdjustmentKind, lines: lines as readonly ReplaceLine[] }
  const part = order && (await describeChange(client, order, wish))
  if (part === undefined) return undefined
  const { parts, money } = part
  const [verb, flag] = KINDS[wish.kind]
  const about = `${parts.map(({ taken, name }) => `${taken} ${quoteUntrusted(name)}`).join(', ')} of order ${quoteUntrusted(order?.display_number ?? id)}`
  return {
    question: `${verb} ${about}? ${money}`,
    title: `Yes, ${verb.toLowerCase()}`,
    what: `adjusting order ${quoteUntrusted(order?.display_number ?? id)}: ${money}`,
    words: ['business', 'orders', 'adjust'],
    id,
    flags: [...lineFlags(flag, wish.lines), '--reason', String(reason_code)],
    state: [order?.status, money],
  }
}

async function endOfProblem(client: Client, input: Input): Promise<End | undefined> {
  const { order_id, problem_id, accept, lines } = input
  const id = String(order_id)
  const order = await readOrder(client, id)
  const problem = order?.problems.find((each) => each.problem_id === problem_id)
  if (order === undefined || problem === undefined || accept === 'none') return undefined
  const asked = accept === 'part' ? ((lines ?? []) as readonly LineAdjustmentRequest[]) : undefined
  const part = describePart(() => describeAnswer(order, problem, asked))
  if (part === undefined) return undefined
  const { money } = part
  const number = quoteUntrusted(order.display_number)
  return {
    question: `Accept the problem of order ${number} (${problem.reason_code.replaceAll('_', ' ')})? ${money}`,
    title: 'Yes, accept it',
    what: `accepting the problem of order ${number}: ${money}`,
    words: ['business', 'orders', 'answer'],
    id,
    flags: [
      problem.problem_id,
      '--accept',
      String(accept),
      ...(asked === undefined ? [] : lineFlags('--line', asked)),
    ],
    state: [problem.status, money],
  }
}

async function endOfDays(client: Client, input: Input): Promise<End | undefined> {
  const asked = { ...(input as OperationInput<'close_business_day'>), preview: true }
  const close = await readUnlessRefused(() => client.call('close_business_day', asked))
  const dates = close?.data.map(({ date }) => date) ?? []
  const last = dates.at(-1)
  if (close === undefined || last === undefined) return undefined
  const days = namedDays(dates)
  const early = earlyWords(close)
  return {
    question: [
      ...close.data.map(dayWords),
      ...(early === undefined ? [] : [early]),
      `Close ${days}? A closed day never changes.`,
    ].join('\n'),
    title: 'Yes, close',
    what: `closing ${days}`,
    words: ['business', 'day', 'close', '--through'],
    id: last,
    flags: asked.merchant_id === undefined ? [] : ['--merchant', asked.merchant_id],
    state: [dates, close.not_ended],
  }
}

async function endOfWebhook(client: Client, { endpoint_id }: Input): Promise<End | undefined> {
  const id = String(endpoint_id)
  const endpoint = await readUnlessRefused(() => client.call('get_webhook_endpoint', { endpoint_id: id }))
  if (endpoint === undefined) return undefined
  const about = `the webhook endpoint ${quoteUntrusted(endpoint.url)}`
  return {
    question: `Delete ${about}, with the log of its deliveries? Nothing is sent to it any more.`,
    title: 'Yes, delete it',
    what: `deleting ${about}`,
    words: ['webhooks', 'delete'],
    id,
    state: [endpoint.url, endpoint.types],
  }
}

type ReplaceLine = LineAdjustmentRequest & {
  replacement?: { item_id: string; modifiers?: { modifier_id: string; quantity?: number }[] }
}

/** `--refund line_1=2`, `--replace line_1=2:itm_1 + mod_1` */
function lineFlags(flag: string, lines: readonly ReplaceLine[]): string[] {
  return lines.flatMap(({ line_id, quantity, amount, replacement }) => {
    const value = amount === undefined ? quantity : formatMajorUnits(amount)
    const options = (replacement?.modifiers ?? []).map(
      (each) => ` + ${each.modifier_id} x${each.quantity ?? 1}`,
    )
    const item = replacement === undefined ? '' : `:${replacement.item_id}${options.join('')}`
    return [flag, `${line_id}${value === undefined ? '' : `=${value}`}${item}`]
  })
}

type Order = OperationOutput<'get_business_order'>

async function describeChange(
  client: Client,
  order: Order,
  { kind, lines }: { kind: AdjustmentKind; lines: readonly ReplaceLine[] },
) {
  const listed = kind === 'replaced' ? await listStoreItems(client, order.merchant_id) : []
  // The service rejects an item that it does not sell in its own words.
  if (
    lines.some(
      ({ replacement }) => replacement && !listed.some((item) => item.item_id === replacement.item_id),
    )
  )
    return undefined
  return describePart(() =>
    describeAdjustment(order, lines, {
      kind,
      items: kind === 'replaced' ? resolveReplacements(listed, lines) : [],
    }),
  )
}

function describePart(describe: () => AdjustmentWords) {
  try {
    return describe()
  } catch (error) {
    // The service rejects it in its own words.
    if (error instanceof AppError) return undefined
    throw error
  }
}

async function readOrder(client: Client, order_id: string) {
  return readUnlessRefused(() => client.call('get_business_order', { order_id }), 'order_not_found')
}

/** Returns undefined where the service rejects the call, with this code if one is given: it then tells it in its own words. */
async function readUnlessRefused<T>(
  read: () => Promise<{ value: T }>,
  code?: string,
): Promise<T | undefined> {
  try {
    return (await read()).value
  } catch (error) {
    const isExpected =
      code === undefined
        ? classifyFailure(error) === 'refused'
        : error instanceof AppError && error.code === code
    if (isExpected) return undefined
    throw error
  }
}
