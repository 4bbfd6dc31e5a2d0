/** Secrets from a file or from standard input, never from a flag; what was read is never shown. */
import fs from 'node:fs'
import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { isToken } from '../environment.ts'

const LIMIT = 65_536

/** One token or secret; `-`, or no file, is standard input. Throws AppError('usage' | 'file_error'). */
export async function readSecret(
  cli: Cli,
  file: string | undefined,
  what: 'token' | 'secret',
): Promise<string> {
  const fromInput = file === undefined || file === '-'
  const bytes = fromInput ? await readInput(cli, what) : readFile(file, what)
  const secret = new TextDecoder().decode(bytes).trim()
  if (isToken(secret)) return secret
  const where = fromInput ? 'Standard input' : file
  throw new AppError(
    'usage',
    `${where} holds ${secret === '' ? 'nothing' : `something else than one ${what}`}.`,
  )
}

function readInput({ io }: Cli, what: string): Promise<Uint8Array> {
  if (!io.stdin.isTTY) return io.stdin.readAll(LIMIT)
  throw new AppError('usage', `Standard input is the keyboard, which would show the ${what}.`, {
    hint:
      what === 'token'
        ? 'Pipe it in, or leave --token-stdin out and be asked.'
        : 'Pipe it in, or name a file.',
  })
}

function readFile(file: string, what: string): Uint8Array {
  try {
    if (fs.statSync(file).size > LIMIT)
      throw new AppError('file_error', `${file} is too large for a ${what}.`)
    return fs.readFileSync(file)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('file_error', `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, {
      cause: error,
    })
  }
}
