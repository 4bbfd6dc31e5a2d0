import { isOrderOver } from '../../domain/order-states.ts'
import { toTimestamp } from '../../domain/time.ts'
import { EXIT } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import type { Args } from '../command.ts'
import { defineCommand, text } from '../command.ts'
import { findOrder, lastOrder } from '../food/find-order.ts'
import type { FoodOrder } from '../food/shapes.ts'
import { changeLine, changesOf, courierWords, orderText } from '../food/track-text.ts'
import { toJson } from '../output/json.ts'
import { isForPeople, mannerOf } from '../output/manner-of.ts'
import { printResult } from '../print.ts'

const POLL_MS = 2000

/** `dray food track [ORDER]`: from the kitchen to the door. */
export const foodTrack = defineCommand({
  words: 'food track',
  summary: 'Follow an order until it is over',
  description:
    'The last order without an id. On a terminal it is drawn over as it goes on; piped, one line for each change. On a frozen sandbox clock it ends at once with exit 8: `dray sandbox clock advance` moves the world. With --json it prints the final state once; --output ndjson prints each change as it comes.',
  positionals: [{ name: 'order_id', description: 'the order, by number or id; the last one without it' }],
  examples: [
    'dray food track',
    'dray food track ord_01m7vkystgfp1b10jk5dh9yvxy --output ndjson --timeout 1h',
  ],
  run: track,
})

async function idOf(cli: Cli, typed: string): Promise<string> {
  return typed.startsWith('ord_') ? typed : (await findOrder(cli, typed)).order_id
}

/** What was shown so far. */
type Shown = { entries: number; courier: string | null; rows: number }

async function track(cli: Cli, args: Args): Promise<number> {
  const client = await cli.client()
  const typed = text(args, 'order_id')
  const orderId = typed === undefined ? await lastOrder(cli) : await idOf(cli, typed)
  const started = cli.runtime.elapsed()
  const signal = cli.runtime.interruption()
  for (let shown: Shown = { entries: 0, courier: null, rows: 0 }; ;) {
    const { value, serviceTime } = await client.call('get_food_order', { order_id: orderId })
    const order = value as FoodOrder
    shown = await show(cli, order, shown, serviceTime.now)
    const late = cli.runtime.elapsed() - started >= (cli.settings.timeoutMs ?? Infinity)
    if (isOrderOver(order.status) || serviceTime.frozen || late || signal.aborted) {
      signal.throwIfAborted()
      return finish(cli, order, serviceTime.frozen)
    }
    await cli.runtime.sleep(POLL_MS, signal)
  }
}

async function show(cli: Cli, order: FoodOrder, shown: Shown, now: number): Promise<Shown> {
  const { io, settings } = cli
  const manner = mannerOf(cli, 'stdout')
  const next = { entries: order.status_history.length, courier: courierWords(order.courier) }
  if (isForPeople(cli) && !settings.accessible) {
    const screen = orderText(order, now, manner)
    const rows = screen.split('\n').length
    // Over what stood there, from its first row on.
    const up = shown.rows === 0 ? '' : `\x1b[${shown.rows}A\r\x1b[J`
    await io.stdout.write(`${up}${screen}\n`)
    return { ...next, rows }
  }
  for (const change of changesOf(order, shown.entries, shown.courier, toTimestamp(now))) {
    if (settings.format === 'ndjson')
      await io.stdout.write(`${toJson({ order_id: order.order_id, ...change })}\n`)
    if (settings.format === 'table') await io.stdout.write(`${changeLine(change, manner)}\n`)
  }
  return { ...next, rows: 0 }
}

async function finish(cli: Cli, order: FoodOrder, frozen: boolean): Promise<number> {
  const { format } = cli.settings
  if (format !== 'ndjson' && format !== 'table') await printResult(cli, order)
  if (isOrderOver(order.status)) return EXIT.ok
  const state = order.status.replaceAll('_', ' ')
  await cli.say(
    frozen
      ? `Order ${order.display_number} is ${state}, and the sandbox clock is frozen. \`dray sandbox clock advance 15m\` moves it on.`
      : `Order ${order.display_number} is still ${state}.`,
  )
  return EXIT.pending
}
