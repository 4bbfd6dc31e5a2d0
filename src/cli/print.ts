import { AppError } from '../core/errors.ts'
import type { Cli } from './cli.ts'
import type { OperationHints } from './command.ts'
import { print } from './output/print.ts'
import { shellQuote } from './output/shell.ts'
import type { View } from './output/view.ts'

type Hints = Partial<Pick<OperationHints, 'columns' | 'done' | 'next' | 'list'>> & {
  /** Text before `done`, printed unchanged. */
  told?: string
  /** The sentence for an empty list. */
  empty?: string
  /** Whether the response is that of an earlier call with the same key. */
  replayed?: boolean
}

/** Prints a result in the format of the flags, the environment and the profile. */
export async function printResult(cli: Cli, value: unknown, hints: Hints = {}): Promise<void> {
  const { globals, settings } = cli
  const { columns = [], told, done, next, empty, replayed = false } = hints
  const view: View = {
    format: settings.format,
    fields: globals.fields,
    query: globals.query,
    columns: columns.length > 0 ? columns : undefined,
    declared: async () =>
      (await (await import('./answer-fields.ts')).answerFields(cli.spec, cli.args, globals)) ?? [],
    color: settings.color,
    accessible: settings.accessible,
    quiet: globals.quiet,
    pager: cli.spec.danger === 'read' && !globals.noPager && !settings.accessible,
    empty,
    told,
    done: replayed ? 'Done before with this key: nothing was done again.' : done,
    next: next === undefined ? undefined : `${next}${sameWorld(globals)}`,
  }
  try {
    await print(cli.io, value, view)
  } catch (error) {
    // A command that changes something prints what it did.
    const isDone = cli.spec.danger !== 'read' && !globals.dryRun
    throw isDone && error instanceof AppError ? (await import('./calls/done.ts')).afterSending(error) : error
  }
}

/** Returns whether the complete response is printed or queried: JSON, YAML, or a query. */
export function printsWhole({ settings: { format }, globals: { query } }: Cli): boolean {
  return format === 'json' || format === 'yaml' || query !== undefined
}

/** Tells people what a call did, before its result is printed. */
export async function sayDone(cli: Cli, value: unknown, done: string | undefined): Promise<void> {
  if (done !== undefined) await tellPeople(cli, value, { done })
}

/** Tells people at a terminal the next command, with `{field}` filled from the result. */
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

/** The flags that say for whom and where a command acts. */
export type World = Pick<Cli['globals'], 'as' | 'profile' | 'store' | 'baseUrl'>

/** Returns the flags that make the next command use the same account and service. */
export function sameWorld({ as, profile, store, baseUrl }: World): string {
  const said = { as, profile, store, 'base-url': baseUrl }
  return Object.entries(said)
    .flatMap(([flag, value]) => (value === undefined ? [] : [` --${flag} ${shellQuote(value)}`]))
    .join('')
}
