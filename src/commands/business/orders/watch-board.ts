/** The board on a terminal: polls, takes keys, and sends what they ask for, one call after the other. */
import { formatOrderState, ORDER_VERB_TEXTS } from '../../../areas/orders/rules/stages.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { InterruptedError } from '../../../cli/io.ts'
import { hasColour, makePaint } from '../../../cli/output/colour.ts'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import { mayMend } from '../../../cli/track/may-mend.ts'
import { POLL_MS } from '../../../cli/track/poll.ts'
import type { Client } from '../../../client/client.ts'
import { AppError, EXIT } from '../../../core/errors.ts'
import { loadActiveOrders, listLost, listOpenProblemOrders, loadOrder } from './active.ts'
import type { ActiveOrders } from './active.ts'
import type { BoardScreen } from './board-screen.ts'
import { renderBoard, clampSheetScroll } from './board-view.ts'
import {
  goneOrders,
  makeOrderBoard,
  newOrders,
  pressBoardKey,
  refreshBoard,
  advanceBoard,
  urgentOrders,
  withLost,
  withNotice,
  withOrder,
  withoutTask,
} from './board.ts'
import type { OrderBoard, BoardTask } from './board.ts'
import { openCanvas, type Canvas } from './canvas.ts'
import { listenToKeys } from './keyboard.ts'
import type { BusinessOrderOutput } from './order.ts'
import { sendOrderAction, markSoldOut } from './send.ts'
import { loadTakings } from './takings.ts'
import { formatOrderItems } from './words.ts'

/** Until `q` or `--timeout` (exit 0), Ctrl-C or a signal. Throws what the first list is rejected with, and `Interrupted`. */
export async function watchBoard(cli: CommandContext, merchantId: string | undefined): Promise<number> {
  const client = await cli.client()
  const first = await loadActiveOrders(client, { merchantId })
  const { runtime, settings, io } = cli
  const ends = runtime.elapsed() + (settings.timeoutMs ?? Infinity)
  const ending = endings(runtime.interruption())

  const watch = openWatch(cli, client, { merchantId, first, ending })
  const stopKeys = listenToKeys(io, (key) => onKey(watch, key))
  try {
    redrawBoard(watch, watch.board)
    await poll(watch)
    await watchUntil(watch, ends)
    ending.signal.throwIfAborted()
    return EXIT.ok
  } finally {
    stopKeys()
    watch.canvas.close()
  }
}

/** A board on the terminal, and what it is kept up with. */
type Watch = {
  cli: CommandContext
  client: Client
  merchantId: string | undefined
  /** As it is shown. */
  board: OrderBoard
  canvas: Canvas
  screen: Omit<BoardScreen, 'rows' | 'columns'>
  clock: ReturnType<typeof serviceClock>
  bell: ReturnType<typeof urgentBell>
  /** The time at which the lost orders were last read, by the terminal's own clock. */
  lostRead: number
  ending: ReturnType<typeof endings>
}

function openWatch(
  cli: CommandContext,
  client: Client,
  { merchantId, first, ending }: Pick<Watch, 'merchantId' | 'ending'> & { first: ActiveOrders },
): Watch {
  const { runtime, settings, io } = cli
  const screen = {
    style: makePaint(hasColour(io.stdout, io.env, settings.color)),
    timezone: Temporal.Now.timeZoneId(),
  }
  const board = makeOrderBoard(first, lockOf(cli))
  const canvas = openCanvas(io, () => redrawBoard(watch, watch.board))
  const clock = serviceClock(runtime, first)
  const bell = urgentBell(runtime, () => canvas.ring())
  const watch: Watch = {
    cli,
    client,
    merchantId,
    board,
    canvas,
    screen,
    clock,
    bell,
    ending,
    lostRead: -Infinity,
  }
  return watch
}

function redrawBoard(watch: Watch, next: OrderBoard): void {
  const { columns, rows } = watch.canvas.size()
  // The last column stays free: a terminal may go to the next row after it.
  const screen = { ...watch.screen, rows, columns: columns - 1 }
  watch.board = clampSheetScroll(next, screen)
  watch.canvas.draw(renderBoard(watch.board, screen))
}

function onKey(watch: Watch, key: string): void {
  const { board, ending } = watch
  if (key === 'ctrl-c' || key === 'closed') return ending.interrupt()
  // On a sheet `q` leaves only that.
  const leaves = key === 'ctrl-d' || (key === 'q' && board.sheet === undefined)
  if (board.question === undefined && leaves) return ending.quit()
  if (key === 'ctrl-l') return watch.canvas.wipe()
  redrawBoard(watch, pressBoardKey(board, key))
  if (watch.board.tasks.length > 0) ending.wake()
}

/** Polls, carries out what keys asked for and lets the clock go on, until the end or the way out. */
async function watchUntil(watch: Watch, ends: number): Promise<void> {
  const { ending } = watch
  const { runtime } = watch.cli
  let polled = runtime.elapsed()
  while (!ending.hasEnded() && runtime.elapsed() < ends) {
    // A key may have come during the last poll.
    if (watch.board.tasks.length === 0) await runtime.sleep(TICK_MS, ending.nap())
    redrawBoard(watch, advanceBoard(watch.board, { now: watch.clock.now(), elapsed: runtime.elapsed() }))
    watch.bell(watch.board)
    const due = watch.board.tasks.length > 0 || runtime.elapsed() - polled >= POLL_MS - TICK_MS / 2
    for (let [task] = watch.board.tasks; task !== undefined; [task] = watch.board.tasks)
      await carryOut(watch, task)
    if (due && !ending.hasEnded()) {
      await poll(watch)
      polled = runtime.elapsed()
    }
  }
}

async function poll(watch: Watch): Promise<void> {
  const { client, merchantId, ending, canvas, clock } = watch
  try {
    const active = await loadActiveOrders(client, { merchantId, signal: ending.signal })
    clock.set(active)
    const { news, went } = await whatHappened(client, watch.board, active)
    const wasSilent = watch.board.silence !== undefined
    if (newOrders(watch.board, active).length > 0 && !watch.board.quiet) canvas.ring()
    const changed = haveChanged(watch.board, active)
    const refreshed = withLost(refreshBoard(watch.board, active), went)
    redrawBoard(
      watch,
      news.reduce((next, text) => withNotice(next, { kind: 'news', text }), refreshed),
    )
    if (changed || watch.board.takings === undefined) await countTakings(watch)
    if (changed || wasSilent) watch.lostRead = -Infinity
    await findLost(watch)
  } catch (error) {
    if (!mayMend(error)) throw error
    redrawBoard(watch, { ...watch.board, silence: `${error.message} Trying again.` })
  }
}

async function countTakings(watch: Watch): Promise<void> {
  const { client, merchantId, ending, board } = watch
  const takings = await loadTakings(client, { merchantId, now: board.now, signal: ending.signal })
  redrawBoard(watch, { ...watch.board, takings })
}

/**
 * An order may come and be lost between two looks: the lost ones are read after each change, and now and then. So are those with
 * a problem.
 */
async function findLost(watch: Watch): Promise<void> {
  const { client, merchantId, ending, cli } = watch
  const elapsed = cli.runtime.elapsed()
  if (elapsed - watch.lostRead < LOST_READ_MS) return
  const { signal } = ending
  const lost = await listLost(client, { merchantId, now: watch.board.now, signal })
  const problems = await listOpenProblemOrders(client, { merchantId, signal })
  watch.lostRead = elapsed
  redrawBoard(watch, { ...withLost(watch.board, lost), problems })
}

async function carryOut(watch: Watch, task: BoardTask): Promise<void> {
  const next = await watch.ending.unlessInterrupted(attempt(watch.cli, task, () => watch.board))
  redrawBoard(watch, withoutTask(next))
}

/** The times on the board go on between two answers. */
const TICK_MS = 1000
const RING_AGAIN_MS = 15_000
const LOST_READ_MS = 60_000

/** The service's clock between its answers; a frozen one stands. */
function serviceClock({ elapsed }: Pick<CommandContext['runtime'], 'elapsed'>, first: ActiveOrders) {
  let last = { ...first, at: elapsed() }
  return {
    set: (active: ActiveOrders) => void (last = { ...active, at: elapsed() }),
    now: () => (last.frozen ? last.now : last.now + Math.floor(elapsed() - last.at)),
  }
}

/** Rings again and again while an order is about to be rejected by itself. */
function urgentBell(
  { elapsed }: Pick<CommandContext['runtime'], 'elapsed'>,
  ring: () => void,
): (board: OrderBoard) => void {
  let rang = -Infinity
  return (board) => {
    if (board.quiet || urgentOrders(board).length === 0 || elapsed() - rang < RING_AGAIN_MS) return
    rang = elapsed()
    ring()
  }
}

/** Returns whether an answer may have changed the takings. */
function haveChanged({ orders }: OrderBoard, active: ActiveOrders): boolean {
  const mark = ({ order_id, payment }: BusinessOrderOutput): string => `${order_id} ${payment.status}`
  const before = new Set(orders.map(mark))
  return orders.length !== active.orders.length || active.orders.some((order) => !before.has(mark(order)))
}

/** Returns the reason why orders may only be looked at, or undefined. */
function lockOf({ settings, globals }: CommandContext): string | undefined {
  const { profile } = settings
  if (globals.dryRun) return 'With --dry-run the board is read-only.'
  if (!settings.protected || globals.confirm.includes(profile)) return undefined
  return `The profile ${profile} is protected: start the board with --confirm ${profile} to act on orders.`
}

/** The ways out, and what wakes the board early. */
function endings(interruption: AbortSignal) {
  const left = new AbortController()
  const signal = AbortSignal.any([interruption, left.signal])
  let quit = false
  let sleeping = new AbortController()
  const wake = (): void => sleeping.abort()
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      wake()
      reject(signal.reason instanceof Error ? signal.reason : new InterruptedError())
    })
  })
  // The interruption may come while no call is awaited; an unhandled rejection would end the process.
  interrupted.catch(() => {})
  return {
    /** Aborted by Ctrl-C and signals: reads under way end. */
    signal,
    wake,
    hasEnded: () => quit || signal.aborted,
    interrupt: () => left.abort(new InterruptedError()),
    /** Calls under way are waited for. */
    quit(): void {
      quit = true
      wake()
    },
    /**
     * Returns the result of a call, unless Ctrl-C comes first. Then it does not wait: the open call stays in the
     * journal.
     */
    unlessInterrupted: <T>(work: Promise<T>): Promise<T> => Promise.race([work, interrupted]),
    /** Aborted when something is to be done before the next poll. */
    nap(): AbortSignal {
      sleeping = new AbortController()
      return sleeping.signal
    },
  }
}

/** The board with the answer to a task, or with why it was rejected: the board goes on either way. */
async function attempt(cli: CommandContext, task: BoardTask, board: () => OrderBoard): Promise<OrderBoard> {
  // Further messages of a call are shown in their place on the board.
  const said: string[] = []
  const aside: CommandContext = { ...cli, say: async (text) => void said.push(text) }
  const withSaid = (next: OrderBoard): OrderBoard =>
    said.reduce((before, text) => withNotice(before, { kind: 'news', text }), next)
  try {
    if (task.verb === 'off sale') {
      await markSoldOut(aside, task.item.id)
      const text = `${task.item.name} is unavailable; \`dray business catalog available\` makes it available again.`
      return withNotice(withSaid(board()), { kind: 'done', text })
    }
    const order = await sendOrderAction(
      aside,
      { verb: task.verb, orderId: task.orderId, word: task.number, body: task.body },
      async (answer) => answer,
    )
    const text = sanitizeForTerminal(formatOrderState(order))
    return withNotice(withOrder(withSaid(board()), order), { kind: 'done', text })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const what =
      task.verb === 'off sale'
        ? `${task.item.name} was not marked unavailable`
        : `${task.number} was not ${ORDER_VERB_TEXTS[task.verb].done}`
    return withNotice(withSaid(board()), { kind: 'refused', text: `${what}: ${error.message}` })
  }
}

/** Tells of the orders that came, and of the ends of those that went: a cancelled one must not just be gone from the kitchen's sight. */
async function whatHappened(
  client: Client,
  board: OrderBoard,
  active: ActiveOrders,
): Promise<{ news: string[]; went: BusinessOrderOutput[] }> {
  const came = newOrders(board, active).map(
    (order) => `New order ${order.display_number}: ${formatOrderItems(order)}`,
  )
  const went = await Promise.all(goneOrders(board, active).map(({ order_id }) => loadOrder(client, order_id)))
  const ended = went.map((order) => sanitizeForTerminal(formatOrderState(order)))
  return { news: [...ended, ...came], went }
}
