import { confirmPurchases } from '../../cli/confirm-purchase.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { MAX_TOTAL_FLAG } from '../../cli/max-total.ts'
import { spec } from '../../generated/specs/create_return.ts'
import { makeChangeResultFields, changeParcels } from './bulk/change.ts'
import { loadParcelSet, PARCEL_SET_FLAGS } from './bulk/choose.ts'
import { PARCELS_ARGUMENT } from './bulk/flags.ts'
import { priceReturns, returnsOf } from './bulk/returns.ts'

const BODY_FLAGS = pickOperationFlags(spec, {
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
  positionals: [PARCELS_ARGUMENT],
  flags: [...BODY_FLAGS, ...PARCEL_SET_FLAGS, MAX_TOTAL_FLAG],
  answer: makeChangeResultFields('create_return', 'return', ['return_number']),
  examples: [
    ...spec.examples,
    'dray carrier return A-1001 A-1002 --yes --max-total 20.00',
    'dray carrier return --manifest manifest.results.csv',
  ],
  run: (cli, args) =>
    changeParcels(cli, spec, args, async () => {
      const set = await loadParcelSet(cli, args)
      const deed = await returnsOf(cli, set, await readInputFromFlags(cli, BODY_FLAGS, args))
      const { operation, body: input } = deed
      const what = `the returns of ${set.length} parcels`
      const price = () => priceReturns(cli, set, deed)
      return { set, deed, agree: () => confirmPurchases(cli, args, { operation, input, what, price }) }
    }),
})
