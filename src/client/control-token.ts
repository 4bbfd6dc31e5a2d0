/**
 * The control token of a sandbox: whoever may read the store's folder may also move its clock. The token is a file
 * beside an SQLite store, or in the state folder for other stores. A served sandbox also writes the token to a file
 * named by its port, for clients on the same machine.
 */
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../core/errors.ts'
import { makeFolders } from '../core/folders.ts'
import { sha256Hex } from '../core/hash.ts'
import { randomId } from '../core/ids.ts'
import { isPostgresUrl } from '../core/network.ts'
import { hidePassword } from '../core/postgres-url.ts'
import { toWriteError } from '../core/write-error.ts'

type ControlTokenDeps = { now(): number; random(count: number): Uint8Array }

/** Returns the token of a store. Creates it if needed, readable only by its owner. Throws `file_error`. */
export function ensureControlToken(store: string, stateFolder: string, deps: ControlTokenDeps): string {
  return ensureToken(controlTokenFile(store, stateFolder), 'dray_ctl_', deps)
}

/** Returns the token of a store; undefined when there is none yet. */
export function findControlToken(store: string, stateFolder: string): string | undefined {
  return read(controlTokenFile(store, stateFolder))
}

/** Returns the token in a file. Creates it if needed, readable only by its owner. Throws `file_error`. */
export function ensureToken(file: string, prefix: string, deps: ControlTokenDeps): string {
  const found = read(file)
  if (found !== undefined) return found
  const draft = `${file}.${randomId('tmp', deps.now(), deps.random(10))}`
  writeSecret(draft, `${prefix}${Buffer.from(deps.random(32)).toString('base64url')}`)
  try {
    // When several processes start at once, one creates the file, and none ever reads an incomplete token.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotWrite(file, error)
  } finally {
    rmSync(draft)
  }
  const token = read(file)
  if (token === undefined) throw new AppError('file_error', `The token ${file} cannot be read.`)
  return token
}

/** Returns the path of a store's token. A database's file is named by its URL without the password. */
export function controlTokenFile(store: string, stateFolder: string): string {
  if (store !== ':memory:' && !isPostgresUrl(store)) return `${store}.control`
  const address = hidePassword(store, '')
  return join(
    stateFolder,
    'control',
    `${sha256Hex(URL.parse(address)?.href ?? address).slice(0, 16)}.control`,
  )
}

/**
 * Writes, for clients on this machine, the token and the store of the service on a port. Returns a function that
 * removes both.
 */
export function announceService(
  port: number,
  token: string,
  stateFolder: string,
  store?: string,
): () => void {
  const notes = [
    { file: serviceFile(port, stateFolder), text: token },
    { file: storeFile(port, stateFolder), text: store },
  ]
  for (const { file, text } of notes) {
    rmSync(file, { force: true })
    if (text !== undefined) writeSecret(file, text)
  }
  return () => {
    for (const { file } of notes) rmSync(file, { force: true })
  }
}

/** Returns the store of the service on a port of this machine, if this user started it. */
export function findServedStore(port: number, stateFolder: string): string | undefined {
  return read(storeFile(port, stateFolder))
}

/** Returns the token of the service on a port of this machine, if this user started it. */
export function findServedToken(port: number, stateFolder: string): string | undefined {
  return read(serviceFile(port, stateFolder))
}

/**
 * Returns the ports of this machine at which a service with this token was started. A killed service may be among
 * them.
 */
export function findServedPorts(token: string, stateFolder: string): number[] {
  const folder = join(stateFolder, 'served')
  const names = existsSync(folder) ? readdirSync(folder) : []
  const ports = names.flatMap((name) => /^(\d+)\.control$/.exec(name)?.[1] ?? []).map(Number)
  return ports.filter((port) => findServedToken(port, stateFolder) === token).toSorted((a, b) => a - b)
}

function serviceFile(port: number, stateFolder: string): string {
  return join(stateFolder, 'served', `${port}.control`)
}

function storeFile(port: number, stateFolder: string): string {
  return join(stateFolder, 'served', `${port}.store`)
}

/** Creates a file that only its owner may read. */
function writeSecret(file: string, token: string): void {
  try {
    makeFolders(dirname(file), 0o700)
    writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

function cannotWrite(file: string, error: unknown): AppError {
  return toWriteError(error, (why) => `The token ${file} cannot be written (${why}).`)
}

function read(file: string): string | undefined {
  try {
    const token = readFileSync(file, 'utf8').trim()
    return token === '' ? undefined : token
  } catch {
    return undefined
  }
}
