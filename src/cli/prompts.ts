/** Decides whether questions are possible, opens them, and makes the errors when they are not. */
import { AppError } from '../core/errors.ts'
import { ConfirmationDeclined } from './declined.ts'
import type { Io } from './io.ts'
import { canRedraw, hasColour } from './output/colour.ts'
import { commandLine, shellQuote } from './output/shell.ts'
import type { Prompts } from './questions.ts'

export type PromptFlags = {
  json?: boolean | undefined
  output?: string | undefined
  noInput?: boolean | undefined
}

/**
 * Returns true if stdin and stderr are terminals and none of `--json`, `--no-input`, DRAY_NO_INPUT, CI forbids
 * questions.
 */
export function canPrompt(io: Io, { json, output, noInput }: PromptFlags): boolean {
  if (json === true || output === 'json' || noInput === true) return false
  if (isOn(io.env['DRAY_NO_INPUT']) || isOn(io.env['CI'])) return false
  return io.stdin.isTTY && io.stderr.isTTY
}

/** Returns the functions that ask; undefined when questions are impossible. They are loaded with the first question. */
export function openPrompts(
  io: Io,
  flags: PromptFlags & { accessible?: boolean | undefined; color?: string | undefined },
): Prompts | undefined {
  if (!canPrompt(io, flags)) return undefined
  let opened: Promise<Prompts> | undefined
  const ask = (): Promise<Prompts> => (opened ??= load(io, flags))
  return {
    confirm: async (question) => (await ask()).confirm(question),
    confirmWithin: async (question) => (await ask()).confirmWithin(question),
    selectWithin: async (question) => (await ask()).selectWithin(question),
    select: async (question) => (await ask()).select(question),
    input: async (question) => (await ask()).input(question),
    password: async (question) => (await ask()).password(question),
    number: async (question) => (await ask()).number(question),
  }
}

async function load(
  io: Io,
  { accessible, color }: { accessible?: boolean | undefined; color?: string | undefined },
): Promise<Prompts> {
  if (!canRedraw(io.stderr, io.env, accessible))
    return (await import('./plain-questions.ts')).plainQuestions(io)
  return (await import('./drawn-questions.ts')).drawnQuestions(io, hasColour(io.stderr, io.env, color))
}

/** A missing flag (`--to-name`) or plain argument (`FILE`, without dashes). */
export type MissingInput = {
  flag: string
  /** The value in the completed command: an example or a word in capitals. Absent for a boolean flag. */
  value?: string | undefined
  description?: string | undefined
  /** Distinguishes a repeated flag: the `store_name` of `--require store_name=Spar`. */
  part?: string | undefined
}

/** Returns a flag as missing if it has no value. */
export function listMissing(
  typed: string | undefined,
  flag: string,
  value: string,
  description: string,
): MissingInput[] {
  return typed === undefined ? [{ flag: `--${flag}`, value, description }] : []
}

/**
 * Returns AppError('usage') with everything missing at once, and the user's own command completed; `where` says where
 * the values are seen.
 */
export function missingInputError(
  argv: readonly string[],
  missing: readonly MissingInput[],
  where?: string,
): AppError {
  const nameOf = ({ flag, part }: MissingInput) => (part === undefined ? flag : `${flag} ${part}`)
  return new AppError('usage', `Missing: ${missing.map(nameOf).join(', ')}.`, {
    errors: missing.map((each) => ({
      parameter: nameOf(each),
      code: 'required',
      detail: each.description ?? 'is required',
    })),
    hint: `${where === undefined ? '' : `${where} `}Complete the command: ${completed(argv, missing)}`,
  })
}

/**
 * Returns AppError('not_confirmed') for a question that cannot be asked; `flags` answer it: `--yes`, `--confirm
 * NAME`.
 */
export function notConfirmedError(
  argv: readonly string[],
  { question, flags }: Pick<Confirmation, 'question' | 'flags'>,
): AppError {
  const answer = flags.map(({ flag, value }) => (value === undefined ? flag : `${flag} ${shellQuote(value)}`))
  return new AppError(
    'not_confirmed',
    `${question} Confirmation required, but this is not a terminal; nothing changed.`,
    {
      hint: `Confirm it with ${answer.join(' ')}: ${completed(argv, flags)}`,
    },
  )
}

type Confirmation = {
  /** The question, with the effect and its price. */
  question: string
  /** The flags that answer it in a script. */
  flags: readonly MissingInput[]
  /** The name that must be typed for an irreversible action. */
  name?: string | undefined
  /** Other names of the same thing, which are taken as well. */
  also?: readonly string[] | undefined
}

/** Asks, and throws Declined unless the answer is yes or the name. */
export async function confirmOrRefuse(
  ask: Prompts | undefined,
  argv: readonly string[],
  confirmation: Confirmation,
): Promise<void> {
  const { question, name, also = [] } = confirmation
  if (ask === undefined) throw notConfirmedError(argv, confirmation)
  if (name === undefined) {
    if (await ask.confirm({ message: question })) return
    throw new ConfirmationDeclined('Not confirmed; nothing changed.')
  }
  const typed = (await ask.input({ message: `${question} Type ${name} to confirm` })).trim()
  if (typed === name || also.includes(typed)) return
  throw new ConfirmationDeclined(
    typed === '' ? 'Not confirmed; nothing changed.' : `The name does not match ${name}; nothing changed.`,
  )
}

/** Returns the command as typed, completed and quoted for a shell. */
function completed(argv: readonly string[], missing: readonly MissingInput[]): string {
  const isArgument = ({ flag }: MissingInput) => !flag.startsWith('-')
  const words = missing.flatMap((each) => {
    if (isArgument(each)) return [each.value ?? each.flag]
    return each.value === undefined ? [each.flag] : [each.flag, each.value]
  })
  // after `--` a flag would be a plain argument
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return commandLine(['dray', ...argv.slice(0, end), ...words, ...argv.slice(end)])
}

/** Returns the equivalent command without questions, for one dim line after an interactive run. */
export function equivalentCommand(argv: readonly string[], answered: readonly MissingInput[]): string {
  return completed(argv, answered)
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false'
}
