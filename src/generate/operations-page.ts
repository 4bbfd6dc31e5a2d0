import { MEANING } from '../commands/help-topics.ts'
import { EXIT } from '../core/errors.ts'
import type { ExitName } from '../core/errors.ts'
import type { AnyOperation } from '../core/operation.ts'

/** The page for users with the generated tables, by its path from the root. */
export const OPERATIONS_PAGE = 'docs/operations.md'

/** Returns the page with new text between `<!-- generated:… -->` and `<!-- /generated -->`. */
export function replaceSections(page: string, operations: readonly AnyOperation[]): string {
  const sections = new Map([
    ['operations', operationTable(operations)],
    ['exit-codes', exitCodeTable()],
  ])
  return page.replaceAll(
    /(<!-- generated:([\w-]+) -->\n)[^]*?(\n<!-- \/generated -->)/g,
    (_, start: string, name: string, end: string) => {
      const table = sections.get(name)
      if (table === undefined)
        throw new Error(
          `${OPERATIONS_PAGE} asks for a section ${name}; there are ${[...sections.keys()].join(' and ')}`,
        )
      return `${start}\n${table}${end}`
    },
  )
}

/** Commands that are written by hand, because they are of several operations or of several things. */
const BY_HAND: Readonly<Record<string, string>> = {
  get_restaurant_menu: 'food menu',
  quote_food_order: 'food quote',
  place_food_order: 'food order',
  get_food_order: 'food show',
  quote_ride: 'rides quote',
  request_ride: 'rides request',
  quote_delivery: 'delivery quote',
  request_delivery: 'delivery request',
  get_delivery: 'delivery show',
  create_shipments_batch: 'carrier upload',
  get_shipment: 'carrier show',
  get_provider_availability: 'services slots',
  quote_service: 'services quote',
  book_service: 'services book',
  get_service_booking: 'services show',
  quote_task: 'tasks quote',
  create_task: 'tasks create',
  get_task: 'tasks show',
  get_task_evidence: 'tasks evidence',
  get_business_order: 'business orders show',
  accept_business_order: 'business orders accept',
  reject_business_order: 'business orders reject',
  start_business_order_prep: 'business orders prepare',
  mark_business_order_ready: 'business orders ready',
  complete_business_order: 'business orders complete',
  import_catalog_items: 'business catalog import',
}

function operationTable(operations: readonly AnyOperation[]): string {
  const rows = operations.map(({ name, method, path, scope, cli }) => [
    `\`${name}\``,
    `\`${method} ${path}\``,
    `\`${scope}\``,
    `\`dray ${cli.command ?? BY_HAND[name] ?? `api ${name}`}\``,
  ])
  return table(['operation', 'request', 'scope', 'command'], rows)
}

function exitCodeTable(): string {
  const rows = (Object.keys(EXIT) as ExitName[]).map((name) => [String(EXIT[name]), name, MEANING[name]])
  return table(
    ['code', 'name', 'when'],
    [...rows, ['129, 130, 143', 'interrupted', 'ended by SIGHUP, SIGINT or SIGTERM']],
  )
}

/** Padded as the formatter pads it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)),
  )
  const line = (row: readonly string[], fill = ' '): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |\n`
  return [
    line(head),
    line(
      head.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row)),
  ].join('')
}
