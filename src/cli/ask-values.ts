/** Asks for the values that a command hand-written needs, one question for each, or names all of them at once. */
import type { CommandContext } from './cli.ts'
import { type MissingInput, missingInputError } from './prompts.ts'
import type { PromptChoice, Validate } from './questions.ts'

/** A value that was not typed: how a script gives it, and how a person is asked for it. */
export type WantedValue<K extends string> = MissingInput & {
  key: K
  /** The question; by default the description with the flag. */
  message?: string
  choices?: readonly PromptChoice<string>[]
  validate?: Validate
}

/**
 * Returns an answer for each value, without blanks around it. Throws AppError('usage') with all of them where nothing can be asked.
 */
export async function askValues<K extends string>(
  cli: CommandContext,
  wanted: readonly WantedValue<K>[],
): Promise<Partial<Record<K, string>>> {
  if (wanted.length === 0) return {}
  const ask = await cli.ask()
  if (ask === undefined) throw missingInputError(cli.argv, wanted)
  const answers: Partial<Record<K, string>> = {}
  for (const { key, flag, description = key, message, choices, validate } of wanted) {
    const isFlag = flag.startsWith('-')
    const question = message ?? (isFlag ? `${description} (${flag})` : description)
    const answer =
      choices === undefined
        ? (await ask.input({ message: question, validate: validate ?? needsText })).trim()
        : await ask.select({ message: question, choices })
    answers[key] = answer
    cli.answered.push(isFlag ? { flag, value: answer } : { flag: answer })
  }
  return answers
}

/**
 * Throws AppError('usage') with all that a command lacks where nothing can be asked: for a command whose later questions depend on
 * what it reads first.
 */
export async function assertComplete(cli: CommandContext, lacking: readonly MissingInput[]): Promise<void> {
  if (lacking.length > 0 && (await cli.ask()) === undefined) throw missingInputError(cli.argv, lacking)
}

function needsText(text: string): string | undefined {
  return text.trim() === '' ? 'Please type a value.' : undefined
}
