/** The board without drawing: what is typed as a line acts on an order, as `accept 7K2M 20`. */
import { formatOrderState, type OrderVerb, ORDER_VERBS } from '../../../areas/orders/rules/stages.ts'
import { ORDER_REJECT_REASONS } from '../../../areas/orders/states.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import { AppError } from '../../../core/errors.ts'
import { loadActiveOrders, loadOrder } from './active.ts'
import { resolveOrders } from './find.ts'
import { sendOrderAction } from './send.ts'
import { formatStoreOrder } from './show.ts'
import { newWords } from './words.ts'

/** Said when the lines begin, and on `help`. */
const TYPED_HELP = [
  'Type a command and Enter: accept NUMBER [minutes], prepare NUMBER [minutes], ready NUMBER,',
  `complete NUMBER, reject NUMBER REASON (${ORDER_REJECT_REASONS.join(', ')}),`,
  'show NUMBER (all details of an order), new (new orders, most urgent first), help, quit.',
].join('\n')

type TypedAction = { verb: OrderVerb; number: string; body: Record<string, unknown> }

/** The parsed line, or a sentence about its fault. */
export function readTyped(
  line: string,
): TypedAction | { show: string } | 'help' | 'new' | 'quit' | { problem: string } {
  const [first = '', number, ...rest] = line.trim().toLowerCase().split(/\s+/)
  if (first === 'help' || first === '?') return 'help'
  if (first === 'quit' || first === 'q') return 'quit'
  if (first === 'new') return 'new'
  if (first === 'show')
    return number === undefined ? { problem: 'Which order? show NUMBER' } : { show: number }
  const verb = ORDER_VERBS.find((each) => each === first)
  if (verb === undefined)
    return { problem: `Unknown command "${first.slice(0, 40)}". Type help to list the commands.` }
  if (number === undefined) return { problem: `Which order? ${verb} NUMBER` }
  if (verb === 'reject') return readReject(number, rest.join('_'))
  return readTimed(verb, number, rest[0])
}

/** The minutes that go with accepting and starting an order. */
function readTimed(
  verb: OrderVerb,
  number: string,
  minutes: string | undefined,
): TypedAction | { problem: string } {
  if (minutes === undefined) return { verb, number, body: {} }
  const takes = verb === 'accept' || verb === 'prepare'
  const count = /^\d{1,3}$/.test(minutes) ? Number(minutes) : 0
  if (takes && count >= 1 && count <= 180) return { verb, number, body: { prep_time_minutes: count } }
  const taken = takes ? 'minutes from 1 to 180' : 'the number only'
  return { problem: `${verb} takes ${taken}, not ${minutes.slice(0, 40)}.` }
}

function readReject(number: string, reason: string): TypedAction | { problem: string } {
  if (!ORDER_REJECT_REASONS.some((each) => each === reason))
    return { problem: `reject ${number} needs a reason: ${ORDER_REJECT_REASONS.join(', ')}.` }
  return { verb: 'reject', number, body: { reason_code: reason } }
}

/** Does what a line says and says how it went; false ends the lines. */
async function actOnTyped(
  cli: CommandContext,
  line: string,
  merchantId: string | undefined,
): Promise<boolean> {
  if (line.trim() === '') return true
  const meant = readTyped(line)
  if (meant === 'quit') return false
  if (meant === 'help') await cli.say(TYPED_HELP)
  else if (meant === 'new') await printNewOrders(cli, merchantId)
  else if ('problem' in meant) await cli.say(meant.problem)
  else if ('show' in meant)
    await runOrPrintError(cli, meant.show, () => printTypedOrder(cli, meant.show, merchantId))
  else await runOrPrintError(cli, meant.number, () => send(cli, meant, merchantId))
  return true
}

/** Says what a line is rejected with; the lines go on. */
async function runOrPrintError(cli: CommandContext, number: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await cli.say(`${number.toUpperCase()}: ${error.message}`)
  }
}

async function printNewOrders(cli: CommandContext, merchantId: string | undefined): Promise<void> {
  const { orders, now } = await loadActiveOrders(await cli.client(), { merchantId })
  const words = newWords(orders, now)
  await cli.say(words === undefined ? 'No new orders.' : [words.lead, ...words.ends].join('\n'))
}

/** Returns the id of the order with that number. Throws what it is rejected with. */
async function idOf(cli: CommandContext, number: string, merchantId: string | undefined): Promise<string> {
  const [named] = await resolveOrders(cli, [number], { merchantId, activeOnly: true })
  if (named?.problem !== undefined) throw named.problem
  return named?.orderId ?? number
}

async function printTypedOrder(
  cli: CommandContext,
  number: string,
  merchantId: string | undefined,
): Promise<void> {
  const order = await loadOrder(await cli.client(), await idOf(cli, number, merchantId))
  await cli.say(formatStoreOrder(order, { tty: true, width: 80, colour: false }))
}

async function send(
  cli: CommandContext,
  { verb, number, body }: TypedAction,
  merchantId: string | undefined,
): Promise<void> {
  const id = await idOf(cli, number, merchantId)
  const order = await sendOrderAction(
    cli,
    { verb, orderId: id, word: number, body },
    async (answer) => answer,
  )
  await cli.say(sanitizeForTerminal(formatOrderState(order)))
}

/** The lines that are typed while orders are followed. */
export function openLines(cli: CommandContext, merchantId: string | undefined) {
  const waiting: string[] = []
  let isOpen = true
  let sleeping = new AbortController()
  const close = listenToLines(cli, (line) => {
    if (line === undefined) isOpen = false
    else waiting.push(line)
    sleeping.abort()
  })
  return {
    open: () => isOpen,
    close,
    nap(signal: AbortSignal): AbortSignal {
      sleeping = new AbortController()
      if (waiting.length > 0) sleeping.abort()
      return AbortSignal.any([signal, sleeping.signal])
    },
    begin: () => cli.say(TYPED_HELP),
    /** Does what was typed since. */
    async act(): Promise<void> {
      for (let line = waiting.shift(); line !== undefined; line = waiting.shift())
        isOpen = (await actOnTyped(cli, line, merchantId)) && isOpen
    },
  }
}

/** Calls back for each line that is typed, and at the end of the input; gives what ends it. */
function listenToLines(
  { io }: Pick<CommandContext, 'io'>,
  onLine: (line: string | undefined) => void,
): () => void {
  const { input } = io.terminal()
  let held = ''
  const onData = (chunk: Buffer | string): void => {
    const parts = (held + chunk.toString()).split(/\r?\n|\r/)
    held = parts.pop() ?? ''
    for (const line of parts) onLine(line)
  }
  const onEnd = (): void => onLine(undefined)
  input.setEncoding('utf8')
  input.on('data', onData).once('end', onEnd).resume()
  return () => {
    input.off('data', onData).off('end', onEnd)
    input.pause()
  }
}
