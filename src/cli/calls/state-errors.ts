/** Errors of the state folder, where open calls and uploads are recorded. */
import type { AppError } from '../../core/errors.ts'
import { toWriteError } from '../../core/write-error.ts'
import type { CommandContext } from '../cli.ts'

/** Returns the error for a call that cannot be recorded in `folder` and is therefore not sent. */
export function stateSaveError(error: unknown, folder: string, what: string): AppError {
  const refuse = (first: string): AppError =>
    toWriteError(
      error,
      (why) => `Cannot save the ${what} in ${folder} (${why}). Nothing was sent.`,
      `${first}, or use your own --idempotency-key: then nothing has to be saved.`,
    )
  const refused = refuse('Set DRAY_HOME to a writable folder')
  return refused.code === 'storage_full' ? refuse('Free disk space and run the same command again') : refused
}

/** Removes the record of a finished call. A failure is only a warning, because the response matters more. */
export async function deletePendingRecord(
  { say }: Pick<CommandContext, 'say'>,
  close: () => void,
): Promise<void> {
  try {
    close()
  } catch (error) {
    const { path = 'The record of this command', code, message } = error as NodeJS.ErrnoException
    await say(
      `warning: ${path} cannot be removed (${code ?? message}). Until you remove it, running the same command repeats this call and creates nothing new.`,
    )
  }
}
