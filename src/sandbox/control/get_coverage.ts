import * as Type from 'typebox'
import { ERRORS, type ErrorCode } from '../../core/errors.ts'
import type { AnyOperation } from '../../core/operation.ts'
import type { Resource } from '../../core/resource.ts'
import { strictObject, describeField, component, nullable } from '../../core/schema.ts'
import { invalidMemberError } from './clock.ts'
import { defineControl, type LoggedControlCall } from './control.ts'
import { readLoggedCalls } from './list_requests.ts'
import { accountParam } from './schema.ts'

/** The statuses of a request that the document does not allow: its schema, method, headers or size. */
const BROKEN = [400, 405, 406, 413, 415]

const count = (description: string) => Type.Integer({ description })
const share = (what: string) =>
  strictObject({ seen: count(`${what} seen`), known: count(`${what} that there are`) })

const row = component('CoverageRow', {
  subject: Type.String({ description: 'Name of an operation or of a resource', label: 'Subject' }),
  kind: Type.Enum(['operation', 'resource'] as const, { description: 'Kind of the subject', label: 'Kind' }),
  calls: Type.Integer({
    description: 'Calls of the operation, or answers with the resource',
    label: 'Calls',
  }),
  seen: Type.Array(Type.String(), {
    description: 'Outcomes seen: a status, with the code of a refusal, or a state of the resource',
    label: 'Seen',
  }),
  never: Type.Array(Type.String(), { description: 'Outcomes never seen', label: 'Never seen' }),
})

export type CoverageRow = Type.Static<typeof row>

export const getCoverage = defineControl({
  name: 'get_coverage',
  method: 'GET',
  path: '/sandbox/coverage',
  summary: 'Show which operations, refusals and states the calls have seen',
  description:
    'Counts the calls that the log keeps, about the last 5000 of this store. Refusals that every call can have are named once seen. States are those of answers that show one resource. Calls that broke the API document are listed.',
  input: strictObject({
    after: Type.Optional(Type.String({ maxLength: 60, description: 'ID of the last request to leave out' })),
    account: Type.Optional(accountParam),
  }),
  output: strictObject({
    calls: count('Calls counted'),
    since: nullable('Machine time of the oldest call counted; null without one', Type.String()),
    operations: describeField('Operations', share('Operations')),
    outcomes: describeField('Statuses and refusals', share('Statuses and refusals')),
    states: describeField('States', share('States')),
    data: Type.Array(row, { meaning: 'Operations and resources, each with its outcomes' }),
    broken: Type.Array(
      component('BrokenCall', {
        time: Type.String({ description: 'Machine time' }),
        request_id: Type.String({ meaning: 'Request' }),
        operation: Type.String({ meaning: 'Operation' }),
        account: nullable('Account, where it is known', Type.String()),
        status: Type.Integer({ meaning: 'HTTP status' }),
        code: nullable('Error code', Type.String()),
      }),
      { meaning: 'Calls that broke the API document' },
    ),
  }),
  errors: ['account_not_found'],
  cli: { command: 'sandbox coverage', danger: 'read', columns: ['subject', 'calls', 'seen', 'never'] },
  async run(context, filter) {
    const [{ OPERATIONS }, { RESOURCES }] = await Promise.all([
      import('../../generated/operation-list.ts'),
      import('../../areas/resources.ts'),
    ])
    const known: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
    // The log is a file: it is read once.
    const kept = context.requests?.() ?? []
    if (filter.after !== undefined && !kept.some((each) => each.request_id === filter.after))
      throw invalidMemberError('after', 'must be a request that the log still keeps: see `dray sandbox log`')
    const names = new Set(known.map(({ name }) => name))
    const all = await readLoggedCalls({ ...context, requests: () => kept }, filter)
    const calls = all.filter(({ operation }) => names.has(operation))
    const operations = known.map((operation) => coverOperation(operation, calls))
    const resources = Object.entries<Resource>(RESOURCES).flatMap(([name, resource]) =>
      coverResource(name, { resource, known, calls }),
    )
    return {
      calls: calls.length,
      since: calls[0]?.time ?? null,
      operations: { seen: operations.filter((each) => each.calls > 0).length, known: known.length },
      outcomes: shareOf(operations),
      states: shareOf(resources),
      data: [...operations, ...resources],
      broken: calls
        .filter(({ status }) => BROKEN.includes(status))
        .map(({ time, request_id, operation, account, status, code }) => ({
          time,
          request_id,
          operation,
          account,
          status,
          code,
        })),
    }
  },
})

function coverOperation(
  { name, status, errors }: Pick<AnyOperation, 'name' | 'status' | 'errors'>,
  all: readonly LoggedControlCall[],
): CoverageRow {
  const calls = all.filter(({ operation }) => operation === name)
  const seen = calls.map((call) => outcome(call.status, call.code))
  const known = [outcome(status), ...errors.map((code: ErrorCode) => outcome(ERRORS[code].status, code))]
  return { subject: name, kind: 'operation', calls: calls.length, ...compare(seen, known) }
}

/** Returns the row of a resource, with the states in the schema of its `show`; none for one without states. */
function coverResource(
  subject: string,
  {
    resource: { creates, changes = [], show, cancel },
    known,
    calls,
  }: { resource: Resource; known: readonly AnyOperation[]; calls: readonly LoggedControlCall[] },
): CoverageRow[] {
  const shown = known.find(({ name }) => name === show)?.output as
    | { properties?: { status?: { enum?: readonly string[] } } }
    | undefined
  const states = shown?.properties?.status?.enum
  if (states === undefined) return []
  const own = [...creates, ...changes, show, cancel]
  const seen = calls.flatMap(({ operation, state }) =>
    state !== null && own.includes(operation) && states.includes(state) ? [state] : [],
  )
  return [{ subject, kind: 'resource', calls: seen.length, ...compare(seen, states) }]
}

function outcome(status: number | null, code: string | null = null): string {
  return code === null ? String(status) : `${status} ${code}`
}

function compare(seen: readonly string[], known: readonly string[]): Pick<CoverageRow, 'seen' | 'never'> {
  const [was, can] = [new Set(seen), new Set(known)]
  return { seen: [...was].toSorted(), never: [...can.difference(was)] }
}

function shareOf(rows: readonly CoverageRow[]): { seen: number; known: number } {
  const seen = rows.reduce((sum, each) => sum + each.seen.length, 0)
  return { seen, known: rows.reduce((sum, { never }) => sum + never.length, seen) }
}
