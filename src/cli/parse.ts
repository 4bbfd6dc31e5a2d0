import { Command as Parser, CommanderError, Option } from 'commander'
import { AppError } from '../core/errors.ts'
import type { Args, CommandSpec, Flag } from './command.ts'
import { GLOBAL_FLAGS, globalFlagsOf } from './globals.ts'
import type { Globals } from './globals.ts'

/**
 * Parses the arguments of one command as text, and its global flags. Throws AppError('usage'). The command itself
 * checks for missing values.
 */
export function parseArgs(spec: CommandSpec, argv: readonly string[]): { args: Args; globals: Globals } {
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
  if (read instanceof CommanderError) throw usage(spec, read)
  const { parser, options } = read
  const given = parser.opts<Record<string, string | string[] | boolean>>()
  const values = Object.fromEntries(
    options.flatMap(({ flag, options: [option] }) => {
      const name = option?.attributeName() ?? flag.flag
      const value = given[name]
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

type Read = { parser: Parser; options: { flag: Flag; options: Option[] }[] }

/** Reads the line with these flags, or returns the parser's error. */
function readWith(flags: readonly Flag[], spec: CommandSpec, argv: readonly string[]): Read | CommanderError {
  const read = makeParser(flags, spec)
  try {
    read.parser.parse(argv, { from: 'user' })
    return read
  } catch (error) {
    if (error instanceof CommanderError) return error
    throw error
  }
}

function makeParser(flags: readonly Flag[], spec: CommandSpec): Read {
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
    return flag.startsWith('no-') ? [on] : [on, new Option(`--no-${flag}`)]
  }
  const option = new Option(`${names} <${value ?? kind}>`, description)
  if (choices !== undefined) {
    const { parseArg } = option.choices(choices)
    option.argParser((text: string, before: unknown) => parseArg?.(asChoice(text, choices), before))
  }
  if (repeat) {
    option.argParser<string[]>((text, before) => {
      // `--status delivered,lost` is a list of words; `--map "City=Town, Post"` is one text.
      const typed = field === undefined ? [text] : text.split(',').map((part) => part.trim())
      const parts = choices === undefined ? typed : typed.map((part) => asChoice(part, choices))
      const wrong = choices === undefined ? undefined : parts.find((part) => !choices.includes(part))
      if (wrong !== undefined) {
        throw new CommanderError(2, 'dray.invalidChoice', notOneOf(`--${flag}`, wrong, choices ?? []))
      }
      return [...(before ?? []), ...parts]
    })
  }
  return [option]
}

/** Converts `Dine-in` to dine_in; returns text that is no choice unchanged. */
function asChoice(typed: string, choices: readonly string[]): string {
  const plain = (word: string): string =>
    word
      .trim()
      .toLowerCase()
      .replaceAll(/[-\s]+/g, '_')
  return (
    choices.find((choice) => choice === typed) ??
    choices.find((choice) => plain(choice) === plain(typed)) ??
    typed
  )
}

function notOneOf(flag: string, given: string, choices: readonly string[]): string {
  return `${flag} must be one of ${choices.join(', ')}, not "${given}".`
}

/** Returns the parser's error with a pointer to the command's help. */
function usage(spec: CommandSpec, error: CommanderError): AppError {
  const untaken = notTaken(spec, error)
  if (untaken !== undefined) return untaken
  const message = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ')
  const [, flag = '', given = '', choices] =
    /^option '(?:-\w, )?(--[\w-]+)[^']*' argument (?:'(.*)' is invalid\. Allowed choices are (.*)\.|missing)$/.exec(
      message,
    ) ?? []
  const said =
    flag === ''
      ? `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.)?]$/.test(message) ? '' : '.'}`
      : choices === undefined
        ? `${flag} needs a value.`
        : notOneOf(flag, given, choices.split(', '))
  return new AppError('usage', said, { hint: `\`dray ${spec.words} --help\` shows what it takes.` })
}

/** Returns the error for a global flag that this command does not accept; undefined for every other error. */
function notTaken({ words }: CommandSpec, { code, message }: CommanderError): AppError | undefined {
  if (code !== 'commander.unknownOption') return undefined
  const [, typed = ''] = /'(--[\w-]+)/.exec(message) ?? []
  if (!GLOBAL_FLAGS.some(({ flag }) => names(typed, flag))) return undefined
  return new AppError('usage', `dray ${words} does not take ${typed}.`, {
    hint: `\`dray ${words} --help\` lists the flags that it takes.`,
  })
}

function toGlobals(values: Record<string, string | string[] | boolean>, own: ReadonlySet<string>): Globals {
  const text = (flag: string): string | undefined => {
    const value = own.has(flag) ? undefined : values[flag]
    return typeof value === 'string' ? value : undefined
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
    confirm: text('confirm'),
    noInput: values['no-input'] === false,
    dryRun: is('dry-run'),
    idempotencyKey: text('idempotency-key'),
    new: is('new'),
    record: text('record'),
    timeout: text('timeout'),
    wait: is('wait'),
    quiet: is('quiet'),
    verbose: is('verbose'),
    debug: is('debug'),
    color: text('color') as Globals['color'],
    accessible: is('accessible'),
  }
}

function toLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 100)
    throw new AppError('usage', `--limit must be a whole number from 1 to 100, not "${text}".`)
  return limit
}
