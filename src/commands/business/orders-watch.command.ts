import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { canRedraw } from '../../cli/output/colour.ts'
import { canPrompt } from '../../cli/prompts.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

/** `dray business orders watch`: a board with keys on a terminal, a line for each change anywhere else. */
export const businessOrdersWatch = defineCommand({
  words: 'business orders watch',
  summary: 'Show a live board of active orders, with keys to act on them',
  description:
    'In a terminal: orders by status with their ages, a bell for new orders, the time left to accept each order, lost orders until you acknowledge them, today’s sales, and keys to accept, prepare, mark ready, complete and reject the selected order, show its details, set its prep time, mark an item unavailable and turn the bell off; ? shows all keys, q quits. With a protected profile the keys need --confirm <profile>. With --accessible or TERM=dumb the board is plain text: one line per change, and typed commands such as `accept 7K2M 20` and `show 7K2M`. In a pipe: the current orders, then one line per change; --output ndjson prints each changed order as an object; --json prints the orders once, at the end. The board runs until you quit or --timeout ends. If the sandbox clock is frozen, only the board keeps running; the lines end at once with exit 8, unless --timeout is given.',
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

async function watch(cli: CommandContext, merchantId: string | undefined): Promise<number> {
  if (isBoard(cli)) return (await import('./orders/watch-board.ts')).watchBoard(cli, merchantId)
  return (await import('./orders/follow.ts')).followOrders(cli, merchantId, { typed: isTyped(cli) })
}

/** Returns whether a person can type, and nothing is drawn; what may only be looked at takes no commands. */
function isTyped({ io, settings, globals }: CommandContext): boolean {
  const { format, noInput } = settings
  if (format !== 'table' || globals.dryRun || !io.stdout.isTTY) return false
  if (settings.protected && !globals.confirm.includes(settings.profile)) return false
  return canPrompt(io, { json: globals.json, output: format, noInput })
}

/** Returns whether a person sees it and can press keys. */
function isBoard({ io, settings, globals }: CommandContext): boolean {
  return (
    settings.format === 'table' &&
    canRedraw(io.stdout, io.env, settings.accessible) &&
    canPrompt(io, { json: globals.json, output: settings.format, noInput: settings.noInput })
  )
}
