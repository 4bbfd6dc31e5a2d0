/** Takes lines off an order, replaces them, or refunds a part of it, after a person has seen how much goes back. */
import {
  type AdjustmentWords,
  describeAdjustment,
  describeAnswer,
} from '../../../areas/orders/rules/adjust-words.ts'
import type { AdjustmentKind } from '../../../areas/orders/rules/adjust.ts'
import { resolveReplacements } from '../../../areas/orders/rules/substitution.ts'
import { listOpenQuestions } from '../../../areas/orders/rules/wrong-words.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { confirmName } from '../../../cli/confirm.ts'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import { requirePrompts } from '../../../cli/questions.ts'
import type { Client } from '../../../client/client.ts'
import { listStoreItems } from '../../../client/list-store-items.ts'
import { AppError } from '../../../core/errors.ts'
import { resolveQuoteItems, readItem } from '../../items.ts'
import { askLine, changeOrder, parseLineRequest, readUnits, withReason } from '../../order-lines.ts'
import { loadOrder } from './active.ts'
import { chooseOrder } from './choose.ts'
import { resolveStoreOrder } from './find.ts'
import type { BusinessOrderOutput } from './order.ts'
import { humanizeName } from './words.ts'

type OrderTarget = {
  order: string | undefined
  merchant: string | undefined
  body: Readonly<Record<string, unknown>>
}

export type OrderAdjustmentRequest = OrderTarget & {
  kind: AdjustmentKind
  typed: readonly string[] | undefined
}

const FLAG = { removed: '--remove', replaced: '--replace', refunded: '--refund' }
const QUESTION = { removed: 'Take off', replaced: 'Replace', refunded: 'Refund' }

/** Gives the exit code. Throws AppError('usage' | 'not_confirmed'), and what the service refuses. */
export async function runOrderAdjustment(
  cli: CommandContext,
  asked: OrderAdjustmentRequest,
): Promise<number> {
  const orderId = await orderOf(cli, asked)
  const { kind, typed: named, body } = asked
  return changeOrder(cli, {
    // The same words again mean the same adjustment, although another amount would go back by now.
    said: ['adjust', orderId, kind, named ?? [], body],
    done: (changed) =>
      listOpenQuestions(changed as BusinessOrderOutput).length === 0
        ? 'Adjusted order {display_number}.'
        : 'Asked the customer of order {display_number}; without an answer in 5 minutes it is refunded.',
    prepare: async () => {
      const order = await loadOrder(await cli.client(), orderId)
      const typed = named ?? [await askChange(cli, order, kind)]
      const { lines, items } =
        kind === 'replaced'
          ? await readReplacements(await cli.client(), typed, order)
          : { lines: typed.map((each) => parseLineRequest(each, order)), items: [] }
      const words = describeAdjustment(order, lines, { kind, items })
      const reason = await withReason(cli, body)
      const input = { order_id: orderId, kind, lines, ...reason, expected_amount: words.amount }
      await confirmRefund(cli, order, `${QUESTION[kind]} ${partsOf(words)}`, words.money)
      return { operation: 'adjust_business_order', input, note: words.money }
    },
  })
}

/** Asks for the line, and for the item in its place. Returns them as a flag has them. */
async function askChange(
  cli: CommandContext,
  order: BusinessOrderOutput,
  kind: AdjustmentKind,
): Promise<string> {
  if (kind !== 'replaced') return askLine(cli, order, FLAG[kind])
  const line = await askLine(cli, order, undefined)
  const ask = await requirePrompts(cli)
  const item = (await ask.input({ message: 'Item in its place, with options: Pad Thai + Tofu' })).trim()
  const change = `${line}: ${item}`
  cli.answered.push({ flag: FLAG.replaced, value: change })
  return change
}

/** Parses `Focaccia=1: Ciabatta + Olives`. Throws AppError('usage') for lines and items that are not there. */
async function readReplacements(client: Client, typed: readonly string[], order: BusinessOrderOutput) {
  const listed = await listStoreItems(client, order.merchant_id)
  const menu = { merchant_id: order.merchant_id, categories: [{ items: listed }] }
  const lines = typed.map((each) => {
    const [, line = '', item = ''] = /^([^:]+):(.+)$/s.exec(each) ?? []
    const wanted = readItem(item)
    if (item.trim() === '' || wanted.quantity !== 1 || wanted.notes !== undefined)
      throw new AppError(
        'usage',
        `${sanitizeForTerminal(each)}: write LINE[=UNITS]:ITEM, such as 1=1:Ciabatta.`,
      )
    const [units = { line_id: '' }] = readUnits([line.trim()], order)
    const { item_id = '', modifiers = [] } = resolveQuoteItems(menu, [wanted])[0] ?? {}
    return { ...units, replacement: { item_id, ...(modifiers.length > 0 && { modifiers }) } }
  })
  return { lines, items: resolveReplacements(listed, lines) }
}

export type ProblemAnswerArgs = OrderTarget & {
  problem: string | undefined
  typed: readonly string[] | undefined
}

/** Answers a problem of an order: the named one, or the only one that is open. Gives the exit code. */
export async function runProblemAnswer(cli: CommandContext, asked: ProblemAnswerArgs): Promise<number> {
  const orderId = await orderOf(cli, asked)
  const { problem: problemId, typed, body } = asked
  return changeOrder(cli, {
    said: ['answer', orderId, problemId, typed, body],
    done: 'Answered the problem of order {display_number}.',
    prepare: async () => {
      const order = await loadOrder(await cli.client(), orderId)
      const problem = findProblem(order, problemId)
      const asksLine = typed === undefined && body['accept'] === 'part'
      const named = asksLine ? [await askLine(cli, order, '--line')] : typed
      const lines = named && readUnits(named, order)
      const input = { order_id: orderId, problem_id: problem.problem_id, ...body, ...(lines && { lines }) }
      if (body['accept'] === 'none') return { operation: 'answer_order_problem', input }
      const words = describeAnswer(order, problem, lines)
      const what = problem.lines.length === 0 ? 'the delivery fee' : partsOf(words)
      await confirmRefund(cli, order, `Refund ${what}`, words.money)
      return { operation: 'answer_order_problem', input, note: words.money }
    },
  })
}

type Problem = BusinessOrderOutput['problems'][number]

function findProblem({ problems, display_number }: BusinessOrderOutput, named: string | undefined): Problem {
  const open = problems.filter(({ status }) => status === 'open')
  const [found, second] =
    named === undefined ? open : problems.filter(({ problem_id }) => problem_id === named)
  if (found !== undefined && second === undefined) return found
  const ids = open
    .map(({ problem_id, reason_code }) => `${problem_id} (${humanizeName(reason_code)})`)
    .join(', ')
  throw new AppError(
    found === undefined ? 'problem_not_found' : 'usage',
    found === undefined
      ? `Order ${display_number} has no ${named === undefined ? 'open problem' : `problem ${sanitizeForTerminal(named)}`}.`
      : `Order ${display_number} has several open problems; name one of them: ${ids}.`,
  )
}

function partsOf({ parts }: AdjustmentWords): string {
  return parts.map(({ taken, name }) => `${taken} ${sanitizeForTerminal(name)}`).join(', ')
}

/** The order's number is typed, as before a rejection. */
async function confirmRefund(
  cli: CommandContext,
  order: BusinessOrderOutput,
  what: string,
  money: string,
): Promise<void> {
  if (cli.globals.dryRun) return
  const { display_number: number, order_id } = order
  await confirmName(cli, number, `${what} of order ${number}? ${money}`, [order_id])
}

async function orderOf(cli: CommandContext, { order, merchant }: OrderTarget): Promise<string> {
  return resolveStoreOrder(cli, order ?? (await chooseOrder(cli, '<order>')), merchant)
}
