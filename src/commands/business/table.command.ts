import { assertComplete } from '../../cli/ask-values.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { AppError } from '../../core/errors.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

const MISSING_TABLE = { flag: 'TABLE', value: '7', description: 'table number' }

/** `dray business table 7`: the bill of a table, and its payment. */
export const businessTable = defineCommand({
  words: 'business table',
  summary: 'Show the bill of a table, or record that it is paid',
  description:
    'A table has one bill: the sum of the open bills of its orders. --pay closes all of them in one step, or none. dray shows the sum first, and fails if an order was added in the meantime. --split divides it into equal shares, rounded down; the last takes the rest. --by-lines is one share: name it once for each, as ORDER:LINE or ORDER:LINE=UNITS, where an order alone is all its lines. Every unit must be in exactly one share, and the fees follow in proportion. The shares are recorded and printed.',
  danger: 'write',
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [{ name: 'table', description: 'table number', required: true, field: 'table_number' }],
  flags: [
    { flag: 'pay', kind: 'boolean', description: 'record that the guests have paid' },
    { flag: 'split', kind: 'integer', field: 'split', value: 'N', description: 'number of equal shares' },
    {
      flag: 'by-lines',
      kind: 'text',
      value: 'ORDER:LINE[=UNITS],…',
      repeat: true,
      fieldPath: 'by_lines',
      description: 'lines of one share, by order and line number',
    },
    { ...MERCHANT_FLAG, field: 'merchant_id' },
  ],
  answer: ({ pay }) => ({ of: [pay === true ? 'settle_table' : 'list_tables'] }),
  examples: [
    'dray business table 7',
    'dray business table 7 --pay --yes',
    'dray business table 7 --pay --split 3',
    'dray business table 7 --pay --by-lines X7KH:1,X7KH:2=1 --by-lines X7KH:2=1,K2M9',
  ],
  async run(cli, { table, pay = false, split, 'by-lines': groups, ...args }) {
    assertDivision({ pay, split, groups })
    await assertComplete(cli, table === undefined ? [MISSING_TABLE] : [])
    const [{ runForStore }, { runTable }] = await Promise.all([
      import('./own-store.ts'),
      import('./table/pay.ts'),
    ])
    return runForStore(cli, args, ({ merchant }) =>
      runTable(cli, { table, pay, split, groups, merchant: merchant as string | undefined }),
    )
  },
})

type Division = { pay: boolean; split: unknown; groups: readonly string[] | undefined }

/** Throws AppError('usage') for a division without a payment, and for two. */
function assertDivision({ pay, split, groups }: Division): void {
  const flags = [...(split === undefined ? [] : ['--split']), ...(groups === undefined ? [] : ['--by-lines'])]
  if (flags.length > 1)
    throw new AppError('usage', 'Give --split or --by-lines, not both.', {
      hint: 'For example: dray business table 7 --pay --split 3',
    })
  if (flags.length === 1 && !pay)
    throw new AppError('usage', `${flags.join('')} requires --pay.`, {
      hint: 'Add --pay; with --dry-run it shows the shares and records nothing.',
    })
}
