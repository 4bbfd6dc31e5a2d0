/** The board on a terminal: polls, takes keys, and sends what they ask for, one call after the other. */
import type { Client } from '../../client/client.ts'
import { AppError, EXIT } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { Interrupted } from '../io.ts'
import { hasColour, paint } from '../output/colour.ts'
import { listActive, loadOrder, mayMend, POLL_MS } from './active.ts'
import type { Active } from './active.ts'
import { drawBoard } from './board-view.ts'
import {
  goneOrders,
  makeBoard,
  newOrders,
  PAST,
  press,
  refresh,
  withNotice,
  withOrder,
  withoutTask,
} from './board.ts'
import type { Board, Task } from './board.ts'
import { openCanvas } from './canvas.ts'
import { listenToKeys } from './keyboard.ts'
import { sendDeed } from './send.ts'
import { itemWords, word } from './words.ts'

/** Until `q` or `--timeout` (exit 0), Ctrl-C or a signal. Throws what the first list is refused with, and `Interrupted`. */
export async function watchBoard(cli: Cli, merchantId: string | undefined): Promise<number> {
  const client = await cli.client()
  const first = await listActive(client, { merchantId })
  const { runtime, settings, io } = cli
  const ends = runtime.elapsed() + (settings.timeoutMs ?? Infinity)
  const ending = endings(runtime.interruption())

  let board = makeBoard(first, lockOf(cli))
  const screen = {
    style: paint(hasColour(io.stdout, io.env, settings.color)),
    timezone: Temporal.Now.timeZoneId(),
  }
  const canvas = openCanvas(io, () => show(board))
  const show = (next: Board): void => {
    board = next
    const { columns, rows } = canvas.size()
    // The last column stays free: a terminal may go to the next row after it.
    canvas.draw(drawBoard(board, { ...screen, rows, columns: columns - 1 }))
  }
  const stopKeys = listenToKeys(io, (key) => {
    if (key === 'ctrl-c' || key === 'closed') return ending.interrupt()
    if (board.question === undefined && (key === 'q' || key === 'ctrl-d')) return ending.quit()
    if (key === 'ctrl-l') return canvas.wipe()
    show(press(board, key))
    if (board.tasks.length > 0) ending.wake()
    return undefined
  })

  const poll = async (): Promise<void> => {
    try {
      const active = await listActive(client, { merchantId, signal: ending.signal })
      const news = await whatHappened(client, board, active)
      if (newOrders(board, active).length > 0) canvas.ring()
      show(news.reduce((next, text) => withNotice(next, { kind: 'news', text }), refresh(board, active)))
    } catch (error) {
      if (!mayMend(error)) throw error
      show({ ...board, silence: `${error.message} Trying again.` })
    }
  }
  const carryOut = async (task: Task): Promise<void> => {
    const next = await ending.unlessInterrupted(attempt(cli, task, () => board))
    show(withoutTask(next))
  }

  try {
    show(board)
    while (!ending.hasEnded() && runtime.elapsed() < ends) {
      // A key may have come during the last poll.
      if (board.tasks.length === 0) await runtime.sleep(POLL_MS, ending.nap())
      for (let [task] = board.tasks; task !== undefined; [task] = board.tasks) await carryOut(task)
      if (!ending.hasEnded()) await poll()
    }
    ending.signal.throwIfAborted()
    return EXIT.ok
  } finally {
    stopKeys()
    canvas.close()
  }
}

/** Why orders may only be looked at, or undefined. */
function lockOf({ settings, globals }: Cli): string | undefined {
  const { profile } = settings
  if (globals.dryRun) return 'With --dry-run orders are only looked at.'
  if (!settings.protected || globals.confirm === profile) return undefined
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
      reject(signal.reason instanceof Error ? signal.reason : new Interrupted())
    })
  })
  // Nobody may be waiting for a call when it comes.
  interrupted.catch(() => {})
  return {
    /** Aborted by Ctrl-C and signals: reads under way end. */
    signal,
    wake,
    hasEnded: () => quit || signal.aborted,
    interrupt: () => left.abort(new Interrupted()),
    /** Calls under way are waited for. */
    quit(): void {
      quit = true
      wake()
    },
    /** What a call makes of the board. After Ctrl-C it is not waited for: its intent stays, for the next time. */
    unlessInterrupted: <T>(work: Promise<T>): Promise<T> => Promise.race([work, interrupted]),
    /** Aborted when something is to be done before the next poll. */
    nap(): AbortSignal {
      sleeping = new AbortController()
      return sleeping.signal
    },
  }
}

/** The board with the answer to a task, or with why it was refused: the board goes on either way. */
async function attempt(cli: Cli, { verb, orderId, number, body }: Task, board: () => Board): Promise<Board> {
  // What a call has to say besides has its place on the board, not across it; and a key is one call's.
  const said: string[] = []
  const globals = { ...cli.globals, idempotencyKey: undefined }
  const aside: Cli = { ...cli, globals, say: async (text) => void said.push(text) }
  const withSaid = (next: Board): Board =>
    said.reduce((before, text) => withNotice(before, { kind: 'news', text }), next)
  try {
    const order = await sendDeed(aside, verb, orderId, body, async (answer) => answer)
    const text = `${number} is ${word(order.status)}.`
    return withNotice(withOrder(withSaid(board()), order), { kind: 'done', text })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const text = `${number} was not ${PAST[verb]}: ${error.message}`
    return withNotice(withSaid(board()), { kind: 'refused', text })
  }
}

/** Which orders came, and how those that went have ended: a cancelled one must not just be gone from the kitchen's sight. */
async function whatHappened(client: Client, board: Board, active: Active): Promise<string[]> {
  const came = newOrders(board, active).map(
    (order) => `New order ${order.display_number}: ${itemWords(order)}`,
  )
  const went: string[] = []
  for (const { order_id, display_number } of goneOrders(board, active)) {
    const { status, rejection } = await loadOrder(client, order_id)
    const why = rejection === null ? '' : ` (${word(rejection.reason_code)})`
    went.push(`${display_number} is ${word(status)}${why}.`)
  }
  return [...went, ...came]
}
