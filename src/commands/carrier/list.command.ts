import type { CommandContext } from '../../cli/cli.ts'
import type { Flag } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { printResult } from '../../cli/print.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { spec } from '../../generated/specs/list_shipments.ts'
import { runOperation } from '../operation.ts'
import type { ParcelSetArgs } from './bulk/choose.ts'
import { MANIFEST_FLAG, PARCELS_ARGUMENT } from './bulk/flags.ts'
import { CUSTOMER_FLAGS, toCustomerFilter, readCustomer } from './customer.ts'

const COUNT_FLAG = {
  flag: 'count',
  kind: 'boolean',
  description: 'number of parcels in each status, of some days of creation or one customer',
} as const satisfies Flag

/** `dray carrier list`: the parcels that fit filters, or those that are named. */
export const carrierList = defineCommand({
  ...spec,
  description: `${spec.description} Tracking numbers and references list these parcels, --manifest those of a results file; exit 9 if some of them are not found, 5 if all. --count counts the parcels in each status; more is true where it stopped before the last.`,
  positionals: [PARCELS_ARGUMENT],
  flags: [...spec.flags, CUSTOMER_FLAGS[1], MANIFEST_FLAG, COUNT_FLAG],
  answer: ({ count }) =>
    count === true ? { of: ['count_shipments'] } : { of: ['list_shipments'], fields: ['problems.*'] },
  takes: ['limit', 'cursor', 'all'],
  examples: [
    ...spec.examples,
    'dray carrier list A-1001 ZC968043370GB',
    'dray carrier list --manifest manifest.results.csv',
    'dray carrier list --count --customer "Green Cup"',
  ],
  async run(cli, args) {
    const { parcel = [], manifest, count = false, 'without-customer': _, ...others } = args
    const filters = { ...others, ...toCustomerFilter(readCustomer(args)) }
    if (count) return (await import('./count-parcels.ts')).printCountsByStatus(cli, args, filters)
    if (parcel.length === 0 && manifest === undefined) {
      // Programs read the days of each parcel themselves, and need nothing more loaded.
      if (cli.settings.format !== 'table') return runOperation({ ...cli, spec }, filters)
      return (await import('./list-marked.ts')).listMarked(cli, filters)
    }
    const { limit, cursor } = cli.globals
    const given = [...Object.values(filters), limit, cursor].filter((value) => value !== undefined)
    if (given.length > 0)
      throw new AppError('usage', 'Give named parcels, or filters and pages of the list, not both.')
    return listNamed(cli, { parcel, manifest })
  },
})

/** Lists named parcels in their order; the others are told with the reason. */
async function listNamed(cli: CommandContext, choice: ParcelSetArgs): Promise<number> {
  const { assertOneWay, loadParcelSet } = await import('./bulk/choose.ts')
  const { problemsOf } = await import('./bulk/parcels.ts')
  assertOneWay(choice)
  const set = await loadParcelSet(cli, choice)
  const problems = problemsOf(set)
  const data = set.flatMap(({ parcel }) => (parcel === undefined ? [] : [inList(parcel)]))
  if (data.length === 0 && set[0]?.problem !== undefined) throw set[0].problem
  await printResult(
    cli,
    { data, has_more: false, next_cursor: null, problems },
    await loadOperationHints('list_shipments'),
  )
  for (const { detail } of problems) await cli.say(detail)
  return problems.length === 0 ? EXIT.ok : EXIT.partial
}

/** A parcel that was read alone has fields that no list has. */
function inList(parcel: object): object {
  const { scan_history: _, timezone: __, local_times: ___, ...row } = parcel as Record<string, unknown>
  return row
}
