import { summarizeOpenProblems } from '../../areas/orders/rules/wrong-words.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { hasColour } from '../../cli/output/colour.ts'
import { usableWidth } from '../../cli/output/text.ts'
import { printResult, printNextStep } from '../../cli/print.ts'
import { EXIT } from '../../core/errors.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'
import { loadOrder } from './orders/active.ts'
import { resolveStoreOrder } from './orders/find.ts'

/** `dray business orders show ORDER`. */
export const businessOrdersShow = defineCommand({
  words: 'business orders show',
  summary: 'Show an order: lines, payment, history',
  description:
    'Identify an order by ID or by its four-character number, with the day where it repeats (7K2M@2026-11-27).',
  positionals: [{ name: 'order', description: 'order ID or number', required: true }],
  flags: [
    {
      ...MERCHANT_FLAG,
      field: 'merchant_id',
      description: 'store of the order number, by name or ID, if you have several',
    },
  ],
  answer: { of: ['get_business_order'] },
  examples: ['dray business orders show 7K2M', 'dray business orders show 7K2M --json'],
  run: (cli, { order, merchant }) => printStoreOrder(cli, order, merchant),
})

async function printStoreOrder(
  cli: CommandContext,
  word: string | undefined,
  merchant: string | undefined,
): Promise<number> {
  const orderId = await resolveStoreOrder(
    cli,
    word ?? (await (await import('./orders/choose.ts')).chooseOrder(cli, '<order>')),
    merchant,
  )
  const order = await loadOrder(await cli.client(), orderId)
  const { io, settings, globals } = cli
  if (settings.format !== 'table' || !io.stdout.isTTY || (globals.fields ?? globals.query) !== undefined) {
    await printResult(cli, order)
    return EXIT.ok
  }
  const { formatStoreOrder } = await import('./orders/show.ts')
  const renderOptions = {
    tty: true,
    width: usableWidth(io.stdout.columns, io.env),
    colour: hasColour(io.stdout, io.env, settings.color),
    accessible: settings.accessible,
  }
  await io.stdout.write(`${formatStoreOrder(order, renderOptions)}\n`)
  const next = order.allowed_actions.find((action) => action !== 'reject')
  if (summarizeOpenProblems([order]) !== undefined)
    await printNextStep(cli, order, 'dray business orders answer {display_number} --accept full')
  if (next !== undefined) {
    const verb = next === 'preparing' ? 'prepare' : next
    await printNextStep(cli, order, `dray business orders ${verb} {display_number}`)
  }
  return EXIT.ok
}
