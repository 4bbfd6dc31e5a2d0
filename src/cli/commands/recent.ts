import { listCreated } from '../../client/recent.ts'
import { defineCommand } from '../command.ts'
import { placeOf } from '../created.ts'
import { isForPeople } from '../output/manner-of.ts'
import { printResult } from '../print.ts'
import { withStates, type WithState } from '../recent-states.ts'
import { lifeOf } from '../track/lives.ts'

export const recent = defineCommand({
  words: 'recent',
  summary: 'What was created from here, and how it ended: orders, rides, parcels, tasks',
  description:
    'Newest first, the last 200, from a journal on this machine. The states of what is not over are read from the service, for three seconds at most; where that is not possible they are those seen last. `--limit` shows fewer.',
  examples: ['dray recent', 'dray recent --limit 5 --json'],
  takes: ['limit'],
  async run(cli) {
    const all = listCreated(cli.runtime)
    const { rows, problem } = await withStates(cli, all.slice(0, cli.globals.limit ?? all.length))
    const people = isForPeople(cli)
    const more = all.length - rows.length
    const data = people ? rows.map((row) => ({ ...row, state: stateText(row) })) : rows
    const open = rows.find((row) => row.is_current && !row.is_over && row.account === placeOf(cli).account)
    const track = open && lifeOf(open.operation)?.track
    await printResult(
      cli,
      { data, has_more: more > 0 && !people, next_cursor: null },
      {
        list: true,
        columns: [
          { field: 'created_at', label: 'Created', gives: 5 },
          { field: 'id' },
          { field: 'total', gives: 4 },
          { field: 'state' },
          { field: 'operation', label: 'By', gives: 3 },
          { field: 'account', gives: 2 },
          { field: 'profile', gives: 1 },
        ],
        ...(people && { told: noteText(more, problem) }),
        empty: 'Nothing was created from here yet.',
        ...(track !== undefined && { next: `${track} ${open?.id}` }),
      },
    )
    if (problem !== undefined && !people) await cli.say(lastSeen(problem))
    return 0
  },
})

/** `was pending`: nobody could be asked how it is now. */
function stateText({ state, is_current }: WithState): string | null {
  return state === null || is_current ? state : `was ${state}`
}

function noteText(more: number, problem: string | undefined): string {
  return [
    ...(more > 0 ? [`${more} more; without --limit all are listed.`] : []),
    ...(problem === undefined ? [] : [lastSeen(problem)]),
  ].join('\n')
}

function lastSeen(problem: string): string {
  return `${problem} Some states are those that were seen last.`
}
