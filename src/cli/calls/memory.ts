/** What happens when the state folder cannot be written: an open call or upload is remembered there. */
import type { AppError } from '../../core/errors.ts'
import { writeError } from '../../core/write-error.ts'
import type { Cli } from '../cli.ts'

/** The refusal to send what cannot be remembered in `folder`. */
export function cannotRemember(error: unknown, folder: string, what: string): AppError {
  return writeError(
    error,
    (why) => `The ${what} cannot be remembered in ${folder} (${why}). Nothing was sent.`,
    'Let DRAY_HOME name a folder that can be written, or give an --idempotency-key of your own: then nothing has to be remembered.',
  )
}

/** Forgets what is done. A failure is a warning: the answer is there, and it counts more. */
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
