/** The folder within which a scenario may read other files: a scenario from elsewhere must not read this machine's secrets. */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { AppError } from '../../core/errors.ts'

/** Returns the repository that a folder is in, or the folder itself outside of any. */
export function findBounds(folder: string): string {
  const start = toRealPath(folder)
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return start
  }
}

/** Throws AppError('usage') for a file that does not lie below a folder, also by a symbolic link. */
export function assertWithin(bounds: string, file: string): void {
  const path = relative(bounds, toRealPath(file))
  if (path.split(sep, 1)[0] !== '..' && !isAbsolute(path)) return
  throw new AppError('usage', `${file} is outside of ${bounds}; --allow-outside reads it all the same.`)
}

/** Returns the path behind all symbolic links; of a file that is missing, that of its folder as far as it exists. */
function toRealPath(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const folder = dirname(whole)
    return folder === whole ? whole : join(toRealPath(folder), relative(folder, whole))
  }
}
