/** Prints a failure for people on stderr, or as the one JSON document on stdout. */
import { AppError, EXIT, toProblem, type ProblemFieldError } from '../../core/errors.ts'
import { decodePointerToken } from '../../core/pointer.ts'
import type { Flag } from '../command.ts'
import { ConfirmationDeclined } from '../declined.ts'
import { InterruptedError, PipeClosed, type Io } from '../io.ts'
import { cellText } from './cell.ts'
import { hasColour, makePaint } from './colour.ts'
import { toJson } from './json.ts'
import { sanitizeForTerminal, usableWidth, measureTextWidth, wrapNotice } from './text.ts'

export type ErrorView = {
  json?: boolean | undefined
  color?: string | undefined
  /** The command's flag without dashes, by the dotted name of its field. */
  flags?: Readonly<Record<string, string>> | undefined
  /** The id of a bug in the log. */
  errorId: string
}

/** The most errors that are shown; others are counted, because a batch may have hundreds. */
const MAX_SHOWN_ERRORS = 50

const MIN_NAME_LENGTH = 5

/** Prints an error and returns the exit code. Prints nothing for a closed pipe or a signal. */
export async function printError(io: Io, error: unknown, view: ErrorView): Promise<number> {
  const exitCode = exitCodeOf(error)
  if (error instanceof PipeClosed || error instanceof InterruptedError) return exitCode
  if (view.json === true) {
    try {
      await io.stdout.write(`${errorDocument(error, view.errorId)}\n`)
      return exitCode
    } catch {
      // stdout is what failed: people may still read stderr
    }
  }
  const colour = hasColour(io.stderr, io.env, view.color)
  const columns = io.stderr.isTTY ? usableWidth(io.stderr.columns, io.env) : undefined
  if (error instanceof ConfirmationDeclined) {
    await io.stderr.write(`${declinedText(error, colour, columns)}\n`)
    return exitCode
  }
  await io.stderr.write(`${errorText(error, { ...view, colour, columns })}\n`)
  return exitCode
}

/** Returns the exit code: 0 for a closed pipe, 128 + n for a signal, the table's for an AppError, 1 for a bug. */
function exitCodeOf(error: unknown): number {
  if (error instanceof AppError || error instanceof InterruptedError || error instanceof PipeClosed)
    return error.exitCode
  return EXIT.internal
}

/** Returns the problem document with `exit_code`; for a bug only its id. */
function errorDocument(error: unknown, errorId: string): string {
  const known =
    error instanceof AppError
      ? error
      : new AppError('internal_error', bug(errorId), { extra: { error_id: errorId } })
  return toJson({ ...toProblem(known), exit_code: known.exitCode }, 2)
}

type ErrorTextOptions = Pick<ErrorView, 'errorId' | 'flags'> & {
  colour: boolean
  /** The width of the terminal for wrapping; undefined for anything else. */
  columns: number | undefined
}

/** Returns `error:`, a line for each field with its flag, and `hint:`, without a final line break. */
function errorText(error: unknown, { errorId, flags, colour, columns }: ErrorTextOptions): string {
  const style = makePaint(colour)
  const lines = (text: string, head: string, decorate: (text: string) => string): string => {
    const plain = inLocalTimes(sanitizeForTerminal(text))
    const [first = '', ...rest] = columns === undefined ? [head + plain] : wrapError(head + plain, columns)
    return [decorate(head) + first.slice(head.length), ...rest].join('\n')
  }
  const failure = (text: string) => lines(text, 'error: ', (head) => style.red(style.bold(head)))
  if (!(error instanceof AppError)) return failure(bug(errorId))
  const { hint } = error
  // A sentence of the command line itself, such as the list of `--fields`, says what is to be typed.
  const isOwn = error.entry.status === null && error.errors.length === 0
  const typed = (text: string, field?: Place): string => (isOwn ? text : asTyped(text, field, flags))
  const given = error.errors.map((field) => {
    const { place, name } = placeOf(field, flags)
    return { place, name, detail: asTyped(sanitizeForTerminal(field.detail), { place, name }, flags) }
  })
  const [first] = given
  const message = typed(error.message, first)
  // A single field error often equals the whole message.
  const isSaid = given.length === 1 && first !== undefined && repeats(message, first.detail)
  const fields = isSaid ? [] : given
  const place = isSaid && !names(message, first.place) ? `${first.place}: ` : ''
  const shown = fields.slice(0, MAX_SHOWN_ERRORS).map(({ detail: text, ...field }) => {
    if (field.place === '') return lines(text, '  ', style.bold)
    const begins = text.startsWith(`${field.place} `)
    return lines(
      begins ? text.slice(field.place.length + 1) : text,
      `  ${field.place}${begins ? '' : ':'} `,
      style.bold,
    )
  })
  const request = error.extra['request_id']
  const isOurs = error.exitCode === EXIT.internal || error.exitCode === EXIT.unavailable
  return [
    failure(`${place}${message}`),
    ...shown,
    ...(fields.length > MAX_SHOWN_ERRORS
      ? [`  and ${fields.length - MAX_SHOWN_ERRORS} more; --json shows them all`]
      : []),
    ...(hint === undefined ? [] : [lines(typed(hint), 'hint: ', style.cyan)]),
    ...(typeof request === 'string' && isOurs ? [style.dim(`request: ${sanitizeForTerminal(request)}`)] : []),
  ].join('\n')
}

/** Wraps a sentence. The command at its end is not wrapped, because it is copied; it gets a line of its own. */
function wrapError(text: string, columns: number): string[] {
  const at = text.indexOf(': dray ')
  if (at === -1 || measureTextWidth(text) <= columns) return wrapNotice(text, columns)
  return [...wrapNotice(text.slice(0, at + 1), columns), text.slice(at + 2)]
}

/** Returns the outcome of a no, and the alternatives dimmed. It is not shown as an error. */
function declinedText(
  { message, hint }: ConfirmationDeclined,
  colour: boolean,
  columns: number | undefined,
): string {
  const { dim } = makePaint(colour)
  const said = sanitizeForTerminal(message)
  const lines = columns === undefined ? [said] : wrapNotice(said, columns)
  return [
    ...lines,
    ...(hint === undefined ? [] : [dim(sanitizeForTerminal(hint, { multiline: true }))]),
  ].join('\n')
}

function repeats(message: string, detail: string): boolean {
  return plain(message).endsWith(plain(detail))
}

/**
 * Returns whether the message names the place. Short flags such as `--for` and `--to` count only with dashes, because
 * they are also common words.
 */
function names(message: string, place: string): boolean {
  const word = plain(place)
  return message.includes(place) || (word.length >= MIN_NAME_LENGTH && plain(message).includes(word))
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[-_]+/g, ' ').replace(/\.$/, '').trim()
}

function bug(errorId: string): string {
  return `Unexpected error in dray. Error ID: ${errorId}`
}

/** Returns the message of an error as this command's flags say it, for a question that is asked again. */
export function refusalText({ message, errors }: AppError, taken: readonly Flag[]): string {
  const flags = flagsByField(taken)
  return inLocalTimes(asTyped(sanitizeForTerminal(message), errors[0] && placeOf(errors[0], flags), flags))
}

/** Returns the flag, without dashes, of each dotted name of a field. */
export function flagsByField(flags: readonly Flag[] = []): Record<string, string> {
  return Object.fromEntries(
    flags.flatMap(({ field, fieldPath: place, flag }) =>
      (place?.split(',') ?? (field === undefined ? [] : [field])).map((each) => [each, flag]),
    ),
  )
}

/** Returns the sentence with typed flags in place of the interface's names: that of its own field, and all others. */
function asTyped(text: string, field: Place | undefined, flags: ErrorView['flags']): string {
  return withFlags(field === undefined ? text : withFlag(text, field), flags)
}

/** An instant in UTC that is neither an example, nor quoted, nor the value of a flag in a command to copy. */
const INSTANT = /(?<!["'\d]|--[a-z-]+[ =]|such as |like )\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

/** Returns the sentence with its instants in the reader's own time. */
function inLocalTimes(text: string): string {
  return text.replaceAll(INSTANT, (at) => cellText(at, 'at', { tty: true, width: 80, colour: false }))
}

function withFlag(text: string, { place, name }: Place): string {
  if (name === undefined) return text
  // A name of one word may be any word, except at the beginning of the sentence.
  const word = name.includes('_') ? new RegExp(`\\b${name}\\b`, 'g') : new RegExp(`^${name}\\b`)
  const unit = UNITS[name.slice(name.lastIndexOf('_') + 1)]
  const bound = /\bmust be (?:at least|at most|more than|less than) \d+(?! ?\w)/
  return text.replace(word, place).replace(bound, unit === undefined ? '$&' : `$& ${unit}`)
}

/** A name of several words that a flag may have. One in a path, or in the value of `--fields`, is the response's. */
const FIELD_NAME = /(?<![.,]|--fields )\b[a-z]+(?:_[a-z]+)+\b/g

/** A name of several words, such as `scheduled_for`, is that of a field wherever a flag has it. */
function withFlags(text: string, flags: ErrorView['flags'] = {}): string {
  return text.replaceAll(FIELD_NAME, (name) => {
    const field = Object.keys(flags).find((each) => each === name || each.endsWith(`.${name}`))
    return field === undefined ? name : `--${flags[field]}`
  })
}

/** The units that the interface's names end with, which a flag's name does not tell. */
const UNITS: Readonly<Record<string, string>> = {
  grams: 'g',
  mm: 'mm',
  m: 'metres',
  minutes: 'minutes',
  seconds: 'seconds',
}

/** The words for a field in an error. `name` is the interface's name of the flag's field. */
type Place = { place: string; name?: string | undefined }

/** Returns the flag of the field or of its parent, or else its pointer, or the parameter or header by name. */
function placeOf({ pointer, parameter, header }: ProblemFieldError, flags: ErrorView['flags']): Place {
  const unescaped = pointer?.slice(1).split('/').map(decodePointerToken)
  const field = unescaped?.join('.') ?? parameter
  if (field === undefined) return { place: sanitizeForTerminal(header ?? '') }
  const parts = field.split('.')
  for (let length = parts.length; length > 0; length--) {
    const whole = parts.slice(0, length).join('.')
    if (flags === undefined || !Object.hasOwn(flags, whole)) continue
    return { place: `--${flags[whole]}`, name: parts[length - 1] }
  }
  return { place: sanitizeForTerminal(field) }
}
