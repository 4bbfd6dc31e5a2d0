/**
 * `.dray.json`: settings for commands that run in a folder. It may come with cloned code. So it may only choose among
 * the user's own profiles and set the output format: no address, no account, no token.
 */
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../core/errors.ts'
import { isRecord } from '../core/record.ts'
import type { Warn } from './config-file.ts'
import type { Format, Globals } from './globals.ts'

export const PROJECT_FILE = '.dray.json'

export type ProjectFile = { path: string; profile?: string; output?: Format; color?: Globals['color'] }

const LIMIT = 65_536
const CHOICES: Readonly<Record<string, readonly string[] | undefined>> = {
  profile: undefined,
  output: ['table', 'json', 'ndjson', 'csv', 'yaml'],
  color: ['auto', 'always', 'never'],
}

/** Returns the nearest project file in the folder or above it. Throws AppError('config_error') when it is invalid. */
export function findProjectFile(folder: string | undefined, warn: Warn): ProjectFile | undefined {
  if (folder === undefined) return undefined
  let above = folder
  for (;;) {
    const path = join(above, PROJECT_FILE)
    const found = statFile(path)
    if (found !== undefined)
      return isTrusted(found, path, warn) ? readProjectFile(path, found.size, warn) : undefined
    const next = dirname(above)
    if (next === above) return undefined
    above = next
  }
}

function statFile(path: string): fs.Stats | undefined {
  try {
    const stat = fs.statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() ? stat : undefined
  } catch {
    // a folder above that may not be looked into
    return undefined
  }
}

/**
 * Returns whether the file's owner is trusted: other users with write access to a folder above, such as /tmp, must
 * not choose a profile.
 */
function isTrusted({ uid }: fs.Stats, path: string, warn: Warn): boolean {
  const own = process.getuid?.()
  if (own === undefined || uid === own || uid === 0) return true
  warn(`${path} belongs to another user (id ${uid}) and is ignored.`)
  return false
}

function readProjectFile(path: string, size: number, warn: Warn): ProjectFile {
  if (size > LIMIT) throw new AppError('config_error', `${path} has ${size} bytes; the limit is ${LIMIT}.`)
  const value = parse(path)
  const file: Record<string, string> = { path }
  for (const [key, member] of Object.entries(value)) {
    if (!Object.hasOwn(CHOICES, key)) {
      warn(`${path}: ${key} is ignored: this file can only set profile, output and color.`)
      continue
    }
    const choices = CHOICES[key]
    if (typeof member !== 'string' || (choices !== undefined && !choices.includes(member))) {
      throw new AppError(
        'config_error',
        `${path}: ${key} must be ${choices === undefined ? 'a text' : `one of ${choices.join(', ')}`}.`,
      )
    }
    file[key] = member
  }
  return file as ProjectFile
}

function parse(path: string): object {
  let value: unknown
  try {
    value = JSON.parse(fs.readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new AppError(
      'config_error',
      `${path} ${code === undefined ? 'is not JSON' : `cannot be read (${code})`}.`,
    )
  }
  if (isRecord(value)) return value
  throw new AppError('config_error', `${path} must contain one JSON object such as {"profile": "work"}.`)
}
