import { AppError } from '../core/errors.ts'
import type { ProblemFieldError } from '../core/errors.ts'
import { MARKET_TIMEZONE } from '../core/market.ts'
import { parseMoney } from '../core/money.ts'
import { businessDateOf } from '../core/period.ts'
import { addDays, isDate, localDate, parseDuration, toTimestamp } from '../core/time.ts'
import type { ParseResult } from '../tabular/csv/cells.ts'
import type { Args, CommandSpec, Flag, FlagKind, Positional } from './command.ts'

const MINUTE = 60_000

export type InputWorld = {
  /** Parses an instant into milliseconds; undefined for other text. */
  moment(typed: string): Promise<number | undefined>
  currency: string
  /** Groups of modifiers as a menu file writes them in one cell; omitted where no flag takes them. */
  modifiers?(text: string, currency: string): Promise<ParseResult<unknown>>
}

type Problem = { flag: string; detail: string }

/** Builds the operation's input from flags and positionals. Throws AppError('usage') with every invalid value. */
export async function buildInput(
  spec: Pick<CommandSpec, 'flags' | 'positionals'>,
  args: Args,
  world: InputWorld,
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {}
  const problems: Problem[] = []
  const takers = [
    ...spec.flags.map((flag) => ({ ...flag, key: flag.flag, shown: `--${flag.flag}` })),
    ...spec.positionals.map((positional) => ({
      kind: 'text' as FlagKind,
      ...positional,
      key: positional.name,
      shown: `<${positional.name}>`,
    })),
  ]
  for (const { field, kind, key, shown } of takers) {
    const given = args[key]
    if (field === undefined || given === undefined || isEmptyList(given)) continue
    for (const [place, value] of await readFlag({ field, kind }, given, world, (detail) =>
      problems.push({ flag: shown, detail }),
    )) {
      setAt(input, place, value)
    }
  }
  if (problems.length > 0) throw badValues(problems)
  return input
}

/** Returns whether an argument that takes several words got none. */
function isEmptyList(given: Args[string]): boolean {
  return Array.isArray(given) && given.length === 0
}

/** Returns the missing required values: flags by name, positionals in angle brackets. */
export function findMissingArguments(
  spec: CommandSpec,
  args: Args,
  input: Readonly<Record<string, unknown>> = {},
): string[] {
  const absent = ({ field }: { field?: string }): boolean => field === undefined || !hasAt(input, field)
  const isNeeded = ({ required, unless }: Positional): boolean =>
    required === true || (unless !== undefined && args[unless] === undefined && !hasAt(input, unless))
  const positionals = spec.positionals.filter(
    (positional) =>
      isNeeded(positional) &&
      (args[positional.name] === undefined || isEmptyList(args[positional.name])) &&
      absent(positional),
  )
  const unsaid = spec.flags.filter((flag) => flag.required && args[flag.flag] === undefined && absent(flag))
  const flags = unsaid.flatMap((flag) => {
    const whole = wholeOf(spec, flag)
    if (whole === undefined) return [flag.flag]
    // The field of this name says the same in other words.
    if (args[whole.flag] !== undefined || hasAt(input, whole.flag)) return []
    const halves = unsaid.filter((each) => wholeOf(spec, each) === whole)
    return halves.length === 1 ? [flag.flag] : [whole.flag]
  })
  return [...positionals.map(({ name }) => `<${name}>`), ...new Set(flags.map((flag) => `--${flag}`))]
}

/** Returns the flag that gives a point or an amount as a whole, in place of its fields. */
function wholeOf(spec: CommandSpec, { field = '' }: Flag): Flag | undefined {
  return spec.flags.find((flag) => flag.field?.includes(',') && flag.field.split(',').includes(field))
}

type FieldValue = [place: string, value: unknown]

async function readFlag(
  { field, kind }: { field: string; kind: FlagKind },
  given: string | string[] | boolean,
  world: InputWorld,
  complain: (detail: string) => void,
): Promise<FieldValue[]> {
  const attempt = async (text: string): Promise<unknown> => {
    const read = await parseFlagValue(kind, text, world)
    if ('problem' in read) return complain(read.problem)
    return read.value
  }
  if (typeof given === 'boolean') return [[field, given]]
  if (Array.isArray(given) && kind === 'words') return [[field, given.join(' ')]]
  if (Array.isArray(given)) return [[field, await Promise.all(given.map(attempt))]]
  const value = await attempt(given)
  const [first, second] = field.split(',')
  if (value === undefined || first === undefined) return []
  if (second === undefined) return [[field, value]]
  const [one, two] = Object.values(value as Record<string, unknown>)
  return [
    [first, one],
    [second, two],
  ]
}

type ParsedFlag = { value: unknown } | { problem: string }

type FlagParser = (text: string, world: InputWorld) => ParsedFlag | Promise<ParsedFlag>

const asText: FlagParser = (text) => ({ value: text })

/** The words for a business day, and how far it is from the present one. The store knows when it begins. */
const BUSINESS_DAYS: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 }

const READERS: Readonly<Record<FlagKind, FlagParser>> = {
  text: asText,
  words: asText,
  enum: asText,
  async boolean(text) {
    const { parseBoolean } = await import('../tabular/csv/numbers.ts')
    const value = parseBoolean(text)
    return value === undefined ? wrong('yes or no', text) : { value }
  },
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? { value: Number(text) } : wrong('a whole number', text)),
  minutes(text) {
    const ms = /^\d{1,6}$/.test(text) ? Number(text) * MINUTE : text === 'off' ? 0 : parseDuration(text)
    return ms === undefined || ms % MINUTE !== 0
      ? wrong('a length such as 30m or 1h', text)
      : { value: ms / MINUTE }
  },
  number: (text) =>
    /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? { value: Number(text) } : wrong('a number', text),
  money(text, { currency }) {
    const money = parseMoney(text, currency)
    return 'problem' in money ? { problem: money.detail } : { value: money }
  },
  async point(text) {
    const [, latitude, longitude] =
      /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text) ?? []
    if (latitude !== undefined && longitude !== undefined)
      return { value: { latitude: Number(latitude), longitude: Number(longitude) } }
    const { findPoint, formatPlaceSuggestions, PLACE_HELP } = await import('../core/places/words.ts')
    const point = findPoint(text)
    return point === undefined ? wrong(PLACE_HELP, text, formatPlaceSuggestions(text)) : { value: point }
  },
  date: (text, world) => readTime(text, world, (ms) => localDate(ms, MARKET_TIMEZONE)),
  instant: (text, world) => readTime(text, world, toTimestamp),
  when: (text, world) => (isDate(text) ? { value: text } : readTime(text, world, toTimestamp)),
  async store_when(text, world) {
    const shift = BUSINESS_DAYS[text.trim().toLowerCase()]
    if (shift === undefined) return READERS.when(text, world)
    const now = await world.moment('now')
    return { value: addDays(businessDateOf(now ?? 0, MARKET_TIMEZONE), shift) }
  },
  weight: (text) => readMeasure('weight', text),
  length: (text) => readMeasure('length', text),
  json(text) {
    try {
      return { value: JSON.parse(text) as unknown }
    } catch {
      return wrong('JSON', text)
    }
  },
  async modifiers(text, world) {
    if (/^\s*[[{]/.test(text)) return READERS.json(text, world)
    const read = await world.modifiers?.(text, world.currency)
    if (read === undefined) return wrong('JSON', text)
    return 'fault' in read ? { problem: read.fault.detail } : read
  },
}

/** Parses the text of a flag. Returns the value, or a sentence about the error. */
export async function parseFlagValue(kind: FlagKind, text: string, world: InputWorld): Promise<ParsedFlag> {
  return READERS[kind](text, world)
}

function wrong(what: string, text: string, meant = ''): ParsedFlag {
  return { problem: `must be ${what}, not "${text.slice(0, 60)}"${meant}` }
}

async function readTime(text: string, world: InputWorld, write: (ms: number) => string): Promise<ParsedFlag> {
  const ms = await world.moment(text)
  return ms === undefined
    ? wrong('a time such as 2026-11-21, "tomorrow 14:00" or +2h', text)
    : { value: write(ms) }
}

async function readMeasure(kind: 'weight' | 'length', text: string): Promise<ParsedFlag> {
  const { parseLength, parseWeight } = await import('../tabular/csv/numbers.ts')
  const read = kind === 'weight' ? parseWeight(text, 'g') : parseLength(text, 'mm')
  return typeof read === 'number' ? { value: read } : { problem: read.detail }
}

function setAt(input: Record<string, unknown>, place: string, value: unknown): void {
  const names = place.split('.')
  const last = names.pop() ?? ''
  let node = input
  for (const name of names) node = (node[name] ??= {}) as Record<string, unknown>
  node[last] = value
}

function hasAt(input: Readonly<Record<string, unknown>>, place: string): boolean {
  let node: unknown = input
  for (const name of place.split('.')) node = (node as Record<string, unknown> | undefined)?.[name]
  return node !== undefined
}

function badValues(problems: Problem[]): AppError {
  const errors = problems.map(({ flag, detail }): ProblemFieldError => ({
    parameter: flag,
    code: 'invalid_format',
    detail: detail.replace(/\.$/, ''),
  }))
  const [only, ...more] = errors
  const said =
    only === undefined || more.length > 0
      ? `${problems.length} values are invalid.`
      : `${only.parameter}${only.detail.startsWith('must ') ? '' : ':'} ${only.detail}.`
  return new AppError('usage', said, { errors })
}
