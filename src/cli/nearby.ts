/** Finds the point for a search nearby, and asks which of several results is meant. */
import { AppError } from '../core/errors.ts'
import type { Point } from '../core/geometry.ts'
import { findPoint, formatPlaceSuggestions, PLACE_HELP } from '../core/places/words.ts'
import type { CommandContext } from './cli.ts'
import { canUseTestCards } from './payment.ts'
import { SANDBOX_POINT } from './places.ts'
import { missingInputError } from './prompts.ts'

/**
 * Returns the point of `--near`, or else `there`, or else the default point of the sandbox. Elsewhere `--near` is
 * required. Throws AppError('usage').
 */
export async function pointNear(
  cli: CommandContext,
  near: string | undefined,
  there?: Point,
): Promise<Point> {
  if (near !== undefined) {
    const point = findPoint(near)
    if (point !== undefined) return point
    throw new AppError(
      'usage',
      `--near must be ${PLACE_HELP}, not ${JSON.stringify(near.slice(0, 60))}${formatPlaceSuggestions(near)}.`,
    )
  }
  if (there !== undefined) return there
  if (canUseTestCards(cli)) return SANDBOX_POINT
  const ask = await cli.ask()
  if (ask === undefined)
    throw missingInputError(cli.argv, [
      { flag: '--near', value: '51.5129,-0.0823', description: 'place of the search' },
    ])
  const typed = await ask.input({
    message: 'Address, postcode or place?',
    validate: (answer) => (findPoint(answer) === undefined ? `Please type ${PLACE_HELP}.` : undefined),
  })
  cli.answered.push({ flag: '--near', value: typed })
  return findPoint(typed) ?? SANDBOX_POINT
}

/** Asks which one of several with the same name is meant. Throws AppError('usage') with their ids. */
export async function askWhich<T extends { name: string }>(
  cli: CommandContext,
  kind: string,
  several: readonly T[],
  { idOf, choiceOf }: { idOf(one: T): string; choiceOf(one: T): { value: T; name: string } },
): Promise<T> {
  const ask = await cli.ask()
  if (ask !== undefined)
    return ask.select({ message: 'Choose one', choices: several.map((each) => choiceOf(each)) })
  const names = several.map((each) => `${each.name} (${idOf(each)})`)
  throw new AppError('usage', `Several ${kind} have that name: ${names.slice(0, 5).join(', ')}.`, {
    hint: 'Use the ID instead.',
  })
}

/** Returns `Bright Sparks, 1.2 km, rated 4.8`. */
export function formatNearby({
  name,
  distance_m,
  rating,
}: {
  name: string
  distance_m: number
  rating: number | null
}): string {
  const distance = distance_m < 1000 ? `${distance_m} m` : `${(distance_m / 1000).toFixed(1)} km`
  return `${name}, ${distance}${rating === null ? '' : `, rated ${rating}`}`
}
