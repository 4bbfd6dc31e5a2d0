/** Flags that cannot stand beside another one. */
import type { Args } from '../../cli/command.ts'
import { AppError } from '../../core/errors.ts'

/**
 * Throws AppError('usage') that begins with `reason` and names all flags and parcels in `given`, except for the flags
 * `taken`.
 */
export function assertFlagsBeside(
  given: Readonly<Record<string, Args[string] | number>>,
  taken: readonly string[],
  reason: string,
): void {
  const others = Object.entries(given).flatMap(([name, value]) => {
    const isGiven = value !== undefined && value !== false && [value].flat().length > 0
    return !isGiven || taken.includes(name) ? [] : [name === 'parcel' ? 'the named parcels' : `--${name}`]
  })
  if (others.length === 0) return
  const named = new Intl.ListFormat('en', { type: 'conjunction' }).format(others)
  throw new AppError('usage', `${reason}: leave out ${named}.`)
}
