import { isUnclaimedLoss } from '../../areas/carrier/rules/claims.ts'
import { isParcelCancellable } from '../../areas/carrier/states.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Args } from '../../cli/command.ts'
import { confirmName } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { fetchServiceTime } from '../../cli/moment.ts'
import { spec } from '../../generated/specs/cancel_shipment.ts'
import { type BulkAction, listParcelsToChange } from './bulk/act.ts'
import { makeChangeResultFields, changeParcels } from './bulk/change.ts'
import { type ParcelSetArgs, loadParcelSet, isParcelSet, PARCEL_SET_FLAGS } from './bulk/choose.ts'
import { PARCELS_ARGUMENT } from './bulk/flags.ts'
import { resolveParcelNames, type Parcel } from './bulk/parcels.ts'
import { formatParcelCount, namesOf, formatPriceTotals } from './bulk/question.ts'

const BODY_FLAGS = pickOperationFlags(spec, { reason: 'reason_code', note: 'note' })

/** `dray carrier cancel PARCEL...`: one parcel, or a set of them after one question. */
export const carrierCancel = defineCommand({
  words: 'carrier cancel',
  summary: 'Cancel parcels',
  description:
    'Cancels one parcel, several, those of an upload or those in a state; one question names their number, and the sum that is then not billed. Allowed until a parcel is delivered or returned; a parcel in transit is stopped and returned to the sender. Cancelling again changes nothing. With several parcels each has its own result, and a failure does not stop the others: exit 0 if all succeeded, 9 if some did, otherwise the exit code of the error. A script confirms several with --confirm and their number.',
  danger: 'destructive',
  takes: ['dry-run', 'idempotency-key', 'new', 'wait'],
  positionals: [PARCELS_ARGUMENT],
  flags: [...BODY_FLAGS, ...PARCEL_SET_FLAGS],
  answer: makeChangeResultFields('cancel_shipment'),
  examples: [
    ...spec.examples,
    'dray carrier cancel A-1001 A-1002 A-1003 --reason order_cancelled --confirm 3',
    'dray carrier cancel --manifest manifest.results.csv',
    'dray carrier cancel --status pre_transit --created-today',
  ],
  async run(cli, args) {
    await printUnclaimedLoss(cli, args)
    return changeParcels(cli, spec, args, async () => {
      const set = await loadParcelSet(cli, args)
      const deed: BulkAction = {
        operation: 'cancel_shipment',
        body: await readInputFromFlags(cli, BODY_FLAGS, args),
        done: 'cancelled',
        isDone: ({ status }) => status === 'cancelled',
      }
      return {
        set,
        deed,
        agree: () => confirm(cli, listParcelsToChange(set, deed).filter(isParcelCancellable)),
      }
    })
  },
})

/** Says before the question about one parcel that it is lost and not claimed for. `--confirm` answers the question already. */
async function printUnclaimedLoss(cli: CommandContext, args: Args & ParcelSetArgs): Promise<void> {
  const [name] = args.parcel ?? []
  if (name === undefined || isParcelSet(args) || cli.globals.confirm.length > 0 || cli.globals.dryRun) return
  const client = await cli.client()
  const [{ parcel } = {}] = await resolveParcelNames(client, [name])
  if (parcel === undefined || !isUnclaimedLoss(parcel, await fetchServiceTime(client))) return
  await cli.say(`${parcel.tracking_number} is lost. Claim for it first: ${claimCommand(parcel)}`)
}

/** Returns the command that claims for a lost parcel; its owner names the value. */
function claimCommand({ tracking_number }: Parcel): string {
  return `dray carrier claim ${tracking_number} --reason lost`
}

/** Asks once for all; a set in which nothing can be cancelled needs no question before it is rejected. */
async function confirm(cli: CommandContext, parcels: readonly Parcel[]): Promise<void> {
  if (parcels.length === 0) return
  const waiting = parcels.filter(({ status }) => status === 'pre_transit')
  const now = await fetchServiceTime(await cli.client())
  const lost = parcels.filter((parcel) => isUnclaimedLoss(parcel, now))
  const back = parcels.filter(({ status }) => status !== 'pre_transit' && status !== 'lost').length
  const sentences = [
    `Cancel ${formatParcelCount(parcels.length)}: ${namesOf(parcels)}.`,
    ...(waiting.length > 0
      ? [`${waiting.length} not collected yet: ${formatPriceTotals(waiting)} will not be billed.`]
      : []),
    ...(back > 0 ? [`${back} collected: returned to the sender, and billed.`] : []),
    ...(lost.length > 0
      ? [
          `${lost.length} lost: claim for ${lost.length === 1 ? 'it' : 'them'} first, ${lost.map(claimCommand).slice(0, 3).join('; ')}.`,
        ]
      : []),
  ]
  await confirmName(cli, String(parcels.length), sentences.join(' '))
}
