/** The orders of a store as a stream: what is there, then one line for each change. For pipes, files and screen readers. */
import { findKitchenAlert } from '../../../areas/orders/rules/kitchen-lines.ts'
import { formatLossReason } from '../../../areas/orders/rules/losses.ts'
import {
  formatRemainingTime,
  listNewOrders,
  notesOf,
  computeMsLeftToAccept,
  URGENT_MS,
} from '../../../areas/orders/rules/waiting.ts'
import { summarizeOpenProblems, formatOrderProblem } from '../../../areas/orders/rules/wrong-words.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { cellText } from '../../../cli/output/cell.ts'
import { toJson } from '../../../cli/output/json.ts'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import { printResult } from '../../../cli/print.ts'
import { POLL_MS } from '../../../cli/track/poll.ts'
import type { Client } from '../../../client/client.ts'
import { EXIT } from '../../../core/errors.ts'
import { formatGroupedMoney } from '../../../core/money.ts'
import { toTimestamp } from '../../../core/time.ts'
import { loadActiveOrders, listOpenProblemOrders, loadOrder } from './active.ts'
import type { ActiveOrders } from './active.ts'
import type { BusinessOrderOutput } from './order.ts'
import { openLines } from './typed.ts'
import {
  formatOrderCharge,
  formatOrderFulfillment,
  formatOrderItems,
  formatOrderPayment,
  formatCountdown,
  humanizeName,
} from './words.ts'

/**
 * Until `--timeout` (exit 0) or a signal; on a clock that stands still, without `--timeout`, at once (exit 8). With
 * `typed`, lines act on the orders until `quit`, whatever the clock does.
 */
export async function followOrders(
  cli: CommandContext,
  merchantId: string | undefined,
  { typed = false }: { typed?: boolean } = {},
): Promise<number> {
  const client = await cli.client()
  const { runtime, settings } = cli
  const signal = runtime.interruption()
  const { timeoutMs = Infinity } = settings
  const ends = runtime.elapsed() + timeoutMs
  const known = new Map<string, BusinessOrderOutput>()
  const reminded = new Set<string>()
  const lines = typed ? openLines(cli, merchantId) : undefined
  const tellProblems = problemTeller(cli, client, { merchantId, signal, typed })
  try {
    let active = await loadActiveOrders(client, { merchantId })
    await printOrderChanges(cli, active.now, changesOf(known, active))
    await remind(cli, active, reminded)
    await lines?.begin()
    await tellProblems()
    const mayGoOn = (): boolean => lines?.open() ?? !standsStill(cli, active)
    while (!signal.aborted && runtime.elapsed() < ends && mayGoOn()) {
      await runtime.sleep(POLL_MS, napOf(lines, signal))
      if (signal.aborted) break
      await lines?.act()
      active = await loadActiveOrders(client, { merchantId })
      const hasNew = active.orders.some(({ order_id }) => !known.has(order_id))
      const changes = [...changesOf(known, active), ...(await endsOf(client, known, active))]
      await ringFor(cli, hasNew || changes.some(({ status }) => status === 'placed'))
      await printOrderChanges(cli, active.now, changes)
      await remind(cli, active, reminded)
      await tellProblems()
    }
    await finish(cli, active)
    signal.throwIfAborted()
    return lines === undefined && standsStill(cli, active) ? printClockFrozen(cli, active) : EXIT.ok
  } finally {
    lines?.close()
  }
}

/** Ends a pause early: a signal, or a line that was typed. */
function napOf(lines: ReturnType<typeof openLines> | undefined, signal: AbortSignal): AbortSignal {
  return lines?.nap(signal) ?? signal
}

/** A new order rings, also one that was accepted automatically. */
async function ringFor({ io }: CommandContext, isNews: boolean): Promise<void> {
  if (io.stdout.isTTY && isNews) await io.stdout.write('\x07')
}

/** Others may still act on a frozen clock, but a script would wait for ever: only `--timeout` makes it wait. */
function standsStill({ settings }: CommandContext, { frozen }: ActiveOrders): boolean {
  return frozen && settings.timeoutMs === undefined
}

/** Orders that are new or otherwise than before, oldest first; they are known from then on. */
function changesOf(known: Map<string, BusinessOrderOutput>, { orders }: ActiveOrders): BusinessOrderOutput[] {
  const changed = orders.filter((order) => {
    const before = known.get(order.order_id)
    return before === undefined || factsOfLine(before) !== factsOfLine(order)
  })
  for (const order of changed) known.set(order.order_id, order)
  return changed.toReversed()
}

/** Returns what a line of the board says of an order: where it changes, the line is printed again. */
function factsOfLine(order: BusinessOrderOutput): string {
  const { status, payment } = order
  return [status, payment.status, formatOrderItems(order), formatOrderCharge(order)].join('\n')
}

/** Orders that are over now, as they ended. */
async function endsOf(
  client: Client,
  known: Map<string, BusinessOrderOutput>,
  { orders }: ActiveOrders,
): Promise<BusinessOrderOutput[]> {
  const still = new Set(orders.map(({ order_id }) => order_id))
  const over: BusinessOrderOutput[] = []
  for (const id of known.keys()) {
    if (still.has(id)) continue
    known.delete(id)
    over.push(await loadOrder(client, id))
  }
  return over
}

async function printOrderChanges(
  cli: CommandContext,
  now: number,
  changes: readonly BusinessOrderOutput[],
): Promise<void> {
  const { format } = cli.settings
  for (const order of changes) {
    if (format === 'ndjson') await cli.io.stdout.write(`${toJson(order)}\n`)
    if (format === 'table') await cli.io.stdout.write(`${changeLine(cli, order, now)}\n`)
  }
}

function changeLine({ io }: CommandContext, order: BusinessOrderOutput, now: number): string {
  const renderOptions = { tty: io.stdout.isTTY, width: 80, colour: false }
  return [
    cellText(toTimestamp(now), '', renderOptions),
    sanitizeForTerminal(order.display_number),
    sanitizeForTerminal(order.order_id),
    renderOptions.tty ? humanizeName(order.status) : order.status,
    formatOrderFulfillment(order),
    formatOrderItems(order),
    formatOrderCharge(order),
    formatOrderPayment(order),
    ...(renderOptions.tty ? alertWords(order, now) : []),
  ].join(renderOptions.tty ? '  ' : '\t')
}

/** Says once, to a person, of each new order that it is about to be rejected by itself: the one that ends first, first. */
async function remind(
  cli: CommandContext,
  { orders, now }: ActiveOrders,
  reminded: Set<string>,
): Promise<void> {
  if (cli.settings.format !== 'table' || !cli.io.stdout.isTTY) return
  for (const order of listNewOrders(orders)) {
    const left = computeMsLeftToAccept(order, now) ?? Infinity
    if (left > URGENT_MS || reminded.has(order.order_id)) continue
    reminded.add(order.order_id)
    const number = sanitizeForTerminal(order.display_number)
    await cli.io.stdout.write(
      `\x07URGENT: ${number} will be rejected automatically in ${formatRemainingTime(left)}.\n`,
    )
  }
}

/** Says to a person who types, once of each, which problems wait for an answer. */
function problemTeller(
  cli: CommandContext,
  client: Client,
  { typed, ...options }: { merchantId: string | undefined; signal: AbortSignal; typed: boolean },
): () => Promise<void> {
  const told = new Set<string>()
  return async () => {
    if (!typed) return
    for (const { order, problem } of summarizeOpenProblems(await listOpenProblemOrders(client, options))
      ?.open ?? []) {
      if (told.has(problem.problem_id)) continue
      told.add(problem.problem_id)
      const what = sanitizeForTerminal(`${order.display_number}, ${formatOrderProblem(order, problem)}`)
      await cli.say(
        `PROBLEM: ${what}, ${formatGroupedMoney(problem.amount)}: \`dray business orders answer ${sanitizeForTerminal(order.display_number)}\``,
      )
    }
  }
}

/** Returns urgent facts: notes in their own words, and the time left to accept. */
function alertWords(order: BusinessOrderOutput, now: number): string[] {
  const alert = findKitchenAlert(order)
  const notes = notesOf(order).map(({ text }) => `"${sanitizeForTerminal(text)}"`)
  const left = computeMsLeftToAccept(order, now)
  const loss = formatLossReason(order)
  return [
    ...(loss === undefined ? [] : [`LOST: ${loss}`]),
    ...(alert === undefined ? [] : [`${alert}: ${notes.join(', ')}`]),
    ...(order.status === 'accepted' && order.auto_accepted ? ['accepted automatically'] : []),
    ...(left === undefined ? [] : [`rejected automatically in ${formatCountdown(Math.max(0, left))}`]),
  ]
}

/** The one document of a form that is no stream. */
async function finish(cli: CommandContext, { orders }: ActiveOrders): Promise<void> {
  const { format } = cli.settings
  if (format === 'ndjson' || format === 'table') return
  await printResult(cli, { data: orders, has_more: false, next_cursor: null }, { list: true })
}

async function printClockFrozen(cli: CommandContext, { orders }: ActiveOrders): Promise<number> {
  const count = orders.length === 1 ? '1 active order' : `${orders.length} active orders`
  await cli.say(
    `${count}, and the sandbox clock is frozen: \`dray sandbox clock advance 1m\` advances it; --timeout 5m keeps watching anyway.`,
  )
  return EXIT.pending
}
