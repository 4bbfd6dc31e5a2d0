/** One change of many parcels: a result for each. */
import { callOnce } from '../../../cli/calls/call-once.ts'
import {
  type SendResult,
  countOutcomes,
  exitOfSeveral,
  type SendOutcome,
  sendEach,
} from '../../../cli/calls/send-each.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { InterruptedError } from '../../../cli/io.ts'
import { printResult } from '../../../cli/print.ts'
import type { CallResult } from '../../../client/client.ts'
import { EXIT, toProblem } from '../../../core/errors.ts'
import type { NamedParcel, Parcel } from './parcels.ts'

export type BulkAction = {
  /** The operation, which takes a tracking number; and the rest of its input. */
  operation: 'cancel_shipment' | 'redirect_shipment' | 'create_return'
  body: Readonly<Record<string, unknown>>
  /** `cancelled`: the word for parcels to which it was done. */
  done: string
  /** True of a parcel to which it was done before. */
  isDone: (parcel: Parcel) => boolean
  /** The fields and columns of a row, where the answer is not the parcel. */
  rows?: { columns: Columns; tell: (answer: unknown, parcel: Parcel | undefined) => object }
}

type Columns = readonly { field: string; label?: string }[]

const FIELDS = [
  'tracking_number',
  'reference',
  'result',
  'status',
  'problem.code',
  'problem.exit_code',
  'problem.*',
]

/** Returns the fields of the answer about several parcels, a row for each; `member` has that of the operation. */
export function severalFields(
  operation: BulkAction['operation'],
  member = 'parcel',
  more: readonly string[] = [],
) {
  return { fields: [...FIELDS, ...more], within: { [member]: operation } }
}

const COLUMNS = [
  { field: 'tracking_number', label: 'Parcel' },
  { field: 'reference' },
  { field: 'result' },
  { field: 'status' },
  { field: 'problem.code', label: 'Reason' },
]

/** Does it to each parcel once, however often the command is repeated; prints the results. Returns the exit code. */
export async function runBulkParcelAction(
  cli: CommandContext,
  set: readonly NamedParcel[],
  deed: BulkAction,
): Promise<number> {
  const { operation, body } = deed
  if (cli.globals.dryRun) {
    const calls = listParcelsToChange(set, deed).map(({ tracking_number }) => ({
      operation,
      input: { tracking_number, ...body },
    }))
    const columns = [{ field: 'operation' }, { field: 'input.tracking_number' }]
    await printResult(cli, { data: calls, has_more: false, next_cursor: null }, { columns, list: true })
    await cli.say('Dry run: nothing was sent.')
    return EXIT.ok
  }
  return report(cli, deed, await sendBulkAction(cli, set, deed))
}

/** Does it to each parcel once, and prints nothing. */
export async function sendBulkAction(
  cli: CommandContext,
  set: readonly NamedParcel[],
  deed: BulkAction,
): Promise<SendResult<NamedParcel, Parcel>> {
  const { operation, body } = deed
  const idOf = ({ parcel, word }: NamedParcel): string => parcel?.tracking_number ?? word
  return sendEach<NamedParcel, Parcel>(cli, set, {
    noun: 'parcel',
    idOf,
    send(own, named) {
      const input = { tracking_number: idOf(named), ...body }
      const use = async ({ value }: CallResult): Promise<Parcel> => value as Parcel
      return callOnce(own, [operation, input], { operation, input }, { use })
    },
    isDone: ({ parcel }) => parcel !== undefined && deed.isDone(parcel),
  })
}

/** Returns the parcels of a set for which something is to be sent. */
export function listParcelsToChange(set: readonly NamedParcel[], { isDone }: BulkAction): Parcel[] {
  return set.flatMap(({ parcel }) => (parcel === undefined || isDone(parcel) ? [] : parcel))
}

function toRow(
  { named: { word, parcel: before }, result, value, error }: SendOutcome<NamedParcel, Parcel>,
  rows: BulkAction['rows'],
) {
  const parcel = rows === undefined ? (value ?? before) : before
  const current = error?.extra['current_status']
  return {
    tracking_number: parcel?.tracking_number ?? null,
    reference: parcel === undefined ? word : parcel.reference,
    result,
    status: typeof current === 'string' ? current : (parcel?.status ?? null),
    ...(rows === undefined ? { parcel: value ?? null } : rows.tell(value, before)),
    problem: error === undefined ? null : { ...toProblem(error), exit_code: error.exitCode },
  }
}

async function report(
  cli: CommandContext,
  { done, rows }: BulkAction,
  { outcomes, stopped }: SendResult<NamedParcel, Parcel>,
): Promise<number> {
  const counts = {
    ...countOutcomes(outcomes),
    unchanged: outcomes.filter(({ result }) => result === 'unchanged').length,
  }
  const data = outcomes.map((outcome) => toRow(outcome, rows))
  const page = { counts, data, has_more: false, next_cursor: null }
  await printResult(cli, page, { columns: [...COLUMNS, ...(rows?.columns ?? [])], list: true })
  if (cli.settings.format === 'table') {
    const parts = [
      `${counts.done} ${done}`,
      ...(counts.unchanged > 0 ? [`${counts.unchanged} ${done} before`] : []),
      ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
      ...(counts.not_sent > 0 ? [`${counts.not_sent} not sent`] : []),
    ]
    const why = outcomes.flatMap(({ named, error }) =>
      error === undefined ? [] : [`  ${named.parcel?.tracking_number ?? named.word}: ${error.message}`],
    )
    await cli.say([`${parts.join(', ')}.`, ...why].join('\n'))
  }
  if (stopped instanceof InterruptedError) throw stopped
  return exitOfSeveral(outcomes, stopped)
}
