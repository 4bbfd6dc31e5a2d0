import type { CommandContext } from '../../cli/cli.ts'
import type { Args } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import type { OperationOutput, OperationInput } from '../../client/operations.ts'
import { readRemainingPages } from '../../client/pages.ts'
import { EXIT } from '../../core/errors.ts'
import { spec } from '../../generated/specs/get_store_statement.ts'
import { readOperationInput, runOperation } from '../operation.ts'
import {
  assertBookkeeping,
  BOOKKEEPING_FLAG,
  type BookkeepingRow,
  printBookkeeping,
} from '../report/bookkeeping.ts'
import { runForStore } from './own-store.ts'

type Entry = OperationOutput<'list_statement_entries'>['data'][number]

/** `dray business statement`: a store's money for a period, or its rows for a bookkeeping program. */
export const businessStatement = defineCommand({
  ...spec,
  description: `${spec.description} --bookkeeping prints one row for each change of what the platform owes the store, as CSV that Xero, QuickBooks and FreeAgent import; their sum is due less the opening balance.`,
  flags: [...spec.flags, BOOKKEEPING_FLAG],
  answer: { of: ['get_store_statement'] },
  examples: [
    ...spec.examples,
    'dray business statement --from 2026-11-01 --to 2026-12-01 --bookkeeping > november.csv',
  ],
  async run(cli, { bookkeeping, ...args }) {
    if (bookkeeping !== true) return runOperation({ ...cli, spec }, args)
    assertBookkeeping(cli)
    return (await runForStore(cli, args, (given) => printEntries(cli, given))) ?? EXIT.ok
  },
})

async function printEntries(cli: CommandContext, args: Args): Promise<number> {
  const { input } = await readOperationInput({ ...cli, spec }, args)
  const client = await cli.client()
  const wanted = { ...(input as OperationInput<'get_store_statement'>), limit: 100 }
  const read = async (cursor?: string) =>
    (await client.call('list_statement_entries', { ...wanted, ...(cursor !== undefined && { cursor }) }))
      .value
  const entries = await readRemainingPages(await read(), read)
  await printBookkeeping(cli, entries.map(toRow))
  return EXIT.ok
}

const WORDS: Readonly<Record<Entry['kind'], (entry: Entry) => string>> = {
  sale: ({ display_number }) => `Sale ${display_number}`,
  collected_by_store: ({ display_number, method }) =>
    `Sale ${display_number} collected by the store (${String(method).replaceAll('_', ' ')})`,
  refund: ({ display_number, reason }) => `Refund ${display_number} (${String(reason).replaceAll('_', ' ')})`,
  refunded_by_store: ({ display_number }) => `Refund ${display_number} paid by the store`,
  payout: () => 'Payout',
}

function toRow(entry: Entry): BookkeepingRow {
  const { business_day: date, amount, order_id, payout_id } = entry
  return { date, description: WORDS[entry.kind](entry), amount, reference: order_id ?? payout_id ?? '' }
}
