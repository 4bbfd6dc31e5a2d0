/** Reads secrets from a file or standard input, never from a flag; they are never shown. */
import type { CommandContext } from '../../cli/cli.ts'
import { isToken } from '../../cli/environment.ts'
import { readFileOrStdin } from '../../cli/files/read.ts'
import { AppError } from '../../core/errors.ts'

/** Reads one token or secret; `-`, or no file, is standard input. Throws AppError('usage' | 'file_error'). */
export async function readSecret(
  cli: CommandContext,
  file: string | undefined,
  what: 'token' | 'secret',
): Promise<string> {
  const fromInput = file === undefined || file === '-'
  if (fromInput) assertPiped(cli, what)
  const bytes = await readFileOrStdin(file ?? '-', what, cli.io)
  const secret = new TextDecoder().decode(bytes).trim()
  if (isToken(secret)) return secret
  const where = fromInput ? 'Standard input' : file
  throw new AppError(
    'usage',
    `${where} contains ${secret === '' ? 'nothing' : `something else than one ${what}`}.`,
  )
}

function assertPiped({ io }: CommandContext, what: string): void {
  if (!io.stdin.isTTY) return
  throw new AppError('usage', `Standard input is the keyboard: typing would show the ${what}.`, {
    hint:
      what === 'token'
        ? 'Pipe the token in, or leave --token-stdin out to be asked for it.'
        : 'Pipe it in, or give a file.',
  })
}
