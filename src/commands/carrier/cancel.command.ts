import { isTerminal } from '../../areas/carrier/states.ts'
import type { Cli } from '../../cli/cli.ts'
import { confirmName } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { fields, readFields } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/cancel_shipment.ts'
import { runOperation } from '../operation.ts'
import { actOnParcels, type Deed, severalFields } from './set/act.ts'
import { assertOneWay, findSet, isSet, SET_FLAGS } from './set/choose.ts'
import { PARCELS } from './set/flags.ts'
import type { Named, Parcel } from './set/parcels.ts'
import { counted, namesOf, openParcels, sumOf } from './set/question.ts'

const BODY_FLAGS = fields(spec, { reason: 'reason_code', note: 'note' })

/** `dray carrier cancel PARCEL...`: one parcel, or a set of them after one question. */
export const carrierCancel = defineCommand({
  words: 'carrier cancel',
  summary: 'Cancel parcels',
  description:
    'Cancels one parcel, several, those of an upload or those in a state; one question names their number and price. Allowed until a parcel is delivered or returned; a parcel in transit is stopped and returned to the sender. Cancelling again changes nothing. With several parcels each has its own result, and a failure does not stop the others: exit 0 if all succeeded, 9 if some did, otherwise the exit code of the error. A script confirms several with --confirm and their number.',
  danger: 'destructive',
  takes: ['dry-run', 'idempotency-key', 'new', 'wait'],
  positionals: [PARCELS],
  flags: [...BODY_FLAGS, ...SET_FLAGS],
  answer: (args) => (isSet(args) ? severalFields('cancel_shipment') : { of: ['cancel_shipment'] }),
  examples: [
    ...spec.examples,
    'dray carrier cancel A-1001 A-1002 A-1003 --reason order_cancelled --confirm 3',
    'dray carrier cancel --manifest manifest.results.csv',
    'dray carrier cancel --status pre_transit --created-today',
  ],
  async run(cli, args) {
    const { parcel: [only] = [] } = args
    if (!isSet(args)) {
      // `--confirm` and the question are those of the one parcel.
      const { parcel: _, ...rest } = args
      return runOperation({ ...cli, spec }, { ...rest, tracking_number: only })
    }
    assertOneWay(args)
    const set = await findSet(cli, args)
    const body = await readFields(cli, BODY_FLAGS, args)
    const deed: Deed = {
      operation: 'cancel_shipment',
      body,
      done: 'cancelled',
      isDone: ({ status }) => status === 'cancelled',
    }
    if (!cli.globals.dryRun) await confirm(cli, set, deed)
    return actOnParcels(cli, set, deed)
  },
})

/** Asks once for all; a set in which nothing can be cancelled needs no question before it is refused. */
async function confirm(cli: Cli, set: readonly Named[], deed: Deed): Promise<void> {
  const parcels = openParcels(set, deed).filter(canCancel)
  if (parcels.length === 0) return
  const waiting = parcels.filter(({ status }) => status === 'pre_transit')
  const sentences = [
    `Cancel ${counted(parcels)} for ${sumOf(parcels)}: ${namesOf(parcels)}.`,
    ...(waiting.length === parcels.length
      ? ['None is collected yet, and none is billed.']
      : [
          ...(waiting.length > 0
            ? [`${waiting.length} not collected yet, ${sumOf(waiting)}, not billed.`]
            : []),
          `${parcels.length - waiting.length} collected: returned to the sender, and billed.`,
        ]),
  ]
  await confirmName(cli, String(parcels.length), sentences.join(' '))
}

function canCancel({ status }: Parcel): boolean {
  return !isTerminal(status) || status === 'lost'
}
