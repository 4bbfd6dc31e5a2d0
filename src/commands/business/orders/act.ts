/** The actions of a store on one order or several: a result for each, in the order given. */
import { ORDER_VERB_TEXTS, type OrderVerb } from '../../../areas/orders/rules/stages.ts'
import { isOrderOver, ORDER_REJECT_REASONS } from '../../../areas/orders/states.ts'
import {
  type SendResult,
  countOutcomes,
  exitOfSeveral,
  type SendOutcome,
  sendEach,
} from '../../../cli/calls/send-each.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { confirmName, assertProfileConfirmed, namesGiven } from '../../../cli/confirm.ts'
import { loadOperationHints } from '../../../cli/hints-of.ts'
import { InterruptedError } from '../../../cli/io.ts'
import { printResult, printSummary } from '../../../cli/print.ts'
import { notConfirmedError, missingInputError } from '../../../cli/prompts.ts'
import type { WaitResult } from '../../../cli/track/wait.ts'
import { AppError, EXIT, toProblem } from '../../../core/errors.ts'
import type { Problem } from '../../../core/errors.ts'
import { loadOrder } from './active.ts'
import { resolveOrders } from './find.ts'
import type { NamedOrder } from './find.ts'
import { withItemIds } from './items.ts'
import type { BusinessOrderOutput } from './order.ts'
import { sendOrderAction } from './send.ts'
import {
  formatOrderCharge,
  formatOrderItems,
  formatOrderPayment,
  formatOrderRefund,
  humanizeName,
} from './words.ts'

/** The message after an action, with `{field}` filled from the order. */
export type SuccessMessage = { done: string; next?: string }

export type BulkOrderAction = {
  verb: OrderVerb
  words: readonly string[]
  merchantId: string | undefined
  body: Readonly<Record<string, unknown>>
  telling: SuccessMessage
}

/** Gives the exit code: that of the one failure, or 9 when some of several were done. Throws AppError for a single order. */
export async function runBulkOrderAction(cli: CommandContext, told: BulkOrderAction): Promise<number> {
  const named = await resolveOrders(cli, told.words, { merchantId: told.merchantId, activeOnly: true })
  const [only] = named
  const body = await withReason(cli, told, named)
  const deeds = { ...told, body: await withItemIds(cli, body, named) }
  if (cli.globals.dryRun) return printBulkDryRun(cli, deeds, named)
  await confirmBulkOrderAction(cli, deeds, named)
  if (named.length === 1 && only !== undefined) return actOnOne(cli, deeds, only)
  const acted = await sendEach<NamedOrder, BusinessOrderOutput>(cli, named, {
    noun: 'order',
    idOf: ({ orderId }) => orderId,
    send: (own, { orderId, word: name }) =>
      sendOrderAction(
        own,
        { verb: deeds.verb, orderId, word: name, body: deeds.body },
        async (answer) => answer,
      ),
  })
  const waited = await waitForDone(cli, deeds, acted)
  const code = await report(cli, deeds, endsOf(acted, waited))
  if (waited?.interrupted !== undefined) throw waited.interrupted
  return code === EXIT.ok ? (waited?.code ?? EXIT.ok) : code
}

/**
 * A person who rejects is asked why, because the customer sees it. Throws AppError('usage') for a script that confirms
 * without a reason.
 */
async function withReason(
  cli: CommandContext,
  { verb, body }: BulkOrderAction,
  named: readonly NamedOrder[],
): Promise<BulkOrderAction['body']> {
  const isComplete = body['reason_code'] !== undefined || cli.globals.dryRun
  if (verb !== 'reject' || isComplete || !named.some(isSendable)) return body
  const ask = await cli.ask()
  if (ask === undefined) {
    if (namesGiven(cli).length === 0) return body
    throw missingInputError(cli.argv, [REJECT_REASON])
  }
  const reason = await ask.select({
    message: 'Reason, shown to the customer?',
    choices: ORDER_REJECT_REASONS.map((value) => ({ value, name: humanizeName(value) })),
  })
  cli.answered.push({ flag: '--reason', value: reason })
  return { ...body, reason_code: reason }
}

/** Returns whether the service may do it: an order that is known to be over needs no question before it is rejected. */
function isSendable({ problem, order }: NamedOrder): boolean {
  return problem === undefined && !(order !== undefined && isOrderOver(order.status))
}

const REASONS = `must be the reason for the customer: ${ORDER_REJECT_REASONS.join(', ')}`

/** The reason of a rejection as a value that may be missing. */
export const REJECT_REASON = { flag: '--reason', value: 'REASON', description: REASONS }

async function printBulkDryRun(
  cli: CommandContext,
  { verb, body }: BulkOrderAction,
  named: readonly NamedOrder[],
): Promise<number> {
  const { operation } = ORDER_VERB_TEXTS[verb]
  const calls = named.map(({ orderId, problem }) => {
    if (problem !== undefined) throw problem
    return { operation, input: { order_id: orderId, ...body } }
  })
  const [only, second] = calls
  const columns = Object.keys({ order_id: '', ...body }).map((name) => ({ field: `input.${name}` }))
  await printResult(
    cli,
    second === undefined ? only : { data: calls, has_more: false, next_cursor: null },
    second === undefined ? {} : { columns: [{ field: 'operation' }, ...columns], list: true },
  )
  await cli.say('Dry run: nothing was sent.')
  return EXIT.ok
}

/** A rejection is typed: the order as it was named, or of several their count. */
async function confirmBulkOrderAction(
  cli: CommandContext,
  { verb, body }: BulkOrderAction,
  named: readonly NamedOrder[],
): Promise<void> {
  if (verb !== 'reject') return assertProfileConfirmed(cli)
  const [only] = named.filter(isSendable)
  if (only === undefined) return
  const isNamed = namesGiven(cli).length > 0
  const unasked = !isNamed && (await cli.ask()) === undefined
  if (unasked && body['reason_code'] === undefined) throw cannotReject(cli, named, only)
  if (named.length > 1) {
    const list = named.map(({ word: name }) => name).join(', ')
    return confirmName(
      cli,
      String(named.length),
      `Reject ${named.length} orders: ${list}. The customers will be refunded.`,
    )
  }
  if (isNamed || unasked) return confirmName(cli, only.word, undefined, [only.orderId])
  const about = ` ${describe(only.order ?? (await loadOrder(await cli.client(), only.orderId)))}`
  return confirmName(cli, only.word, `Reject order ${only.word}.${about}`, [only.orderId])
}

/** A script that confirms without a reason would leave the customer without one, so both are named at once. */
function cannotReject({ argv }: CommandContext, named: readonly NamedOrder[], only: NamedOrder): AppError {
  const several = named.length > 1
  const refused = notConfirmedError(argv, {
    question: `Reject ${several ? `${named.length} orders` : `order ${only.word}`}: payments will be refunded.`,
    flags: [{ flag: '--confirm', value: several ? String(named.length) : only.word }],
  })
  return new AppError('not_confirmed', refused.message, {
    hint: `--reason ${REASONS}. ${refused.hint}`,
  })
}

function describe(order: BusinessOrderOutput): string {
  return `${formatOrderItems(order)}; ${formatOrderCharge(order)} (${formatOrderPayment(order)}).${formatOrderRefund(order)}`
}

async function actOnOne(
  cli: CommandContext,
  { verb, body, telling }: BulkOrderAction,
  named: NamedOrder,
): Promise<number> {
  if (named.problem !== undefined) throw named.problem
  return sendOrderAction(
    cli,
    { verb, orderId: named.orderId, word: named.word, body },
    async (order, answer) => {
      const { columns } = await loadOperationHints(ORDER_VERB_TEXTS[verb].operation)
      if (!cli.globals.wait) {
        await printResult(cli, order, { columns, ...telling, replayed: answer.replayed })
        return EXIT.ok
      }
      const { waitAndPrint } = await import('../../../cli/track/wait.ts')
      await printSummary(cli, order, telling.done)
      return waitAndPrint(cli, ORDER_VERB_TEXTS[verb].operation, answer, (end) =>
        printResult(cli, end, { columns }),
      )
    },
  )
}

type Outcome = SendOutcome<NamedOrder, BusinessOrderOutput>
type OrderActionResults = SendResult<NamedOrder, BusinessOrderOutput>

/** `--wait`: the orders to which it was done are followed to their ends. */
async function waitForDone(
  cli: CommandContext,
  { verb }: BulkOrderAction,
  { outcomes, stopped }: OrderActionResults,
): Promise<WaitResult | undefined> {
  const ids = outcomes.flatMap(({ value }) => (value === undefined ? [] : [value.order_id]))
  if (!cli.globals.wait || stopped !== undefined || ids.length === 0) return undefined
  return (await import('../../../cli/track/wait.ts')).waitForEnd(cli, ORDER_VERB_TEXTS[verb].operation, ids)
}

/** The outcomes with their orders as they are after the waiting. */
function endsOf(acted: OrderActionResults, waited: WaitResult | undefined): OrderActionResults {
  const outcomes = acted.outcomes.map((outcome) => {
    const end = waited?.values.get(outcome.named.orderId)
    return end === undefined || outcome.value === undefined
      ? outcome
      : { ...outcome, value: end as BusinessOrderOutput }
  })
  return { ...acted, outcomes }
}

type Row = {
  order_id: string | null
  display_number: string | null
  result: Outcome['result']
  status: string | null
  order: BusinessOrderOutput | null
  problem: (Problem & { exit_code: number }) | null
}

function toRow({ named, result, value: order = named.order, error }: Outcome): Row {
  const current = error?.extra['current_status']
  return {
    order_id: named.orderId === '' ? null : named.orderId,
    display_number: order?.display_number ?? (named.problem === undefined ? null : named.word),
    result,
    status: typeof current === 'string' ? current : (order?.status ?? null),
    order: result === 'done' ? (order ?? null) : null,
    problem: error === undefined ? null : { ...toProblem(error), exit_code: error.exitCode },
  }
}

/** The fields of the answer about several orders, a row for each. */
export const SEVERAL_FIELDS = {
  fields: [
    'order_id',
    'display_number',
    'result',
    'status',
    'problem.code',
    'problem.exit_code',
    'problem.*',
  ],
  within: { order: 'accept_business_order' },
}

const SEVERAL = [
  { field: 'display_number', label: 'Order' },
  { field: 'order_id', label: 'ID' },
  { field: 'result' },
  { field: 'status' },
  { field: 'problem.code', label: 'Reason' },
]

async function report(
  cli: CommandContext,
  { verb }: BulkOrderAction,
  { outcomes, stopped }: OrderActionResults,
): Promise<number> {
  const counts = countOutcomes(outcomes)
  const rows = outcomes.map(toRow)
  await printResult(
    cli,
    { counts, data: rows, has_more: false, next_cursor: null },
    { columns: SEVERAL, list: true },
  )
  if (cli.settings.format === 'table') await cli.say(sentencesOf(verb, outcomes, counts))
  if (stopped instanceof InterruptedError) throw stopped
  return exitOfSeveral(outcomes, stopped)
}

function sentencesOf(
  verb: OrderVerb,
  outcomes: readonly Outcome[],
  counts: { done: number; failed: number; not_sent: number },
): string {
  const parts = [
    `${counts.done} ${humanizeName(ORDER_VERB_TEXTS[verb].to)}`,
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(counts.not_sent > 0 ? [`${counts.not_sent} not sent`] : []),
  ]
  const why = outcomes.flatMap(({ named, error }) =>
    error === undefined ? [] : [`  ${named.order?.display_number ?? named.word}: ${error.message}`],
  )
  return [`${parts.join(', ')}.`, ...why].join('\n')
}
