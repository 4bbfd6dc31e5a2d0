/** Lines of an order as people name them, and a change of an order that is sent once however often it is typed. */
import {
  ADJUSTMENT_REASONS,
  type LineAdjustmentRequest,
  countUnitsLeftByLine,
} from '../areas/orders/rules/adjust.ts'
import { askValues, type WantedValue } from '../cli/ask-values.ts'
import {
  type IdempotentCall,
  findAnswered,
  findOpenCall,
  makeCall,
  recordNewCall,
  rememberAnswered,
} from '../cli/calls/call-once.ts'
import type { CommandContext } from '../cli/cli.ts'
import { loadOperationHints } from '../cli/hints-of.ts'
import { sanitizeForTerminal } from '../cli/output/text.ts'
import { printResult } from '../cli/print.ts'
import type { MissingInput } from '../cli/prompts.ts'
import { requirePrompts } from '../cli/questions.ts'
import { AppError, EXIT } from '../core/errors.ts'
import { parseMoney } from '../core/money.ts'
import type { ClaimedCall } from '../local-state/pending-calls.ts'
import { matchByName } from './items.ts'

type OrderWithLines = Parameters<typeof countUnitsLeftByLine>[0]

/** Parses `2`, `Focaccia=1`, `1=2.00`, or `1.1` for the first replacement of line 1. Throws AppError('usage') for another line. */
export function parseLineRequest(typed: string, order: OrderWithLines): LineAdjustmentRequest {
  const [, name = typed, value] = /^(.*?)\s*=\s*([^=]*)$/s.exec(typed) ?? []
  const line = findOrderLine(countUnitsLeftByLine(order), name.trim())
  if (value === undefined) return { line_id: line.line_id }
  if (/^[1-9]\d{0,2}$/.test(value)) return { line_id: line.line_id, quantity: Number(value) }
  const amount = parseMoney(value, order.total.currency)
  if ('problem' in amount || amount.amount === 0)
    throw new AppError(
      'usage',
      `${sanitizeForTerminal(typed)}: after = give units such as 1, or an amount such as 2.00.`,
    )
  return { line_id: line.line_id, amount }
}

type Line = Pick<ReturnType<typeof countUnitsLeftByLine>[number], 'line_id' | 'name'>

/** Finds a line by its number, its id or its item. Throws AppError('usage') with all numbers. */
export function findOrderLine(lines: readonly Line[], name: string): Line {
  const byNumber = lines.find(({ line_id }) => numberOf(line_id) === name)
  const found =
    byNumber === undefined ? matchByName(lines, name, ({ line_id }) => line_id) : { one: byNumber }
  if ('one' in found) return found.one
  const listed = (some: readonly Line[]): string =>
    some.map((line) => `${numberOf(line.line_id)} ${sanitizeForTerminal(line.name)}`).join(', ')
  const typed = JSON.stringify(sanitizeForTerminal(name.slice(0, 60)))
  throw new AppError(
    'usage',
    found.several.length > 0
      ? `${typed} may be several lines; use a number: ${listed(found.several)}.`
      : `${typed} is no line of the order: ${listed(lines)}.`,
  )
}

/** Parses lines with units only. Throws AppError('usage'). */
export function readUnits(
  typed: readonly string[],
  order: OrderWithLines,
): Omit<LineAdjustmentRequest, 'amount'>[] {
  return typed.map((each) => {
    const { amount, ...line } = parseLineRequest(each, order)
    if (amount === undefined) return line
    throw new AppError('usage', `${sanitizeForTerminal(each)}: after = give units such as 1.`)
  })
}

type Body = Readonly<Record<string, unknown>>

/** The reason as a value that may be missing. */
export const REASON = {
  key: 'reason_code',
  flag: '--reason',
  value: ADJUSTMENT_REASONS[0],
  description: `must be the reason: ${ADJUSTMENT_REASONS.join(', ')}`,
  message: 'Reason?',
  choices: ADJUSTMENT_REASONS.map((value) => ({ value, name: value.replaceAll('_', ' ') })),
} satisfies WantedValue<'reason_code'>

/** The order of a store as a value that may be missing. */
export const MISSING_ORDER_INPUT: MissingInput = {
  flag: 'ORDER',
  value: 'ORDER',
  description: 'order ID or number',
}

/** A line of an order as a value that may be missing. */
export const makeMissingLineInput = (flag: string): MissingInput => ({
  flag,
  value: '1',
  description: 'line of the order, by its number or item',
})

/** Asks a person for the reason. Throws AppError('usage') for a script without one. */
export async function withReason(cli: CommandContext, body: Body): Promise<Body> {
  if (body['reason_code'] !== undefined) return body
  return { ...body, ...(await askValues(cli, [REASON])) }
}

/**
 * Asks a person for a line of an order, and returns its number. `flag` has it in the equivalent command; without one the caller says
 * it there.
 */
export async function askLine(
  cli: CommandContext,
  order: OrderWithLines,
  flag: string | undefined,
): Promise<string> {
  const ask = await requirePrompts(cli)
  const choices = countUnitsLeftByLine(order)
    .filter(({ left }) => left > 0)
    .map(({ line_id, name, left }) => ({
      value: numberOf(line_id),
      name: `${left} × ${sanitizeForTerminal(name)}`,
    }))
  if (choices.length === 0) throw new AppError('usage', 'No line of the order is left.')
  const line = await ask.select({ message: 'Line?', choices })
  if (flag !== undefined) cli.answered.push({ flag, value: line })
  return line
}

function numberOf(lineId: string): string {
  return lineId.replace(/^line_/, '')
}

type Change = {
  /** The words of the user, by which the same change is known again. */
  said: unknown
  /** The words once it is done, by the changed order where they differ. */
  done: string | ((order: unknown) => string)
  /** Makes the call, after what has to be asked; `note` says what it does to the money. */
  prepare(): Promise<IdempotentCall & { note?: string }>
}

/** Sends a change of an order, or repeats one that got no response. Gives the exit code. */
export async function changeOrder(cli: CommandContext, { said, done, prepare }: Change): Promise<number> {
  const { dryRun } = cli.globals
  const sent = dryRun ? undefined : ((await findOpenCall(cli, said)) ?? (await findAnswered(cli, said)))
  if (sent !== undefined) return send(cli, said, sent, done)
  const { note = '', ...call } = await prepare()
  if (!dryRun) return send(cli, said, await recordNewCall(cli, said, call), done)
  await printResult(cli, call, { columns: [] })
  await cli.say(`${note} Dry run: nothing was sent.`.trimStart())
  return EXIT.ok
}

async function send(
  cli: CommandContext,
  said: unknown,
  open: ClaimedCall,
  done: Change['done'],
): Promise<number> {
  const { columns } = await loadOperationHints(open.intent.operation)
  return makeCall(cli, open, async ({ value, replayed }) => {
    rememberAnswered(cli, said, open)
    const words = typeof done === 'string' ? done : done(value)
    await printResult(cli, value, { columns, done: words, replayed })
    return EXIT.ok
  })
}
