import { Command as Parser, CommanderError, Option } from 'commander'
import { AppError, EXIT } from '../core/errors.ts'
import { parseIdempotencyKey } from '../core/idempotency-key.ts'
import type { Args, CommandSpec, Flag } from './command.ts'
import { GLOBAL_FLAGS, globalFlagsOf } from './globals.ts'
import type { Globals } from './globals.ts'
import { shellQuote } from './output/shell.ts'

/**
 * Parses the arguments of one command as text, and its global flags. Throws AppError('usage'). The command itself
 * checks for missing values.
 */
export function parseArgs(spec: CommandSpec, given: readonly string[]): { args: Args; globals: Globals } {
  const argv = spec.positionals.some(({ signed }) => signed) ? withNumbersLast(given) : given
  const own = new Set(spec.flags.map(({ flag }) => flag))
  const flags = [...spec.flags, ...globalFlagsOf(spec)]
  // Creating an option costs more than reading the whole line, so options that were not typed are created only for
  // a suggestion.
  const clustered = argv.some((token) => /^-[^-]/.test(token))
  const typed = flags.filter(
    ({ flag, short }) => (clustered && short !== undefined) || argv.some((token) => names(token, flag)),
  )
  let read = readWith(typed, spec, argv)
  // With all flags, the error can suggest the right one.
  if (read instanceof CommanderError) read = readWith(flags, spec, argv)
  if (read instanceof CommanderError) throw usage(spec, argv, read)
  const { parser, options } = read
  const chosen = parser.opts<Record<string, string | string[] | boolean>>()
  const values = Object.fromEntries(
    options.flatMap(({ flag, options: [option] }) => {
      const name = option?.attributeName() ?? flag.flag
      const value = chosen[name]
      return value === undefined || parser.getOptionValueSource(name) !== 'cli' ? [] : [[flag.flag, value]]
    }),
  ) as Record<string, string | string[] | boolean>
  const positionals = Object.fromEntries(
    spec.positionals.map(({ name }, index) => [name, parser.processedArgs[index] as string]),
  )
  return {
    args: { ...Object.fromEntries([...own].map((flag) => [flag, values[flag]])), ...positionals },
    globals: toGlobals(values, own),
  }
}

/** Returns the line with its numbers below 0 behind `--`, where the parser does not take them for flags. */
function withNumbersLast(argv: readonly string[]): readonly string[] {
  const isNumber = (word: string): boolean => /^-\d+$/.test(word)
  if (argv.includes('--') || !argv.some(isNumber)) return argv
  return [...argv.filter((word) => !isNumber(word)), '--', ...argv.filter(isNumber)]
}

type ParserWithOptions = { parser: Parser; options: { flag: Flag; options: Option[] }[] }

/** Reads the line with these flags, or returns the parser's error. */
function readWith(
  flags: readonly Flag[],
  spec: CommandSpec,
  argv: readonly string[],
): ParserWithOptions | CommanderError {
  const read = makeParser(flags, spec)
  try {
    read.parser.parse(argv, { from: 'user' })
    return read
  } catch (error) {
    if (error instanceof CommanderError) return error
    throw error
  }
}

function makeParser(flags: readonly Flag[], spec: CommandSpec): ParserWithOptions {
  const options = flags.map((flag) => ({ flag, options: toOptions(flag) }))
  const parser = new Parser(`dray ${spec.words}`)
    .exitOverride()
    .configureOutput({ writeErr() {}, writeOut() {} })
    .helpOption(false)
  for (const { options: made } of options) for (const option of made) parser.addOption(option)
  for (const { name, repeat } of spec.positionals) parser.argument(`[${name}${repeat ? '...' : ''}]`)
  return { parser, options }
}

/** Returns whether the token is `--flag`, `--flag=value` or `--no-flag`. */
function names(token: string, flag: string): boolean {
  const name = token.split('=', 1)[0]
  return name === `--${flag}` || name === `--no-${flag}`
}

function toOptions({ flag, field, kind, repeat, value, short, choices, description }: Flag): Option[] {
  const names = short === undefined ? `--${flag}` : `-${short}, --${flag}`
  if (kind === 'boolean') {
    const on = new Option(names, description)
    if (!flag.startsWith('no-')) return [on, new Option(`--no-${flag}`)]
    // The parser would take `--no-input` as the negation of `--input FILE`, and drop the file.
    on.negate = false
    return [on]
  }
  const option = new Option(`${names} <${value ?? kind}>`, description)
  const read = (text: string): string => (choices === undefined ? text : readChoice(flag, text, choices))
  if (repeat) {
    option.argParser<string[]>((text, before) => {
      // `--status delivered,lost` is a list of words; `--map "City=Town, Post"` is one text.
      const typed = field === undefined ? [text] : text.split(',').map((part) => part.trim())
      return [...(before ?? []), ...typed.map(read)]
    })
  } else if (choices !== undefined) {
    option.argParser(read)
  }
  return [option]
}

/** Returns the choice that was typed; `Dine-in` is dine_in. Throws CommanderError with all choices for other text. */
function readChoice(flag: string, typed: string, choices: readonly string[]): string {
  const plain = (word: string): string =>
    word
      .trim()
      .toLowerCase()
      .replaceAll(/[-\s]+/g, '_')
  const choice =
    choices.find((word) => word === typed) ?? choices.find((word) => plain(word) === plain(typed))
  if (choice !== undefined) return choice
  const message = `--${flag} must be one of ${choices.join(', ')}, not "${typed}".`
  throw new CommanderError(EXIT.usage, 'dray.invalidChoice', message)
}

/** Returns the parser's error, in its own words where these are plain, with a pointer to the command's help. */
function usage(spec: CommandSpec, argv: readonly string[], { code, message }: CommanderError): AppError {
  const untaken = code === 'commander.unknownOption' ? untakenGlobal(spec, argv) : undefined
  if (untaken !== undefined) {
    return new AppError('usage', `dray ${spec.words} does not take ${untaken}.`, {
      hint: `\`dray ${spec.words} --help\` lists its flags.`,
    })
  }
  const said =
    code === 'commander.optionMissingArgument'
      ? `${lastFlag(spec, argv)} needs a value.`
      : message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ')
  const sentence = `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.)?]$/.test(said) ? '' : '.'}`
  const help = `\`dray ${spec.words} --help\` shows its arguments.`
  const [, unknown = '', negative] = /^Unknown option '(-([\d.])?.*)'\.$/.exec(sentence) ?? []
  // A flag that is misspelt gets a suggestion of the parser instead.
  const isValue = unknown !== '' && (negative !== undefined || spec.positionals.length > 0)
  const dashed = `Put a value that begins with a dash after --, behind all flags: -- ${shellQuote(unknown)}`
  return new AppError('usage', sentence, {
    hint: !isValue ? help : negative === undefined ? `${help} ${dashed}` : dashed,
  })
}

/** Returns the first global flag of a command line that this command does not accept, as it was typed. */
function untakenGlobal(spec: CommandSpec, argv: readonly string[]): string | undefined {
  const flags = [...spec.flags, ...globalFlagsOf(spec)]
  return argv
    .find(
      (token) =>
        GLOBAL_FLAGS.some(({ flag }) => names(token, flag)) && !flags.some(({ flag }) => names(token, flag)),
    )
    ?.split('=', 1)[0]
}

/** Returns the flag without its value: only the last word of a command line can lack one. */
function lastFlag(spec: CommandSpec, argv: readonly string[]): string {
  const typed = argv.at(-1) ?? ''
  if (typed.startsWith('--')) return typed
  const short = [...spec.flags, ...globalFlagsOf(spec)].find((flag) => flag.short === typed.at(-1))
  return short === undefined ? typed : `--${short.flag}`
}

function toGlobals(values: Record<string, string | string[] | boolean>, own: ReadonlySet<string>): Globals {
  const text = (flag: string): string | undefined => {
    const value = own.has(flag) ? undefined : values[flag]
    return typeof value === 'string' ? value : undefined
  }
  const texts = (flag: string): string[] => {
    const value = own.has(flag) ? undefined : values[flag]
    return Array.isArray(value) ? value : []
  }
  const is = (flag: string): boolean => !own.has(flag) && values[flag] === true
  return {
    json: is('json'),
    output: text('output') as Globals['output'],
    fields: text('fields'),
    query: text('query'),
    profile: text('profile'),
    baseUrl: text('base-url'),
    store: text('store'),
    as: text('as'),
    scenario: text('scenario'),
    limit: toLimit(text('limit')),
    cursor: text('cursor'),
    all: is('all'),
    yes: is('yes'),
    confirm: texts('confirm'),
    noInput: is('no-input'),
    dryRun: is('dry-run'),
    idempotencyKey: toKey(text('idempotency-key')),
    new: is('new'),
    record: text('record'),
    timeout: text('timeout'),
    wait: is('wait'),
    quiet: is('quiet'),
    verbose: is('verbose'),
    debug: is('debug'),
    color: text('color') as Globals['color'],
    accessible: is('accessible'),
    noPager: is('no-pager'),
  }
}

/** Checks a key as the service does. */
function toKey(text: string | undefined): string | undefined {
  if (text === undefined || parseIdempotencyKey(text) !== undefined) return text
  throw new AppError('usage', '--idempotency-key must be 1 to 255 visible ASCII characters.')
}

function toLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 100)
    throw new AppError('usage', `--limit must be a whole number from 1 to 100, not "${text}".`)
  return limit
}
