import type { Cli } from '../cli.ts'
import { type Args, defineCommand, text } from '../command.ts'
import { canAsk } from '../prompts.ts'

/** `dray business orders watch`: a board with keys on a terminal, a line for each change anywhere else. */
export const businessOrdersWatch = defineCommand({
  words: 'business orders watch',
  summary: 'A live board of the active orders, with keys to act on them',
  description:
    'On a terminal: the orders by state with their ages, a bell on a new one, and keys to accept, prepare, make ready, complete and reject the selected one; q ends it. On a protected profile the keys act only with --confirm <profile>. Anywhere else, and with --accessible: what is there, then one line for each change; --output ndjson gives each changed order as an object; --json the orders at the end, once. It goes on until it is ended or --timeout is over. On a frozen sandbox clock only the board waits; the lines end at once with exit 8 unless --timeout is given.',
  danger: 'write',
  flags: [
    {
      flag: 'merchant',
      field: 'merchant_id',
      kind: 'text',
      value: 'STORE',
      description: 'the store, when you have several',
    },
  ],
  examples: [
    'dray business orders watch',
    'dray business orders watch --output ndjson --timeout 8h',
    'dray business orders watch --json --timeout 1m',
  ],
  run: watch,
})

async function watch(cli: Cli, args: Args): Promise<number> {
  const merchantId = text(args, 'merchant')
  if (isBoard(cli)) return (await import('../orders/watch-board.ts')).watchBoard(cli, merchantId)
  return (await import('../orders/follow.ts')).followOrders(cli, merchantId)
}

/** Where a person sees it and can press keys. */
function isBoard({ io, settings, globals }: Cli): boolean {
  if (settings.format !== 'table' || settings.accessible || io.env['TERM'] === 'dumb') return false
  return (
    io.stdout.isTTY && canAsk(io, { json: globals.json, output: settings.format, noInput: settings.noInput })
  )
}
