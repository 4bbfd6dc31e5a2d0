/** Reads or asks for a place that a command needs. */
import { AppError } from '../core/errors.ts'
import type { Place } from '../core/places/place.ts'
import { findPlace, formatPlaceSuggestions, PLACE_HELP } from '../core/places/words.ts'
import type { CommandContext } from './cli.ts'
import { requirePrompts } from './questions.ts'

/** Returns the place that was typed for a flag. Throws AppError('usage'). */
export function readPlace(typed: string, flag: string): Place {
  const place = findPlace(typed)
  if (place !== undefined) return place
  const given = JSON.stringify(typed.slice(0, 60))
  throw new AppError(
    'usage',
    `--${flag} must be ${PLACE_HELP}, not ${given}${formatPlaceSuggestions(typed)}.`,
  )
}

/** Asks for the place of a flag. */
export async function askPlace(
  cli: CommandContext,
  flag: string,
  question: { message: string; default?: string },
): Promise<Place> {
  const ask = await requirePrompts(cli)
  const answer = await ask.input({
    ...question,
    validate: (each) =>
      findPlace(each) === undefined ? `Please type ${PLACE_HELP}${formatPlaceSuggestions(each)}.` : undefined,
  })
  cli.answered.push({ flag: `--${flag}`, value: answer })
  return readPlace(answer, flag)
}

/** Returns the place of a flag, and asks if it is missing. Throws AppError('usage'). */
export async function readOrAskPlace(
  cli: CommandContext,
  typed: string | undefined,
  flag: string,
  message: string,
): Promise<Place> {
  return typed === undefined ? askPlace(cli, flag, { message }) : readPlace(typed, flag)
}
