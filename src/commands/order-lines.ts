/** Lines of an order as people name them, and a change of an order that is sent once however often it is typed. */
import { ADJUSTMENT_REASONS, type LineRequest } from '../areas/orders/rules/adjust.ts'
import {
  type Call,
  findAnswered,
  findOpenCall,
  makeCall,
  openCall,
  rememberAnswered,
} from '../cli/calls/call-once.ts'
import type { Cli } from '../cli/cli.ts'
import { hintsOf } from '../cli/hints-of.ts'
import { clean } from '../cli/output/text.ts'
import { printResult } from '../cli/print.ts'
import { missingInput } from '../cli/prompts.ts'
import { AppError, EXIT } from '../core/errors.ts'
import { type Money, parseMoney } from '../core/money.ts'
import type { OpenCall } from '../journal/intents.ts'
import { pickOne } from './items.ts'

type Lined = { lines: readonly { line_id: string; name: string }[]; total: Money }

/** Parses `2`, `Focaccia=1` or `1=2.00`. Throws AppError('usage') for a line that the order does not have. */
export function readLine(typed: string, { lines, total }: Lined): LineRequest {
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

/** Parses lines with units only. Throws AppError('usage'). */
export function readUnits(typed: readonly string[], order: Lined): Omit<LineRequest, 'amount'>[] {
  return typed.map((each) => {
    const { amount, ...line } = readLine(each, order)
    if (amount === undefined) return line
    throw new AppError('usage', `${clean(each)}: after = give units such as 1.`)
  })
}

type Body = Readonly<Record<string, unknown>>

/** Asks a person for the reason. Throws AppError('usage') for a script without one. */
export async function withReason(cli: Cli, body: Body): Promise<Body> {
  if (body['reason_code'] !== undefined) return body
  const ask = await cli.ask()
  const description = `must be the reason: ${ADJUSTMENT_REASONS.join(', ')}`
  if (ask === undefined) throw missingInput(cli.argv, [{ flag: '--reason', value: 'REASON', description }])
  const reason = await ask.select({
    message: 'Reason?',
    choices: ADJUSTMENT_REASONS.map((value) => ({ value, name: value.replaceAll('_', ' ') })),
  })
  cli.answered.push({ flag: '--reason', value: reason })
  return { ...body, reason_code: reason }
}

type Change = {
  /** The words of the user, by which the same change is known again. */
  said: unknown
  /** The words once it is done, by the changed order where they differ. */
  done: string | ((order: unknown) => string)
  /** Makes the call, after what has to be asked; `note` says what it does to the money. */
  prepare(): Promise<Call & { note?: string }>
}

/** Sends a change of an order, or repeats one that got no response. Gives the exit code. */
export async function changeOrder(cli: Cli, { said, done, prepare }: Change): Promise<number> {
  const { dryRun } = cli.globals
  const sent = dryRun ? undefined : ((await findOpenCall(cli, said)) ?? (await findAnswered(cli, said)))
  if (sent !== undefined) return send(cli, said, sent, done)
  const { note = '', ...call } = await prepare()
  if (!dryRun) return send(cli, said, await openCall(cli, said, call), done)
  await printResult(cli, call, { columns: [] })
  await cli.say(`${note} Dry run: nothing was sent.`.trimStart())
  return EXIT.ok
}

async function send(cli: Cli, said: unknown, open: OpenCall, done: Change['done']): Promise<number> {
  const { columns } = await hintsOf(open.intent.operation)
  return makeCall(cli, open, async ({ value, replayed }) => {
    rememberAnswered(cli, said, open)
    const words = typeof done === 'string' ? done : done(value)
    await printResult(cli, value, { columns, done: words, replayed })
    return EXIT.ok
  })
}
