/** The content of `config.json`, and its reader: a single plain read, because every command does it. */
import fs from 'node:fs'
import { AppError } from '../core/errors.ts'
import { isRecord } from '../core/record.ts'
import type { Format } from './globals.ts'

/** The keys of a profile in the file. */
export type Profile = {
  base_url?: string
  store?: string
  account?: string
  token?: string
  refresh_token?: string
  /** A program's own client id, secret and scopes, by which it requests tokens. */
  client_id?: string
  client_secret?: string
  scope?: string
  /** True if the login is in the system's keyring and not here. */
  keyring?: boolean
  pay?: string
  output?: Format
  protected?: boolean
  default_parcel?: Record<string, string>
}

/** The configuration. Unknown keys of a newer version are kept when it is written. */
export type Config = {
  default_profile?: string
  profiles?: Record<string, Profile>
  /** Saved column maps by name: the header of each column. */
  maps?: Record<string, Record<string, string>>
}

export type Warn = (text: string) => void

const MEBIBYTE = 1_048_576
const FORMATS: readonly Format[] = ['table', 'json', 'ndjson', 'csv', 'yaml']

/**
 * Returns whether the name is valid: `a-z 0-9 -`, at most 32 characters, so that it is a valid folder name on every
 * system.
 */
export function isProfileName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,31}$/.test(name)
}

export function configPath(directory: string): string {
  return `${directory}/config.json`
}

/** Reads the configuration; empty when there is none. Throws AppError('config_error') with the file and the key. */
export function readConfig(directory: string, warn: Warn): Config {
  const path = configPath(directory)
  const fd = openPrivate(path)
  if (fd === undefined) return {}
  let text
  try {
    const { size, mode, uid } = assertPlainFile(fs.fstatSync(fd), path)
    assertOwn(uid, path)
    repairMode(mode, 0o600, path, warn)
    const folder = fs.statSync(directory)
    repairMode(folder.mode, 0o700, directory, warn)
    text = readText(fd, size, path)
  } finally {
    fs.closeSync(fd)
  }
  return checkConfig(parseConfig(text, path), path, warn)
}

/** Validates a configuration and returns it with its unknown keys. Throws AppError('config_error'). */
export function checkConfig(value: unknown, path: string, warn: Warn): Config {
  const check = (
    place: string,
    keys: Readonly<Record<string, Check>>,
    object: Readonly<Record<string, unknown>>,
  ): void => {
    for (const [key, member] of Object.entries(object)) {
      const name = `${place}${key}`
      if (!Object.hasOwn(keys, key)) warn(`${path}: the key ${name} is unknown and is ignored.`)
      else if (!keys[key]?.fits(member))
        throw wrong(path, name, `must be ${keys[key]?.wanted}, not ${describe(member)}`)
    }
  }
  if (!isRecord(value))
    throw new AppError('config_error', `${path} must contain one JSON object, not ${describe(value)}.`)
  check('', CONFIG, value)
  const { profiles = {} } = value as Config
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isProfileName(name))
      throw wrong(path, `profiles.${name}`, `is not a profile name: ${PROFILE_NAME_RULE}`)
    if (!isRecord(profile))
      throw wrong(path, `profiles.${name}`, `must be an object, not ${describe(profile)}`)
    check(`profiles.${name}.`, PROFILE, profile)
    if (profile.base_url !== undefined && profile.store !== undefined) {
      throw wrong(
        path,
        `profiles.${name}`,
        'has both base_url and store: a profile is for a server or an embedded store',
      )
    }
  }
  return value
}

export const PROFILE_NAME_RULE =
  'lower-case letters, digits and dashes, at most 32 characters, starting with a letter or digit'

type Check = { wanted: string; fits: (value: unknown) => boolean }

const TEXT: Check = {
  wanted: 'text that is not empty',
  fits: (value) => typeof value === 'string' && value !== '',
}
const TEXTS: Check = {
  wanted: 'an object of texts',
  fits: (value) => isRecord(value) && Object.values(value).every((member) => typeof member === 'string'),
}
const FORMAT: Check = {
  wanted: `one of ${FORMATS.join(', ')}`,
  fits: (value) => FORMATS.some((format) => format === value),
}
const BOOLEAN: Check = { wanted: 'true or false', fits: (value) => typeof value === 'boolean' }

const CONFIG: Readonly<Record<keyof Config, Check>> = {
  default_profile: TEXT,
  profiles: { wanted: 'an object', fits: isRecord },
  maps: {
    wanted: 'an object of objects of texts',
    fits: (value) => isRecord(value) && Object.values(value).every(TEXTS.fits),
  },
}

const PROFILE: Readonly<Record<keyof Profile, Check>> = {
  base_url: TEXT,
  store: TEXT,
  account: TEXT,
  token: TEXT,
  refresh_token: TEXT,
  client_id: TEXT,
  client_secret: TEXT,
  scope: TEXT,
  keyring: BOOLEAN,
  pay: TEXT,
  output: FORMAT,
  protected: BOOLEAN,
  default_parcel: TEXTS,
}

/** Opens the file for reading, also behind a link, as programs for dotfiles make it; undefined when there is none. */
function openPrivate(path: string): number | undefined {
  // Non-blocking, because a pipe in its place would block the command forever.
  const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0)
  try {
    return fs.openSync(path, flags)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'ELOOP') return openPrivate(follow(path))
    throw new AppError('config_error', `${path} cannot be read (${code}).`, { cause: error })
  }
}

function follow(path: string): string {
  try {
    return fs.realpathSync(path)
  } catch (error) {
    throw new AppError('config_error', `${path} is a broken link.`, { cause: error })
  }
}

function assertPlainFile(stat: fs.Stats, path: string): fs.Stats {
  if (stat.isDirectory()) throw new AppError('config_error', `${path} is a folder, not a file.`)
  if (!stat.isFile()) throw new AppError('config_error', `${path} is not a regular file.`)
  if (stat.size > MEBIBYTE) {
    throw new AppError(
      'config_error',
      `${path} has ${stat.size} bytes; a configuration file has at most ${MEBIBYTE}.`,
    )
  }
  return stat
}

function assertOwn(uid: number, path: string): void {
  const own = process.getuid?.()
  if (own === undefined || uid === own) return
  throw new AppError('config_error', `${path} belongs to another user (id ${uid}) and is not trusted.`, {
    hint: 'Run dray as that user, or set DRAY_HOME to a folder of your own.',
  })
}

/** Removes the permissions of other users. A read-only disk is no error. */
function repairMode(mode: number, allowed: number, path: string, warn: Warn): void {
  const wide = mode & 0o777
  if ((wide & ~allowed) === 0 || process.getuid === undefined) return
  const was = `${path} was open to other users (mode ${wide.toString(8).padStart(4, '0')})`
  try {
    fs.chmodSync(path, wide & allowed)
    warn(`${was}; it is now ${(wide & allowed).toString(8).padStart(4, '0')}.`)
  } catch {
    warn(`${was} and its mode could not be changed. Change it, or replace the tokens in it.`)
  }
}

function readText(fd: number, size: number, path: string): string {
  const bytes = Buffer.alloc(size)
  const count = fs.readSync(fd, bytes, 0, size, 0)
  const text = bytes.toString('utf8', 0, count)
  if (text.includes('\0')) throw new AppError('config_error', `${path} is not text: it has a NUL character.`)
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function parseConfig(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's own message quotes the text, which may contain a token.
    const at = /position (\d+)/.exec((error as Error).message)?.[1]
    const line = at === undefined ? '' : `, line ${text.slice(0, Number(at)).split('\n').length}`
    throw new AppError('config_error', `${path}${line} is not JSON.`, {
      hint: 'Correct it in an editor, or move it away to start with an empty file.',
    })
  }
}

function wrong(path: string, key: string, problem: string): AppError {
  return new AppError('config_error', `${path}: ${key} ${problem}.`)
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (value === '') return 'empty'
  if (Array.isArray(value)) return 'a list'
  return (
    { string: 'this text', number: 'a number', boolean: 'true or false', object: 'an object' }[
      typeof value as string
    ] ?? 'that'
  )
}
