import { assertComplete } from '../../cli/ask-values.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags } from '../../cli/fields.ts'
import { requirePrompts } from '../../cli/questions.ts'
import { AppError } from '../../core/errors.ts'
import { spec } from '../../generated/specs/adjust_business_order.ts'
import { makeMissingLineInput, MISSING_ORDER_INPUT, REASON } from '../order-lines.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'
import { runOrderAdjustment } from './orders/adjust.ts'

const FLAGS = pickOperationFlags(spec, {
  reason: { field: 'reason_code', description: 'reason, shown to the customer' },
  note: { field: 'note', description: 'note to the customer' },
})

/** `dray business orders adjust ORDER --remove LINE`. */
export const businessOrdersAdjust = defineCommand({
  words: 'business orders adjust',
  summary: 'Take lines off an order, replace them or refund a part of it',
  description:
    'Name a line by its number, 1 for the first, or by its item; 1.1 is the first item that replaced line 1. --remove takes units off an order before it leaves, and --replace puts another item in their place, at the lower of both prices, as the customer wished at the order; --refund gives money back, within 30 days, for units or an amount. dray shows how much goes back, and where: type the order number to confirm, or pass it with --confirm.',
  danger: 'destructive',
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [{ name: 'order', description: 'order ID or number', required: true }],
  flags: [
    {
      flag: 'remove',
      kind: 'text',
      value: 'LINE[=UNITS]',
      repeat: true,
      description: 'line to remove, whole or a number of units',
    },
    {
      flag: 'refund',
      kind: 'text',
      value: 'LINE[=UNITS|AMOUNT]',
      repeat: true,
      description: 'line to refund: all of it, units such as 1, or an amount such as 2.00',
    },
    {
      flag: 'replace',
      kind: 'text',
      value: 'LINE[=UNITS]:ITEM',
      repeat: true,
      description: 'line and the item in its place, with options: "1=1: Pad Thai + Tofu"',
    },
    ...FLAGS,
    {
      ...MERCHANT_FLAG,
      field: 'merchant_id',
      description: 'store of the order number, by name or ID, if you have several',
    },
  ],
  answer: { of: ['adjust_business_order'] },
  examples: [
    'dray business orders adjust 7K2M --remove 2 --reason out_of_stock',
    'dray business orders adjust 7K2M --replace "1=1: Ciabatta" --reason out_of_stock --confirm 7K2M',
    'dray business orders adjust 7K2M --refund Focaccia=1 --reason missing --confirm 7K2M',
    'dray business orders adjust 7K2M --refund 1=2.00 --reason late --note "Sorry for the wait"',
  ],
  async run(cli, { order, merchant, remove, replace, refund, ...args }) {
    const { readInputFromFlags } = await import('../../cli/fields.ts')
    const asked = { removed: remove, replaced: replace, refunded: refund }
    const kinds = (Object.keys(asked) as (keyof typeof asked)[]).filter((kind) => asked[kind] !== undefined)
    const [kind, second] = kinds
    if (second !== undefined) throw oneKind()
    const body = await readInputFromFlags(cli, FLAGS, args)
    await assertComplete(cli, [
      ...(order === undefined ? [MISSING_ORDER_INPUT] : []),
      ...(kind === undefined ? [LINES] : []),
      ...(body.reason_code === undefined ? [REASON] : []),
    ])
    const typed = kind && asked[kind]
    return runOrderAdjustment(cli, { order, merchant, kind: kind ?? (await askKind(cli)), typed, body })
  },
})

const LINES = {
  ...makeMissingLineInput('--refund'),
  description: 'lines with --remove, --replace or --refund, one of the three',
}

type Kind = 'removed' | 'replaced' | 'refunded'

/** Asks what happens to a line. The flag follows with the line. */
async function askKind(cli: CommandContext): Promise<Kind> {
  const ask = await requirePrompts(cli)
  return ask.select<Kind>({
    message: 'Change?',
    choices: [
      { value: 'refunded', name: 'refund a line' },
      { value: 'removed', name: 'take a line off, before the order leaves' },
      { value: 'replaced', name: 'put another item in place of a line' },
    ],
  })
}

function oneKind(): AppError {
  return new AppError('usage', 'Name the lines with --remove, --replace or --refund, one of the three.', {
    hint: 'For example: dray business orders adjust 7K2M --refund 1 --reason missing',
  })
}
