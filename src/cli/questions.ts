/** What a command can ask, however it is drawn. */
import { AppError } from '../core/errors.ts'

type Choice<T> = { value: T; name: string; description?: string }

export type Selection<T> = { message: string; choices: readonly Choice<T>[]; default?: T }

/** Gives what is wrong with an answer, or undefined. */
export type Validate = (answer: string) => string | undefined

/** Each throws `Interrupted` on Ctrl-C and AppError('not_confirmed') when the input ends. */
export type Ask = {
  /** No unless the default says otherwise. */
  confirm(question: { message: string; default?: boolean }): Promise<boolean>
  /** The same about something that holds for so many milliseconds; undefined when they are over before the answer. */
  confirmWithin(question: { message: string; left(): number }): Promise<boolean | undefined>
  /** One of several things that hold for so many milliseconds; undefined when they are over before the answer. */
  selectWithin<T>(question: {
    message: string
    choices: readonly Choice<T>[]
    left(): number
  }): Promise<T | undefined>
  select<T>(question: Selection<T>): Promise<T>
  input(question: { message: string; default?: string; validate?: Validate }): Promise<string>
  /** Nothing of the answer is shown. */
  password(question: { message: string; validate?: Validate }): Promise<string>
  number(question: { message: string; default?: number; min?: number; max?: number }): Promise<number>
}

/** What is wrong with a number, or undefined. */
export function numberProblem(
  text: string,
  { min = -Infinity, max = Infinity }: { min?: number; max?: number },
): string | undefined {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return 'Please type a number.'
  if (value < min) return `At least ${min}, please.`
  return value > max ? `At most ${max}, please.` : undefined
}

/** `14:58`, as a clock that runs down. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The questions of a command that asks for what it cannot go on without. */
export async function mustAsk(cli: { ask(): Promise<Ask | undefined> }): Promise<Ask> {
  const ask = await cli.ask()
  if (ask === undefined) throw notAnswered()
  return ask
}

export function notAnswered(): AppError {
  return new AppError('not_confirmed', 'The input ended before the question was answered; nothing changed.')
}
