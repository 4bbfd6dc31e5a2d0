/** Shows the bill of a table, and records its payment after a person has seen the sum and the shares. */
import {
  divideTableBill,
  type ShareLine,
  splitTableBill,
  type TableBillOrder,
} from '../../../areas/orders/rules/table-shares.ts'
import { callOnce } from '../../../cli/calls/call-once.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { confirmYes } from '../../../cli/confirm.ts'
import { hasColour } from '../../../cli/output/colour.ts'
import { isInteractiveTable } from '../../../cli/output/render-options-of.ts'
import { usableWidth } from '../../../cli/output/text.ts'
import { printResult, printNextStep } from '../../../cli/print.ts'
import { requirePrompts } from '../../../cli/questions.ts'
import type { OperationInput } from '../../../client/operations.ts'
import { AppError, EXIT } from '../../../core/errors.ts'
import { formatGroupedMoney } from '../../../core/money.ts'
import { findOrderLine } from '../../order-lines.ts'
import {
  formatSettlement,
  formatShares,
  formatTable,
  isOnBill,
  type SharedBill,
  type TableBillOutput,
} from './bill.ts'

type Settle = OperationInput<'settle_table'>
type BillOrder = TableBillOutput['orders'][number]

type TableRequest = {
  table: string | undefined
  pay: boolean
  split: unknown
  groups: readonly string[] | undefined
  merchant: string | undefined
}

const BILL_COLUMNS = [
  { field: 'table_number' },
  { field: 'open_since' },
  { field: 'total', label: 'To pay' },
  { field: 'orders.display_number', label: 'Orders' },
  { field: 'orders.to_pay', label: 'Amounts' },
]

const PAID_COLUMNS = [
  { field: 'table_number' },
  { field: 'settled_at' },
  { field: 'total', label: 'Paid' },
  { field: 'orders.display_number', label: 'Orders' },
  { field: 'shares.amount', label: 'Shares' },
]

/** Gives the exit code. Throws AppError('usage' | 'not_confirmed'), and what the service refuses. */
export async function runTable(cli: CommandContext, asked: TableRequest): Promise<number> {
  const { merchant, pay, split, groups } = asked
  const table_number = asked.table ?? (await askTable(cli, merchant))
  const input: Settle = { table_number, ...(merchant !== undefined && { merchant_id: merchant }) }
  if (!pay) return showBill(cli, await loadBill(cli, input))
  if (cli.globals.dryRun) {
    const shown = await agreeToBill(cli, input, asked)
    await printResult(cli, { operation: 'settle_table', input: { ...input, ...shown } }, { columns: [] })
    await cli.say('Dry run: nothing was recorded.')
    return EXIT.ok
  }
  const agree = async (): Promise<undefined> => {
    // The service refuses another sum than the one that was shown.
    Object.assign(input, await agreeToBill(cli, input, asked))
  }
  return callOnce(
    cli,
    ['table', input, split, groups ?? []],
    { operation: 'settle_table', input },
    {
      agree,
      use: async ({ value, replayed }) => {
        const settled = value as SharedBill
        const told = isInteractiveTable(cli) ? `${formatSettlement(settled, widthOf(cli))}\n` : undefined
        const done = `Table ${settled.table_number} is paid: ${formatGroupedMoney(settled.total)}.`
        await printResult(cli, value, {
          columns: PAID_COLUMNS,
          replayed,
          done,
          ...(told !== undefined && { told }),
        })
        return EXIT.ok
      },
    },
  )
}

/** Asks a person for a table, among those with an open bill. Throws AppError('usage'). */
async function askTable(cli: CommandContext, merchant: string | undefined): Promise<string> {
  const ask = await requirePrompts(cli)
  const client = await cli.client()
  const only = { open: true, limit: 100, ...(merchant !== undefined && { merchant_id: merchant }) }
  const { data } = (await client.call('list_tables', only)).value
  if (data.length === 0) throw new AppError('usage', 'No table has an open bill.')
  const table = await ask.select({
    message: 'Table?',
    choices: data.map(({ table_number, total }) => ({
      value: table_number,
      name: `${table_number}, ${formatGroupedMoney(total)}`,
    })),
  })
  cli.answered.push({ flag: table })
  return table
}

async function loadBill(
  cli: CommandContext,
  { table_number, merchant_id }: Pick<Settle, 'table_number' | 'merchant_id'>,
): Promise<TableBillOutput> {
  const client = await cli.client()
  const one = { table_number, ...(merchant_id !== undefined && { merchant_id }) }
  const [table] = (await client.call('list_tables', one)).value.data
  if (table !== undefined) return table
  throw new AppError('table_not_found', `No table ${table_number}.`)
}

async function showBill(cli: CommandContext, table: TableBillOutput): Promise<number> {
  if (isInteractiveTable(cli)) await cli.io.stdout.write(`${formatTable(table, renderingOf(cli))}\n`)
  else await printResult(cli, table, { columns: BILL_COLUMNS })
  if (table.orders.some(isOnBill)) await printNextStep(cli, table, 'dray business table {table_number} --pay')
  return EXIT.ok
}

/** Shows the bill with its shares and asks. Returns what the call needs besides the table. Throws AppError('not_confirmed'). */
async function agreeToBill(
  cli: CommandContext,
  input: Settle,
  { split, groups }: TableRequest,
): Promise<Pick<Settle, 'expected_total' | 'split' | 'by_lines'>> {
  const table = await loadBill(cli, input)
  const open = table.orders.filter(isOnBill)
  const division = {
    ...(split !== undefined && { split: Number(split) }),
    ...(groups !== undefined && { by_lines: groups.map((each) => readShare(each, open)) }),
  }
  // The service says why such a table cannot be paid.
  if (open.length === 0) return division
  const bill = open.map(toBillOrder)
  const shares =
    division.by_lines === undefined
      ? splitTableBill(bill, division.split ?? 1)
      : divideTableBill(bill, division.by_lines)
  await cli.say([formatTable(table, renderingOf(cli)), ...formatShares(shares, table)].join('\n'))
  if (!cli.globals.dryRun)
    await confirmYes(
      cli,
      `Record that table ${table.table_number} has paid ${formatGroupedMoney(table.total)}?`,
    )
  return { expected_total: table.total, ...division }
}

function toBillOrder({ order_id, display_number, to_pay, lines }: BillOrder): TableBillOrder {
  return {
    order_id,
    display_number,
    amount: to_pay.amount,
    lines: lines.map(({ amount, ...line }) => ({ ...line, cost: amount.amount })),
  }
}

/** Parses `X7KH:1,X7KH:2=1,K2M9`: the lines of a share. Throws AppError('usage'). */
function readShare(typed: string, open: readonly BillOrder[]): ShareLine[] {
  return typed.split(',').flatMap((part) => readShareLines(part.trim(), open))
}

/** An order alone is all its lines. With one order on the bill its number may be left out. */
function readShareLines(text: string, open: readonly BillOrder[]): ShareLine[] {
  const [, head = '', units] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? []
  const [first = '', ...rest] = head.split(':').map((word) => word.trim())
  const named = open.find((each) => isNamed(each, first))
  if (named !== undefined && rest.length === 0 && units === undefined)
    return named.lines.map(({ line_id }) => ({ order_id: named.order_id, line_id }))
  const [only, second] = open
  const order = named ?? (rest.length === 0 && second === undefined ? only : undefined)
  if (order === undefined) throw unknownOrder(text, open)
  const { order_id } = order
  const { line_id } = findOrderLine(order.lines, named === undefined ? first : rest.join(':'))
  return [{ order_id, line_id, ...(units !== undefined && { quantity: readUnitCount(text, units) }) }]
}

function isNamed({ order_id, display_number }: BillOrder, word: string): boolean {
  const name = word.trim().replace(/^#/, '')
  return name === order_id || name.toUpperCase() === display_number
}

function readUnitCount(text: string, units: string): number {
  if (/^[1-9]\d{0,2}$/.test(units.trim())) return Number(units)
  throw new AppError(
    'usage',
    `--by-lines ${JSON.stringify(text.slice(0, 60))}: after = give units such as 1.`,
  )
}

function unknownOrder(text: string, open: readonly BillOrder[]): AppError {
  const numbers = open.map(({ display_number }) => display_number).join(', ')
  return new AppError(
    'usage',
    `--by-lines ${JSON.stringify(text.slice(0, 60))} names no order of the bill${numbers === '' ? '' : `: it has ${numbers}`}.`,
    { hint: 'Write ORDER:LINE or ORDER:LINE=UNITS, such as X7KH:1 or X7KH:2=1.' },
  )
}

function widthOf({ io }: CommandContext): number {
  return usableWidth(io.stdout.columns, io.env)
}

function renderingOf(cli: CommandContext) {
  const { io, settings } = cli
  return { width: widthOf(cli), colour: hasColour(io.stdout, io.env, settings.color) }
}
