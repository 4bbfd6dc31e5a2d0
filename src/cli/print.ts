import type { Cli } from './cli.ts'
import type { OperationHints } from './command.ts'
import { print } from './output/print.ts'
import { shellQuote } from './output/shell.ts'

type Hints = Partial<Pick<OperationHints, 'columns' | 'done' | 'next' | 'list'>> & {
  /** Said before `done`, as it is. */
  told?: string
  /** Said of an empty list. */
  empty?: string
  /** The dotted names of the fields that the answer may have. */
  declared?: () => Promise<readonly string[]>
  /** The service gave the answer of an earlier call with the same key. */
  replayed?: boolean
}

/** Prints a result in the form that the flags, the environment and the profile ask for. */
export async function printResult(cli: Cli, value: unknown, hints: Hints = {}): Promise<void> {
  const { globals, settings } = cli
  const { columns = [], told, done, next, empty, declared, replayed = false } = hints
  await print(cli.io, value, {
    format: settings.format,
    fields: globals.fields,
    query: globals.query,
    columns: columns.length > 0 ? columns : undefined,
    declared,
    color: settings.color,
    accessible: settings.accessible,
    quiet: globals.quiet,
    empty,
    told,
    done: replayed ? 'Done before with this key: nothing was done again.' : done,
    next: next === undefined ? undefined : `${next}${sameWorld(globals)}`,
  })
}

/** Whether the answer is printed as it came: JSON and YAML hold all of it, and a query asks all of it. */
export function printsWhole({ settings: { format }, globals: { query } }: Cli): boolean {
  return format === 'json' || format === 'yaml' || query !== undefined
}

/** Says to people what a call did, before its result is printed. */
export async function sayDone(cli: Cli, value: unknown, done: string | undefined): Promise<void> {
  if (done !== undefined) await tellPeople(cli, value, { done })
}

/** Says to people at a terminal which command comes next; `{field}` in it is filled from the result. */
export function sayNext(cli: Cli, value: unknown, next: string): Promise<void> {
  return tellPeople(cli, value, { next: `${next}${sameWorld(cli.globals)}` })
}

async function tellPeople(
  { io, settings, globals }: Cli,
  value: unknown,
  words: Pick<OperationHints, 'done' | 'next'>,
): Promise<void> {
  if (globals.quiet || settings.format !== 'table') return
  const { notices } = await import('./output/notices.ts')
  await notices(io, value, {
    format: 'table',
    fields: undefined,
    query: undefined,
    columns: undefined,
    color: settings.color,
    ...words,
  })
}

/** The next command is meant for the account and the service of this one. */
export function sameWorld({ as, profile, store, baseUrl }: Cli['globals']): string {
  const said = { as, profile, store, 'base-url': baseUrl }
  return Object.entries(said)
    .flatMap(([flag, value]) => (value === undefined ? [] : [` --${flag} ${shellQuote(value)}`]))
    .join('')
}
