import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { makeLogFilterFlags, readFilter } from '../../cli/log-filter.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { printResult } from '../../cli/print.ts'
import type { Client } from '../../client/client.ts'
import type { Column } from '../../core/operation.ts'
import { ROUTES } from '../../generated/routes.ts'
import type { ControlAnswer, ControlInput } from '../../sandbox/control/index.ts'
import { readControlInput } from './arguments.ts'

type Input = ControlInput<'list_requests'>
type Entry = ControlAnswer<'list_requests'>['data'][number]

const PERIOD_MS = 500

export const sandboxLog = defineCommand({
  words: 'sandbox log',
  summary: 'List the calls that this sandbox handled, newest last',
  description:
    'Covers commands on this machine, agents and `dray serve`: operation, account, status, error code, duration, request ID. ' +
    'Has no bodies and no tokens. Keeps about the last 5000 calls.',
  flags: [
    ...makeLogFilterFlags('only'),
    { flag: 'follow', kind: 'boolean', short: 'f', description: 'keep printing new calls; Ctrl-C stops it' },
  ],
  takes: ['limit'],
  examples: [
    'dray sandbox log',
    'dray sandbox log --failed --limit 5',
    'dray sandbox log --status 5xx --slower 100',
    'dray sandbox log --follow --output ndjson',
  ],
  async run(cli, args) {
    const { follow, ...filters } = args
    readFilter(filters, Object.keys(ROUTES))
    const input = await readControlInput<'list_requests'>(cli, filters)
    const { limit } = cli.globals
    const entries = await readEntries(await cli.client(), { ...input, ...(limit !== undefined && { limit }) })
    if (follow !== true) {
      await printResult(
        cli,
        { data: entries, has_more: false, next_cursor: null },
        {
          list: true,
          columns: await columnsOf(),
          empty:
            Object.keys(input).length === 0
              ? 'No calls yet.'
              : 'No calls match; without these flags `dray sandbox log` shows all calls.',
        },
      )
      return 0
    }
    return followLog(cli, input, entries)
  },
})

/** The columns of the call, with the method of each operation behind the time. */
async function columnsOf(): Promise<Column[]> {
  const { columns } = await loadOperationHints('list_requests')
  return [...columns.slice(0, 1), { field: 'method' }, ...columns.slice(1)]
}

async function readEntries(client: Client, input: Input): Promise<(Entry & { method: string | null })[]> {
  const { data } = await client.control('list_requests', input)
  return data.map(({ time, ...rest }) => ({ time, method: ROUTES[rest.operation]?.method ?? null, ...rest }))
}

/** One line for each, as it comes, until the user ends it. */
async function followLog(
  cli: CommandContext,
  input: Input,
  first: readonly (Entry & { method: string | null })[],
): Promise<never> {
  const stopped = cli.runtime.interruption()
  const lines = cli.settings.format === 'table'
  let after: string | undefined
  for (let entries = first; ;) {
    for (const entry of entries)
      await cli.io.stdout.write(lines ? `${lineOf(entry)}\n` : `${JSON.stringify(entry)}\n`)
    after = entries.at(-1)?.request_id ?? after
    stopped.throwIfAborted()
    await cli.runtime.sleep(PERIOD_MS, stopped)
    entries = await readEntries(await cli.client(), {
      ...input,
      limit: 1000,
      ...(after !== undefined && { after }),
    })
  }
}

function lineOf({
  time,
  method,
  operation,
  account,
  transport,
  status,
  code,
  duration_ms,
  replayed,
}: Entry & { method: string | null }): string {
  const words = [
    time,
    String(status),
    method ?? '-',
    operation,
    account ?? '-',
    transport ?? '-',
    `${duration_ms.toFixed(1)} ms`,
  ]
  return sanitizeForTerminal(
    [...words, ...(code === null ? [] : [code]), ...(replayed ? ['replayed'] : [])].join('  '),
  )
}
