/** The frame of the commands that change one parcel, or a set of them after one question. */
import type { CommandContext } from '../../../cli/cli.ts'
import type { AnswerFields, Args, CommandSpec } from '../../../cli/command.ts'
import { runOperation } from '../../operation.ts'
import { runBulkParcelAction, type BulkAction, severalFields } from './act.ts'
import { assertOneWay, type ParcelSetArgs, isParcelSet } from './choose.ts'
import type { NamedParcel } from './parcels.ts'

/** The change of a set, and the question about it, which a dry run does not ask. */
type Plan = { set: readonly NamedParcel[]; deed: BulkAction; agree: () => Promise<unknown> }

/**
 * Runs the operation for the only parcel, with the questions of its own command, or carries out the plan for a set. `plan` is
 * called for a set only. Returns the exit code.
 */
export async function changeParcels(
  cli: CommandContext,
  spec: CommandSpec,
  args: Args & ParcelSetArgs,
  plan: () => Promise<Plan>,
): Promise<number> {
  if (!isParcelSet(args)) {
    const { parcel: [only] = [], ...rest } = args
    return runOperation({ ...cli, spec }, { ...rest, tracking_number: only })
  }
  assertOneWay(args)
  const { set, deed, agree } = await plan()
  if (!cli.globals.dryRun) await agree()
  return runBulkParcelAction(cli, set, deed)
}

/** Returns the fields of the answer: those of the operation for one parcel, or a row for each of a set. */
export function makeChangeResultFields(
  operation: BulkAction['operation'],
  ...rows: [member?: string, more?: readonly string[]]
) {
  return (args: Args): AnswerFields =>
    isParcelSet(args) ? severalFields(operation, ...rows) : { of: [operation] }
}
