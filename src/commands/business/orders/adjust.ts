/** Takes lines off an order, or refunds a part of it, after a person has seen how much goes back. */
import { type AdjustmentWords, describeAdjustment } from '../../../areas/orders/rules/adjust-words.ts'
import {
  ADJUSTMENT_REASONS,
  type AdjustmentKind,
  type LineRequest,
} from '../../../areas/orders/rules/adjust.ts'
import {
  findAnswered,
  findOpenCall,
  makeCall,
  openCall,
  rememberAnswered,
} from '../../../cli/calls/call-once.ts'
import type { Cli } from '../../../cli/cli.ts'
import { confirmName } from '../../../cli/confirm.ts'
import { hintsOf } from '../../../cli/hints-of.ts'
import { clean } from '../../../cli/output/text.ts'
import { printResult } from '../../../cli/print.ts'
import { missingInput } from '../../../cli/prompts.ts'
import { AppError, EXIT } from '../../../core/errors.ts'
import { parseMoney } from '../../../core/money.ts'
import type { OpenCall } from '../../../journal/intents.ts'
import { pickOne } from '../../items.ts'
import { loadOrder } from './active.ts'
import { chooseOrder } from './choose.ts'
import { findOrder } from './find.ts'
import type { Order } from './order.ts'
import { word } from './words.ts'

export type Adjusting = {
  order: string | undefined
  merchant: string | undefined
  kind: AdjustmentKind
  typed: readonly string[]
  body: Readonly<Record<string, unknown>>
}

const OPERATION = 'adjust_business_order'
const QUESTION = { removed: 'Take off', replaced: 'Replace', refunded: 'Refund' }

/** Gives the exit code. Throws AppError('usage' | 'not_confirmed'), and what the service refuses. */
export async function adjustOrder(cli: Cli, asked: Adjusting): Promise<number> {
  const word = asked.order ?? (await chooseOrder(cli, '<order>'))
  const orderId = await findOrder(cli, word, asked.merchant)
  const { kind, typed, body } = asked
  // The same words again mean the same adjustment, although another amount would go back by now.
  const said = ['adjust', orderId, kind, typed, body]
  const { dryRun } = cli.globals
  const sent = dryRun ? undefined : ((await findOpenCall(cli, said)) ?? (await findAnswered(cli, said)))
  if (sent !== undefined) return send(cli, said, sent)
  const order = await loadOrder(await cli.client(), orderId)
  const words = describeAdjustment(
    order,
    typed.map((each) => readLine(each, order)),
  )
  const call = { operation: OPERATION, input: await toInput(cli, asked, order, words) }
  if (dryRun) {
    await printResult(cli, call, { columns: [] })
    await cli.say(`${words.money} Dry run: nothing was sent.`)
    return EXIT.ok
  }
  const { display_number: number } = order
  const what = words.parts.map(({ taken, name }) => `${taken} ${clean(name)}`).join(', ')
  const question = `${QUESTION[kind]} ${what} of order ${number}? ${words.money}`
  await confirmName(cli, number, question, [orderId])
  return send(cli, said, await openCall(cli, said, call))
}

async function send(cli: Cli, said: unknown, open: OpenCall): Promise<number> {
  const { columns } = await hintsOf(OPERATION)
  return makeCall(cli, open, async ({ value, replayed }) => {
    rememberAnswered(cli, said, open)
    await printResult(cli, value, { columns, done: 'Adjusted order {display_number}.', replayed })
    return EXIT.ok
  })
}

async function toInput(
  cli: Cli,
  { kind, body }: Adjusting,
  { order_id }: Order,
  { lines, amount }: AdjustmentWords,
): Promise<Record<string, unknown>> {
  return { order_id, kind, lines, ...(await withReason(cli, body)), expected_amount: amount }
}

/** Parses `2`, `Focaccia=1` or `1=2.00`. Throws AppError('usage') for a line that the order does not have. */
function readLine(typed: string, { lines, total }: Order): LineRequest {
  const [, name = typed, value] = /^(.*?)\s*=\s*([^=]*)$/s.exec(typed) ?? []
  const byNumber = /^\d{1,3}$/.test(name.trim()) ? lines[Number(name) - 1] : undefined
  const found = pickOne(lines, name, ({ line_id }) => line_id)
  const line = byNumber ?? ('one' in found ? found.one : undefined)
  if (line === undefined) {
    const all = lines.map((each, at) => `${at + 1} ${clean(each.name)}`).join(', ')
    throw new AppError(
      'usage',
      `${JSON.stringify(clean(name.slice(0, 60)))} is no line of the order: ${all}.`,
    )
  }
  if (value === undefined) return { line_id: line.line_id }
  if (/^[1-9]\d{0,2}$/.test(value)) return { line_id: line.line_id, quantity: Number(value) }
  const amount = parseMoney(value, total.currency)
  if ('problem' in amount || amount.amount === 0)
    throw new AppError('usage', `${clean(typed)}: after = give units such as 1, or an amount such as 2.00.`)
  return { line_id: line.line_id, amount }
}

/** Asks a person for the reason. Throws AppError('usage') for a script without one. */
async function withReason(cli: Cli, body: Adjusting['body']): Promise<Adjusting['body']> {
  if (body['reason_code'] !== undefined) return body
  const ask = await cli.ask()
  const description = `must be the reason for the customer: ${ADJUSTMENT_REASONS.join(', ')}`
  if (ask === undefined) throw missingInput(cli.argv, [{ flag: '--reason', value: 'REASON', description }])
  const reason = await ask.select({
    message: 'Reason, shown to the customer?',
    choices: ADJUSTMENT_REASONS.map((value) => ({ value, name: word(value) })),
  })
  cli.answered.push({ flag: '--reason', value: reason })
  return { ...body, reason_code: reason }
}
