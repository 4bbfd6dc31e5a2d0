import { AppError } from '../core/errors.ts'
import type { CommandContext } from './cli.ts'
import { type OperationHints, readTextArgument } from './command.ts'
import type { SpreadsheetCsv } from './output/csv.ts'
import type { OutputPage } from './output/formats.ts'
import { printValue } from './output/print.ts'
import { commandLine, shellQuote, withFlags } from './output/shell.ts'
import type { PrintOptions } from './output/view.ts'

type Hints = Partial<Pick<OperationHints, 'columns' | 'done' | 'next' | 'instead' | 'list'>> & {
  /** Text before `done`, printed unchanged. */
  told?: string
  /** For the format `csv`: it is for people. */
  sheet?: SpreadsheetCsv | undefined
  /** The sentence for an empty list. */
  empty?: string
  /** True if the response is that of an earlier call with the same key. */
  replayed?: boolean
}

/** Prints a result in the format of the flags, the environment and the profile. */
export async function printResult(cli: CommandContext, value: unknown, hints: Hints = {}): Promise<void> {
  const { globals, settings } = cli
  const { columns = [], empty, replayed = false } = hints
  const next = nextAfter(cli, value, hints)
  const done = replayed ? 'Already carried out with this key: nothing was repeated.' : hints.done
  const world = worldOf(cli)
  const said = (sentence: string | undefined) => sentence && inWorld(sentence, world)
  const view: PrintOptions = {
    format: settings.format,
    sheet: hints.sheet,
    fields: globals.fields,
    query: globals.query,
    columns: columns.length > 0 ? columns : undefined,
    declared: async () =>
      (await (await import('./answer-fields.ts')).findResultFields(cli.spec, cli.args, globals)) ?? [],
    color: settings.color,
    accessible: settings.accessible,
    quiet: globals.quiet,
    pager: cli.spec.danger === 'read' && !globals.noPager && !settings.accessible,
    empty: said(empty),
    told: said(hints.told),
    done: said(done),
    next: next === undefined ? undefined : inSameWorld(next, world),
  }
  try {
    await printValue(cli.io, value, view)
  } catch (error) {
    // A command that changes something prints what it did.
    const isDone = cli.spec.danger !== 'read' && !globals.dryRun
    throw isDone && error instanceof AppError
      ? (await import('./calls/done.ts')).toErrorAfterChange(error)
      : error
  }
}

/** Returns the next command: of an empty list that says why, the same one with the flag that gives rows. */
function nextAfter(
  { argv }: CommandContext,
  value: unknown,
  { next, instead = {} }: Hints,
): string | undefined {
  const { empty } = (value ?? {}) as Partial<OutputPage>
  if (empty === undefined) return next
  const [flag, given] = instead[empty.reason]?.split(' ') ?? []
  const filled = given === '{next}' ? empty.next : given
  if (flag === undefined || filled === null) return undefined
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const others = argv.slice(0, end).filter((word, at) => {
    const isValue = given !== undefined && argv[at - 1] === flag
    return word !== flag && !isValue && !word.startsWith(`${flag}=`)
  })
  const words = [...others, flag, ...(filled === undefined ? [] : [filled]), ...argv.slice(end)]
  const isSame = words.length === argv.length && words.every((word) => argv.includes(word))
  return isSame ? undefined : commandLine(['dray', ...words])
}

/** Returns whether the complete response is printed or queried: JSON, YAML, or a query. */
export function isWholeResponsePrinted({
  settings: { format },
  globals: { query },
}: CommandContext): boolean {
  return format === 'json' || format === 'yaml' || query !== undefined
}

/** Tells people what a call did, before its result is printed. */
export async function printSummary(
  cli: CommandContext,
  value: unknown,
  done: string | undefined,
): Promise<void> {
  if (done !== undefined) await printNotices(cli, value, { done: inWorld(done, worldOf(cli)) })
}

/** Tells people why a list is empty that the command shows in its own way, and the next command. */
export function printEmptyReason(cli: CommandContext, value: unknown, hints: Hints): Promise<void> {
  const next = nextAfter(cli, value, hints)
  return printNotices(cli, value, next === undefined ? {} : { next: inSameWorld(next, worldOf(cli)) })
}

/** Tells people at a terminal the next command, with `{field}` filled from the result. */
export function printNextStep(cli: CommandContext, value: unknown, next: string): Promise<void> {
  return printNotices(cli, value, { next: inSameWorld(next, worldOf(cli)) })
}

async function printNotices(
  { io, settings, globals }: CommandContext,
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

/** The flags that give the account and the place of a command; `merchant` is the store of a business command. */
export type TargetFlags = Pick<CommandContext['globals'], 'as' | 'profile' | 'store' | 'baseUrl'> & {
  merchant?: string | undefined
}

/** Returns the world of a command: what was typed, and for a business command the store that was named or chosen. */
export function worldOf({ spec, globals, args, answered }: CommandContext): TargetFlags {
  if (!spec.words.startsWith('business ')) return globals
  const chosen = answered.find(({ flag }) => flag === '--merchant')?.value
  return { ...globals, merchant: readTextArgument(args, 'merchant') ?? chosen }
}

/** The business commands that name a store. The others name an item or a file. */
const OF_A_STORE =
  /^dray business (?:orders|report|statement|day|tables?|pause|resume|busy|hours|catalog (?:list|create|import|export))\b/

/** Returns a command with the flags that make it use the same account, service and store as this one. */
export function inSameWorld(command: string, { merchant, ...world }: TargetFlags): string {
  if (/ --help\b/.test(command)) return command
  const isTold = (flag: string): boolean => new RegExp(` --${flag}[ =]`).test(`${command} `)
  const store = merchant !== undefined && OF_A_STORE.test(command) && !isTold('merchant')
  const where = isTold('profile') || isTold('store') || isTold('base-url')
  const told = where ? {} : isTold('as') ? { ...world, as: undefined } : world
  return withFlags(command, `${store ? ` --merchant ${shellQuote(merchant)}` : ''}${formatTargetFlags(told)}`)
}

/** Returns the flags that make the next command use the same account and service. */
export function formatTargetFlags({ as, profile, store, baseUrl }: Partial<TargetFlags>): string {
  const said = { as, profile, store, 'base-url': baseUrl }
  return Object.entries(said)
    .flatMap(([flag, value]) => (value === undefined ? [] : [` --${flag} ${shellQuote(value)}`]))
    .join('')
}

/** A command of an area or the sandbox in a hint; a quoted word may hold any character. */
const COMMAND =
  /`(dray (?:food|rides|delivery|carrier|services|tasks|business|account|sandbox|open|share|approve|pending|recent|status|whoami)\b(?:'[^']*'|\\.|[^`'\\])*)`/gs

/** Returns a text with commands for the caller's account, service and store. Areas write them without knowing these. */
export function inWorld(text: string, world: TargetFlags): string {
  return text.replace(COMMAND, (_, command: string) => `\`${inSameWorld(command, world)}\``)
}
