import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import type { Client } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { EVENT_POSITION_PATTERN } from '../../core/event-position.ts'
import { spec } from '../../generated/specs/list_events.ts'
import type { ControlAnswer } from '../../sandbox/control/index.ts'

type Page = ControlAnswer<'list_events'>

const PAGE = 25
/** The most that the service gives at once. */
const MAX_EVENTS_PAGE_SIZE = 1000

export const sandboxEvents = defineCommand({
  words: 'sandbox events',
  summary: 'List all events, oldest first',
  description:
    'Lists all status changes of parcels, orders, payments, items and memberships. Use --limit, --cursor and --all for pages.',
  examples: ['dray sandbox events', 'dray sandbox events --all --output ndjson'],
  takes: ['limit', 'cursor', 'all'],
  async run(cli) {
    const { limit = PAGE, cursor, all } = cli.globals
    if (cursor !== undefined && !new RegExp(EVENT_POSITION_PATTERN).test(cursor)) {
      throw new AppError(
        'usage',
        `--cursor must be the next_cursor of the previous page, not ${JSON.stringify(cursor.slice(0, 40))}.`,
      )
    }
    const client = await cli.client()
    const page = all ? await readAll(client, cursor) : await readPage(client, cursor, limit)
    const { data, has_more, next_after } = page
    await printResult(
      cli,
      { data, has_more, next_cursor: has_more ? next_after : null },
      { ...spec.operation, empty: 'No events yet.' },
    )
    return 0
  },
})

async function readPage(client: Client, after: string | undefined, limit: number): Promise<Page> {
  return client.control('list_events', { ...(after !== undefined && { after }), limit })
}

async function readAll(client: Client, after: string | undefined): Promise<Page> {
  const data: Page['data'] = []
  for (let next = after; ;) {
    const page = await readPage(client, next, MAX_EVENTS_PAGE_SIZE)
    data.push(...page.data)
    if (!page.has_more) return { ...page, data }
    next = page.next_after
  }
}
