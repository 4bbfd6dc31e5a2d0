import { AppError } from '../../core/errors.ts'

/** Returns the names of a flag, with commas between them; none without the flag. Throws AppError('usage'). */
export function readNames(flag: string, given: string | undefined): string[] {
  if (given === undefined) return []
  const names = given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length > 0) return names
  throw new AppError('usage', `--${flag} is empty; give names separated by commas.`)
}
