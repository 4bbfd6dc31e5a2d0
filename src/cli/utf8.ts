import { AppError } from '../core/errors.ts'

/** Returns whether Node met bytes that are no UTF-8 in a text of the system: it puts U+FFFD in their place. */
export function isDamaged(text: string): boolean {
  return text.includes('\ufffd')
}

/** The variables that name folders. */
const FOLDERS = /^(?:DRAY_|XDG_|HOME$|APPDATA$|LOCALAPPDATA$)/

/**
 * Throws AppError('usage') for words and variables with other bytes than UTF-8: they would name another file, store or person
 * than was meant.
 */
export function assertUtf8(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): void {
  const word = argv.find(isDamaged)
  const name = Object.keys(env).find((key) => FOLDERS.test(key) && isDamaged(env[key] ?? ''))
  if (word === undefined && name === undefined) return
  const what = word === undefined ? `${name} (${env[name ?? '']})` : word
  throw new AppError('usage', `${what} is not valid UTF-8.`, {
    hint: 'Type it in UTF-8; rename the file with `mv` if needed.',
  })
}
