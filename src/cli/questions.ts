/** The questions of commands, independent of how they are drawn. */
import { AppError } from '../core/errors.ts'

export type PromptChoice<T> = { value: T; name: string; description?: string }

export type Selection<T> = { message: string; choices: readonly PromptChoice<T>[]; default?: T }

/** Returns the error of an answer, or undefined. */
export type Validate = (answer: string) => string | undefined

/** Functions that ask. Each throws `Interrupted` on Ctrl-C and AppError('not_confirmed') when the input ends. */
export type Prompts = {
  /** Asks yes or no; the default is no unless given. */
  confirm(question: { message: string; default?: boolean }): Promise<boolean>
  /** Asks yes or no about something that expires; undefined when it expired before the answer. */
  confirmWithin(question: { message: string; left(): number }): Promise<boolean | undefined>
  /** Asks for one of several choices that expire; undefined when they expired before the answer. */
  selectWithin<T>(question: {
    message: string
    choices: readonly PromptChoice<T>[]
    left(): number
  }): Promise<T | undefined>
  select<T>(question: Selection<T>): Promise<T>
  input(question: { message: string; default?: string; validate?: Validate }): Promise<string>
  /** Asks for a secret, without showing the answer. */
  password(question: { message: string; validate?: Validate }): Promise<string>
  number(question: { message: string; default?: number; min?: number; max?: number }): Promise<number>
}

/** Returns the error of a number, or undefined. */
export function numberProblem(
  text: string,
  { min = -Infinity, max = Infinity }: { min?: number; max?: number },
): string | undefined {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return 'Please type a number.'
  if (value < min) return `Please type at least ${min}.`
  return value > max ? `Please type at most ${max}.` : undefined
}

/** Returns the time left as `14:58`. */
export function formatMinutesLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Returns the functions that ask. Throws when questions are impossible. */
export async function requirePrompts(cli: { ask(): Promise<Prompts | undefined> }): Promise<Prompts> {
  const ask = await cli.ask()
  if (ask === undefined) throw notAnswered()
  return ask
}

/** Returns the error of an input that ended before the answer. */
export function notAnswered(): AppError {
  return new AppError('not_confirmed', 'The input ended before an answer; nothing changed.')
}
