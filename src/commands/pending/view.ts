import type { CommandContext } from '../../cli/cli.ts'
import { commandLine } from '../../cli/output/shell.ts'
import { AppError } from '../../core/errors.ts'
import type { Money } from '../../core/money.ts'
import { toTimestamp } from '../../core/time.ts'
import { listPendingCalls } from '../../local-state/pending-calls.ts'
import type { PendingCallFile, PendingCall } from '../../local-state/pending-calls.ts'

export type PendingCallRow = {
  call_id: string
  /** `running`: a process is sending it; `open`: the process that sent it has ended. */
  state: 'open' | 'running'
  command: string
  operation: string
  total: Money | null
  profile: string
  service: string
  account: string | null
  /** By the service's clock. */
  started_at: string
}

export function toPendingCallRow({ intent, running }: PendingCallFile): PendingCallRow {
  const { key, argv, operation, total, profile, service, account, service_time } = intent
  return {
    call_id: key,
    state: running === undefined ? 'open' : 'running',
    command: commandLine(argv),
    operation,
    total,
    profile,
    service,
    account,
    started_at: toTimestamp(service_time),
  }
}

/** Returns the input without payment data and secrets. */
export function redactInput({ input }: PendingCall): unknown {
  return JSON.parse(
    JSON.stringify(input, (name, value: unknown) =>
      typeof value === 'string' && /token|secret|password/.test(name) ? '***' : value,
    ),
  )
}

/** Finds the open call of an id or of its unique beginning; without an id, the only one. Throws AppError('usage'). */
export function selectPendingCall(
  { runtime }: Pick<CommandContext, 'runtime'>,
  id: string | undefined,
): PendingCallFile {
  const all = listPendingCalls(runtime)
  const hint = '`dray pending list` shows them.'
  if (all.length === 0) throw new AppError('usage', 'No pending calls.')
  const exact = all.find(({ intent }) => intent.key === id)
  if (exact !== undefined) return exact
  const [first, second] = all.filter(({ intent }) => intent.key.startsWith(id ?? ''))
  if (first === undefined) throw new AppError('usage', `No pending call ${id?.slice(0, 60)}.`, { hint })
  if (second === undefined) return first
  const said =
    id === undefined
      ? 'There are several pending calls: give an ID.'
      : `Several pending calls begin with ${id.slice(0, 60)}.`
  throw new AppError('usage', said, { hint })
}
