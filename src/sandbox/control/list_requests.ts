import * as Type from 'typebox'
import { loadAccount } from '../../areas/account/queries/accounts.ts'
import { type LogFilter, matchesFilter, STATUS_PATTERN } from '../../core/log-line.ts'
import { strictObject, component, nullable } from '../../core/schema.ts'
import { type ControlContext, type LoggedControlCall, defineControl } from './control.ts'
import { accountParam } from './schema.ts'

export const listRequests = defineControl({
  name: 'list_requests',
  method: 'GET',
  path: '/sandbox/requests',
  summary: 'List the last calls that the service of this store has handled, oldest first',
  input: strictObject({
    after: Type.Optional(Type.String({ maxLength: 60, description: 'ID of the last request already read' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 50,
        description: 'Maximum number of requests, the latest ones',
      }),
    ),
    operation: Type.Optional(Type.String({ maxLength: 60, description: 'Only this operation' })),
    status: Type.Optional(
      Type.String({
        pattern: STATUS_PATTERN,
        description: 'Status, or status class such as 4xx',
      }),
    ),
    account: Type.Optional(accountParam),
    failed: Type.Optional(Type.Boolean({ description: 'Failed calls only' })),
    slower_ms: Type.Optional(Type.Integer({ minimum: 0, description: 'Minimum duration in milliseconds' })),
  }),
  output: strictObject({
    data: Type.Array(
      component('SandboxRequest', {
        time: Type.String({ description: 'Machine time', label: 'Time' }),
        service_time: nullable('Sandbox time; null where it is unknown', Type.String()),
        request_id: Type.String({ meaning: 'Request', label: 'Request' }),
        transport: nullable(
          'http, mcp, or embedded: in process; null where it is unknown',
          Type.String(),
          'By',
        ),
        operation: Type.String({ meaning: 'Operation, or another route' }),
        account: nullable('Account; null where it is unknown', Type.String()),
        status: Type.Integer({ meaning: 'HTTP status' }),
        code: nullable('Error code; null without an error', Type.String()),
        state: nullable('Status of the one resource in the answer; null for other answers', Type.String()),
        duration_ms: Type.Number({ meaning: 'Duration in milliseconds', label: 'ms' }),
        replayed: Type.Boolean({ meaning: 'Answer repeated for a known idempotency key' }),
      }),
      { meaning: 'Requests, oldest first' },
    ),
  }),
  errors: ['account_not_found'],
  example: () => ({ limit: 2 }),
  cli: {
    command: 'sandbox log',
    danger: 'read',
    columns: [
      'time',
      'operation',
      'account',
      'transport',
      'status',
      'code',
      'duration_ms',
      'replayed',
      'request_id',
    ],
  },
  async run(context, { limit = 50, ...filter }) {
    return { data: (await readLoggedCalls(context, filter)).slice(-limit) }
  },
})

type CallFilter = Omit<LogFilter, 'accounts'> & { after?: string | undefined; account?: string | undefined }

/** Returns the kept calls that match, oldest first. Throws AppError('account_not_found'). */
export async function readLoggedCalls(
  { requests, read }: ControlContext,
  { after, account: name, ...filter }: CallFilter,
): Promise<LoggedControlCall[]> {
  const accounts =
    name === undefined ? undefined : await read(async (tx) => namesOf(await loadAccount(tx, name)))
  const all = requests?.() ?? []
  const start = after === undefined ? 0 : all.findLastIndex((entry) => entry.request_id === after) + 1
  return all.slice(start).filter((entry) => matchesFilter(entry, { ...filter, accounts }))
}

/** A call in process is made under the name that was given. */
function namesOf({ account_id, handle }: { account_id: string; handle: string }): string[] {
  return [account_id, handle]
}
