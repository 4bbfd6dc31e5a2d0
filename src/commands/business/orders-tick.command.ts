import { assertComplete } from '../../cli/ask-values.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { assertProfileConfirmed } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { AppError } from '../../core/errors.ts'
import { foldForSearch } from '../../core/fold.ts'
import {
  askLine,
  changeOrder,
  makeMissingLineInput,
  MISSING_ORDER_INPUT,
  parseLineRequest,
} from '../order-lines.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'
import { loadOrder } from './orders/active.ts'
import { chooseOrder } from './orders/choose.ts'
import { resolveStoreOrder } from './orders/find.ts'
import type { BusinessOrderOutput } from './orders/order.ts'

/** `dray business orders tick ORDER LINE...`. */
export const businessOrdersTick = defineCommand({
  words: 'business orders tick',
  summary: 'Tick the lines of an order that are made',
  description:
    'Name a line by its number, 1 for the first, or by its item; 1.1 is the first item that replaced line 1. --station ticks all lines of a station. Every kitchen screen shows the ticks; the status of the order stays. Allowed while the order is accepted, preparing or ready.',
  danger: 'write',
  answer: { of: ['tick_order_lines'] },
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [
    { name: 'order', description: 'order ID or number', required: true },
    { name: 'line', repeat: true, description: 'lines that are made, by number or item' },
  ],
  flags: [
    { flag: 'station', kind: 'text', value: 'NAME', description: 'all lines of this station' },
    { flag: 'undo', kind: 'boolean', description: 'take the ticks back' },
    {
      ...MERCHANT_FLAG,
      field: 'merchant_id',
      description: 'store of the order number, by name or ID, if you have several',
    },
  ],
  examples: [
    'dray business orders tick 7K2M 1 2',
    'dray business orders tick 7K2M --station Bar',
    'dray business orders tick 7K2M Focaccia --undo',
  ],
  async run(cli, { order, line: lines = [], station, undo = false, merchant }) {
    await assertComplete(cli, [
      ...(order === undefined ? [MISSING_ORDER_INPUT] : []),
      ...(lines.length > 0 || station !== undefined ? [] : [makeMissingLineInput('LINE')]),
    ])
    const named = { typed: lines, station, done: !undo }
    const word = order ?? (await chooseOrder(cli, '<order>'))
    return tickLines(cli, await resolveStoreOrder(cli, word, merchant), named)
  },
})

type NamedLines = { typed: readonly string[]; station: string | undefined; done: boolean }

async function tickLines(cli: CommandContext, orderId: string, named: NamedLines): Promise<number> {
  return changeOrder(cli, {
    said: ['tick', orderId, named],
    done: (changed) => {
      const { kitchen_lines: all } = changed as BusinessOrderOutput
      const made = all.filter(({ done }) => done).length
      return `${made} of ${all.length} lines of order {display_number} are made.`
    },
    prepare: async () => {
      const order = await loadOrder(await cli.client(), orderId)
      const isOpen = named.typed.length === 0 && named.station === undefined
      const typed = isOpen ? [await askTickedLine(cli, order)] : named.typed
      const ids = [
        ...typed.map((each) => readLine(each, order)),
        ...(named.station === undefined ? [] : listStationLines(order, named.station)),
      ]
      const lines = [...new Set(ids)].map((line_id) => ({ line_id, done: named.done }))
      if (!cli.globals.dryRun) await assertProfileConfirmed(cli)
      return { operation: 'tick_order_lines', input: { order_id: orderId, lines } }
    },
  })
}

/** Asks a person for the line. The equivalent command has its number. */
async function askTickedLine(cli: CommandContext, order: BusinessOrderOutput): Promise<string> {
  const line = await askLine(cli, order, undefined)
  cli.answered.push({ flag: line })
  return line
}

function readLine(typed: string, order: BusinessOrderOutput): string {
  const { line_id, ...part } = parseLineRequest(typed, order)
  if (Object.keys(part).length === 0) return line_id
  throw new AppError('usage', `${JSON.stringify(typed.slice(0, 40))}: a whole line is ticked; leave out =.`)
}

/** Returns the lines of a station. Throws AppError('usage') where it has none of the order. */
function listStationLines({ kitchen_lines: all }: BusinessOrderOutput, typed: string): string[] {
  const own = all.filter(({ station }) => station !== null && foldForSearch(station) === foldForSearch(typed))
  if (own.length > 0) return own.map(({ line_id }) => line_id)
  const stations = [...new Set(all.flatMap(({ station }) => station ?? []))]
  throw new AppError('usage', `No line of the order is at station ${JSON.stringify(typed.slice(0, 40))}.`, {
    hint:
      stations.length === 0
        ? 'None of its lines is at a station.'
        : `Its stations: ${stations.map((each) => sanitizeForTerminal(each)).join(', ')}.`,
  })
}
