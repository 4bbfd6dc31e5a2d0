import type { Cli } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { canRedraw } from '../../cli/output/colour.ts'
import { canAsk } from '../../cli/prompts.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

/** `dray business orders watch`: a board with keys on a terminal, a line for each change anywhere else. */
export const businessOrdersWatch = defineCommand({
  words: 'business orders watch',
  summary: 'A live board of the active orders, with keys to act on them',
  description:
    'On a terminal: the orders by state with their ages, a bell on a new one, and the time left to accept each, the one that ends first always named, lost orders until they are acknowledged, today’s takings, and keys to accept, prepare, make ready, complete and reject the selected one, to open all of it, to say how long it takes, to take an item off sale and to pause the bell; ? shows all keys, q ends it. On a protected profile the keys act only with --confirm <profile>. With --accessible, or TERM=dumb, nothing is drawn: one line for each change, and typed commands such as `accept 7K2M 20` and `show 7K2M`. Anywhere else: what is there, then one line for each change; --output ndjson gives each changed order as an object; --json the orders at the end, once. It goes on until it is ended or --timeout is over. On a frozen sandbox clock only the board waits; the lines end at once with exit 8 unless --timeout is given.',
  danger: 'write',
  answer: { of: ['list_business_orders'] },
  takes: ['dry-run'],
  flags: [{ ...MERCHANT_FLAG, field: 'merchant_id' }],
  examples: [
    'dray business orders watch',
    'dray business orders watch --output ndjson --timeout 8h',
    'dray business orders watch --json --timeout 1m',
  ],
  run: (cli, { merchant }) => watch(cli, merchant),
})

async function watch(cli: Cli, merchantId: string | undefined): Promise<number> {
  if (isBoard(cli)) return (await import('./orders/watch-board.ts')).watchBoard(cli, merchantId)
  return (await import('./orders/follow.ts')).followOrders(cli, merchantId, { typed: isTyped(cli) })
}

/** Where a person can type, and nothing is drawn; what may only be looked at takes no commands. */
function isTyped({ io, settings, globals }: Cli): boolean {
  const { format, noInput } = settings
  if (format !== 'table' || globals.dryRun || !io.stdout.isTTY) return false
  if (settings.protected && !globals.confirm.includes(settings.profile)) return false
  return canAsk(io, { json: globals.json, output: format, noInput })
}

/** Where a person sees it and can press keys. */
function isBoard({ io, settings, globals }: Cli): boolean {
  return (
    settings.format === 'table' &&
    canRedraw(io.stdout, io.env, settings.accessible) &&
    canAsk(io, { json: globals.json, output: settings.format, noInput: settings.noInput })
  )
}
