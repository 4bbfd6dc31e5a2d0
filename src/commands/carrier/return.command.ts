import type { Cli } from '../../cli/cli.ts'
import { confirmPrice, type Price } from '../../cli/confirm-purchase.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { fields, readFields } from '../../cli/fields.ts'
import { MAX_TOTAL_FLAG } from '../../cli/max-total.ts'
import type { Answer } from '../../client/operations.ts'
import { sumOf } from '../../client/parcel-prices.ts'
import { AppError } from '../../core/errors.ts'
import { spec } from '../../generated/specs/create_return.ts'
import { runOperation } from '../operation.ts'
import { actOnParcels, type Deed, severalFields } from './set/act.ts'
import { assertOneWay, findSet, isSet, SET_FLAGS } from './set/choose.ts'
import { PARCELS } from './set/flags.ts'
import { nameParcels, type Named, type Parcel } from './set/parcels.ts'
import { openParcels } from './set/question.ts'

const BODY_FLAGS = fields(spec, {
  label: 'label',
  weight: 'parcel.weight_grams',
  length: 'parcel.length_mm',
  width: 'parcel.width_mm',
  height: 'parcel.height_mm',
  description: 'parcel.description',
  'declared-value': 'parcel.declared_value',
})

/** `dray carrier return PARCEL...`: the returns of one parcel, or of a set of them after one question. */
export const carrierReturn = defineCommand({
  words: 'carrier return',
  summary: 'Create the returns of parcels',
  description: `${spec.description} Several parcels, those of an upload or those in a state take one question with their number and price; each has its own result, and exit 9 says that only some could be created. A parcel that has a return keeps it.`,
  danger: 'spend',
  takes: ['scenario', 'dry-run', 'idempotency-key', 'new', 'wait'],
  positionals: [PARCELS],
  flags: [...BODY_FLAGS, ...SET_FLAGS, MAX_TOTAL_FLAG],
  answer: (args) =>
    isSet(args) ? severalFields('create_return', 'return', ['return_number']) : { of: ['create_return'] },
  examples: [
    ...spec.examples,
    'dray carrier return A-1001 A-1002 --yes --max-total 20.00',
    'dray carrier return --manifest manifest.results.csv',
  ],
  async run(cli, args) {
    const { parcel: [only] = [] } = args
    if (!isSet(args)) {
      const { parcel: _, ...rest } = args
      return runOperation({ ...cli, spec }, { ...rest, tracking_number: only })
    }
    assertOneWay(args)
    const set = await findSet(cli, args)
    const deed = await deedFor(cli, set, await readFields(cli, BODY_FLAGS, args))
    if (!cli.globals.dryRun)
      await confirmPrice(cli, args, {
        operation: 'create_return',
        input: deed.body,
        price: () => priceOf(cli, openParcels(set, deed), deed),
      })
    return actOnParcels(cli, set, deed)
  },
})

/** Returns the creation of returns. A parcel whose return is not cancelled keeps it, so that a retry creates none twice. */
async function deedFor(cli: Cli, set: readonly Named[], body: Deed['body']): Promise<Deed> {
  const named = set.flatMap(({ parcel }) => parcel?.return_number ?? [])
  const returns = await nameParcels(await cli.client(), named)
  const living = new Set(
    returns.flatMap(({ parcel }) =>
      parcel === undefined || parcel.status === 'cancelled' ? [] : [parcel.tracking_number],
    ),
  )
  return {
    operation: 'create_return',
    body,
    done: 'created',
    isDone: ({ return_number: number }) => number !== undefined && living.has(number),
    rows: {
      columns: [{ field: 'return_number', label: 'Return' }],
      tell: (answer, parcel) => ({
        return_number:
          (answer as Answer<'create_return'> | undefined)?.tracking_number ?? parcel?.return_number ?? null,
        return: answer ?? null,
      }),
    },
  }
}

/** Statuses of refusals that are about one parcel. */
const REFUSED: ReadonlySet<number> = new Set([404, 409, 422])

/** Returns the sum of the returns that can be created. */
async function priceOf(cli: Cli, parcels: readonly Parcel[], { body }: Deed): Promise<Price> {
  const client = await cli.client()
  const priced: Answer<'create_return'>[] = []
  for (const { tracking_number } of parcels) {
    try {
      const input = { ...body, tracking_number, price_only: true }
      priced.push((await client.call('create_return', input)).value)
    } catch (error) {
      // The refusal becomes the result of its row.
      if (!(error instanceof AppError) || !REFUSED.has(error.entry.status ?? 0)) throw error
    }
  }
  const total = sumOf(priced.map(({ price }) => price.total))
  if (total === undefined) return 'free'
  return {
    total,
    what: `${priced.length === 1 ? 'this return' : `these ${priced.length} returns`}`,
    lines: [],
  }
}
