import { AppError } from '../core/errors.ts'
import { parseStrictJson } from '../core/strict-json.ts'
import type { CommandContext } from './cli.ts'
import { readFileOrStdin } from './files/read.ts'

/** Reads a JSON object from a file, or from standard input for `-`. Throws AppError('file_error'). */
export async function readJsonInput(
  { io }: Pick<CommandContext, 'io'>,
  file: string,
): Promise<Record<string, unknown>> {
  const name = file === '-' ? 'standard input' : file
  const parsed = parseStrictJson(await readFileOrStdin(file, 'JSON input', io))
  if ('problem' in parsed) throw new AppError('file_error', `${name} is not valid JSON: ${parsed.problem}`)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('file_error', `${name} must contain one JSON object.`)
  }
  return value as Record<string, unknown>
}
