import { targetKey } from '../cli/calls/created.ts'
import { defineCommand } from '../cli/define-command.ts'
import { isInteractiveTable } from '../cli/output/render-options-of.ts'
import { shellQuote } from '../cli/output/shell.ts'
import { printResult } from '../cli/print.ts'
import { findWaitable } from '../cli/track/tracking-stages.ts'
import { listCreatedResources, type RecentUpload } from '../local-state/recent.ts'
import { withStates, type WithState } from './recent-states.ts'

export const recent = defineCommand({
  words: 'recent',
  summary: 'List what you created and its latest status: orders, rides, parcels, tasks',
  description:
    'Lists the last 200, newest first, from a journal on this machine. The status of what has not ended comes from the server, which has 3 seconds to respond; otherwise the last known status is shown. An uploaded file of parcels is one line. `--limit` lists at most 100 of them; without it all are listed.',
  examples: ['dray recent', 'dray recent --limit 5 --json'],
  takes: ['limit'],
  async run(cli) {
    const all = listCreatedResources(cli.runtime)
    const { rows, problem } = await withStates(cli, all.slice(0, cli.globals.limit ?? all.length))
    const people = isInteractiveTable(cli)
    const more = all.length - rows.length
    const data = rows.map((row) => (people ? { ...row, state: stateText(row) } : withCommand(row)))
    const open = rows.find(
      (row) => row.is_current && !row.is_over && row.account === targetKey(cli.settings).account,
    )
    const track = open && findWaitable(open.operation)?.track
    await printResult(
      cli,
      // A table would mention --all, which is not a flag of this command.
      { data, has_more: more > 0 && cli.settings.format !== 'table', next_cursor: null },
      {
        list: true,
        columns: [
          { field: 'created_at', dropOrder: 5 },
          { field: 'id' },
          { field: 'total', dropOrder: 4 },
          { field: 'state' },
          { field: 'operation', label: 'Operation', dropOrder: 3 },
          { field: 'account', dropOrder: 2 },
          { field: 'profile', dropOrder: 1 },
        ],
        ...(people && { told: formatRecentNotes(more, problem, rows) }),
        empty: 'Nothing was created on this machine yet.',
        ...(track !== undefined && { next: `${track} ${open?.id}` }),
      },
    )
    if (problem !== undefined && !people) await cli.say(lastSeen(problem))
    return 0
  },
})

/** Adds, for scripts, the command that lists the parcels of an upload. */
function withCommand(row: WithState): WithState & { command?: string } {
  return row.upload === undefined ? row : { ...row, command: batchCommand(row) }
}

/** Returns the command as the account that uploaded it. */
function batchCommand({ id, account }: WithState): string {
  return `dray carrier list --batch ${id}${account === null ? '' : ` --as ${shellQuote(account)}`}`
}

/** Returns a summary of an upload: `12 created, 1 rejected: orders.csv`. */
function uploadText({
  file,
  batch_ids: batches,
  created,
  duplicate,
  rejected,
  not_sent,
}: RecentUpload): string {
  const parts = [
    `${created} created`,
    ...(duplicate > 0 ? [`${duplicate} already there`] : []),
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(not_sent > 0 ? [`${not_sent} not sent`] : []),
  ]
  return `${parts.join(', ')}${batches.length > 1 ? ` in ${batches.length} batches` : ''}: ${file}`
}

/** Returns the status; `was pending` when the service could not be asked. */
function stateText({ state, is_current, upload }: WithState): string | null {
  if (upload !== undefined) return uploadText(upload)
  return state === null || is_current ? state : `was ${state}`
}

function formatRecentNotes(more: number, problem: string | undefined, rows: readonly WithState[]): string {
  const upload = rows.find(({ upload: file }) => file !== undefined)
  return [
    ...(upload === undefined
      ? []
      : [`\`${batchCommand(upload)}\` lists the parcels of an upload; --json names all of its batches.`]),
    ...(more > 0 ? [`${more} more; leave out --limit to list all.`] : []),
    ...(problem === undefined ? [] : [lastSeen(problem)]),
  ].join('\n')
}

function lastSeen(problem: string): string {
  return `${problem} Some statuses are the last known ones.`
}
