import { MEANING } from '../commands/help-topics.ts'
import { EXIT } from '../core/errors.ts'
import type { ExitName } from '../core/errors.ts'
import { type AnyOperation, isExtension } from '../core/operation.ts'

/** The page of the documentation that has generated tables, by its path from the root. */
export const OPERATIONS_PAGE = 'docs/operations.md'

/** Returns the page with new text between `<!-- generated:… -->` and `<!-- /generated -->`. */
export function replaceSections(page: string, operations: readonly AnyOperation[]): string {
  const sections = new Map([
    ['operations', operationTable(operations.filter((operation) => !isExtension(operation)))],
    ['beside', operationTable(operations.filter(isExtension), true)],
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

/** Returns a row for each operation, with its toolset where it stands outside the core interface. */
function operationTable(operations: readonly AnyOperation[], beside = false): string {
  const rows = operations.map(({ name, method, path, scope, cli, toolset }) => [
    `\`${name}\``,
    `\`${method} ${path}\``,
    `\`${scope}\``,
    `\`dray ${cli.command}\``,
    ...(beside ? [typeof toolset === 'string' ? `\`${toolset}\`` : 'no tool'] : []),
  ])
  return table(['operation', 'request', 'scope', 'command', ...(beside ? ['toolset'] : [])], rows)
}

function exitCodeTable(): string {
  const rows = (Object.keys(EXIT) as ExitName[]).map((name) => [String(EXIT[name]), name, MEANING[name]])
  return table(
    ['code', 'name', 'when'],
    [...rows, ['129, 130, 143', 'interrupted', 'ended by SIGHUP, SIGINT or SIGTERM']],
  )
}

/** Returns a table, padded as the formatter pads it. */
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
