/** The numbers of parcels in each status: `dray carrier list --count`. */
import type { CommandContext } from '../../cli/cli.ts'
import type { Args } from '../../cli/command.ts'
import { printResult } from '../../cli/print.ts'
import type { OperationInput } from '../../client/operations.ts'
import { EXIT } from '../../core/errors.ts'
import { spec } from '../../generated/specs/count_shipments.ts'
import { readOperationInput } from '../operation.ts'
import { assertFlagsBeside } from './flags-beside.ts'

/** The flags that go with `--count`. */
const TAKEN: readonly string[] = ['count', 'without-customer', ...spec.flags.map(({ flag }) => flag)]

/**
 * Prints the number of parcels in each status, for days of creation and a customer. `args` is what was typed. Throws
 * AppError('usage') for flags that choose or page parcels, by name.
 */
export async function printCountsByStatus(cli: CommandContext, args: Args, filters: Args): Promise<number> {
  const { limit, cursor, all } = cli.globals
  assertFlagsBeside({ ...args, limit, cursor, all }, TAKEN, '--count counts parcels in each status')
  const counting = { ...cli, spec }
  const { input } = await readOperationInput(counting, filters)
  const client = await cli.client()
  const { value } = await client.call('count_shipments', input as OperationInput<'count_shipments'>)
  await printResult(
    counting,
    { ...value, has_more: false, next_cursor: null },
    { ...spec.operation, list: true },
  )
  return EXIT.ok
}
