import { defineCommand } from '../../cli/define-command.ts'
import { isInteractiveTable } from '../../cli/output/render-options-of.ts'
import { stateWords } from '../../cli/output/state-words.ts'
import { printResult } from '../../cli/print.ts'
import type { Column } from '../../core/operation.ts'
import { RESOURCES } from '../../generated/resources.ts'
import { addressColumn } from '../address-column.ts'
import { readStatus, type StatusReport } from './read.ts'

export const status = defineCommand({
  words: 'status',
  summary: 'Show the target, account, sandbox clock and active orders',
  description:
    'One screen: profile, server and account, clock, pending calls, and what you created here that has not ended. If the server does not respond, it shows the last known values and ends with the exit code of that error.',
  examples: ['dray status', 'dray status --json'],
  async run(cli) {
    const { status: found, error } = await readStatus(cli)
    await printResult(cli, isInteractiveTable(cli) ? forPeople(found) : found, {
      columns: isInteractiveTable(cli) ? columnsOf(found) : SCRIPT_COLUMNS,
      next: nextOf(found),
    })
    if (error === undefined) return 0
    if (cli.settings.format === 'json') return error.exitCode
    throw error
  },
})

/** Every field, so that a script sees the same lines each time. */
const SCRIPT_COLUMNS: readonly Column[] = [
  'profile',
  'kind',
  'address',
  'environment',
  'account',
  'account_id',
  'clock.now',
  'clock.mode',
  'clock.next_due_at',
  'open_calls',
  'on_its_way',
  'more_on_its_way',
  'parcels.counts',
].map((field) => ({ field }))

function columnsOf(found: StatusReport): Column[] {
  const { kind, account_id } = found
  return [
    { field: 'profile' },
    addressColumn(kind),
    { field: 'account' },
    ...(account_id === null ? [] : [{ field: 'account_id', label: 'Account ID' }]),
    { field: 'clock' },
    { field: 'next', label: 'Next event' },
    { field: 'open', label: 'Pending calls' },
    { field: 'parcels' },
    { field: 'on_its_way', label: 'Active' },
    ...(found.more_on_its_way > 0 ? [{ field: 'more_on_its_way', label: 'More' }] : []),
  ]
}

/** Returns the values of the screen: a sentence where a script gets figures. */
function forPeople(found: StatusReport): Record<string, unknown> {
  const { clock, open_calls: open, on_its_way: underway, parcels, environment, profile } = found
  return {
    ...found,
    profile: `${profile} (${environment ?? 'unknown'})`,
    clock: clockText(found),
    next: clock?.next_due_at ?? null,
    more_on_its_way: `${found.more_on_its_way}: see \`dray recent\``,
    open: open === 0 ? 'none' : `${open}: see \`dray pending list\``,
    parcels: parcels === null ? null : parcelText(parcels),
    on_its_way:
      underway.length === 0
        ? 'nothing created on this machine'
        : underway.map(({ id, operation, state, total }) => ({ what: nounOf(operation), id, state, total })),
  }
}

function nounOf(operation: string): string {
  const resource = Object.values(RESOURCES).find(({ creates }) => creates.includes(operation))
  return resource?.bought ?? resource?.noun ?? operation
}

function clockText({ clock, problem }: StatusReport): unknown {
  if (clock !== null) return clock.mode === 'frozen' ? [clock.now, 'frozen'] : clock.now
  return problem === null ? 'no sandbox yet: the first command creates it' : 'not known'
}

function parcelText({ counts, more }: NonNullable<StatusReport['parcels']>): string {
  const parts = Object.entries(counts).map(([state, count]) => `${count} ${stateWords(state)}`)
  if (parts.length === 0) return 'none on the way'
  return more ? `${parts.join(', ')} among the newest 100` : parts.join(', ')
}

function nextOf({ open_calls: open, clock, on_its_way: [first], parcels, kind }: StatusReport): string {
  if (open > 0) return 'dray pending resolve'
  const follow = first?.command ?? undefined
  if (follow !== undefined) return follow
  if (parcels !== null && Object.keys(parcels.counts).length > 0) return 'dray carrier list'
  return clock === null && kind === 'embedded' ? 'dray help' : 'dray recent'
}
