/** Errors of the state folder, where open calls and uploads are recorded. */
import type { AppError } from '../../core/errors.ts'
import { writeError } from '../../core/write-error.ts'
import type { Cli } from '../cli.ts'

/** Returns the error for a call that cannot be recorded in `folder` and is therefore not sent. */
export function cannotRemember(error: unknown, folder: string, what: string): AppError {
  const refuse = (first: string): AppError =>
    writeError(
      error,
      (why) => `The ${what} cannot be remembered in ${folder} (${why}). Nothing was sent.`,
      `${first}, or give an --idempotency-key of your own: then nothing has to be remembered.`,
    )
  const refused = refuse('Let DRAY_HOME name a folder that can be written')
  return refused.code === 'storage_full' ? refuse('Free disk space and run the same command again') : refused
}

/** Removes the record of a finished call. A failure is only a warning, because the response matters more. */
export async function forgetDone({ say }: Pick<Cli, 'say'>, close: () => void): Promise<void> {
  try {
    close()
  } catch (error) {
    const { path = 'The memory of this command', code, message } = error as NodeJS.ErrnoException
    await say(
      `warning: ${path} cannot be removed (${code ?? message}). Until you remove it, the same command repeats this one and creates nothing new.`,
    )
  }
}
