/**
 * The control token of a sandbox: who may read the store's folder may turn its clock. It stands beside an SQLite store,
 * else in the state folder; a served sandbox also leaves a note there by its port, for clients on the same machine.
 */
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import { randomId } from '../core/ids.ts'
import { isPostgresUrl } from '../core/network.ts'
import { writeError } from '../core/write-error.ts'

type ControlTokenDeps = { now(): number; random(count: number): Uint8Array }

/** The token of a store; made, readable by its owner only, when there is none yet. Throws `file_error`. */
export function ensureControlToken(store: string, stateFolder: string, deps: ControlTokenDeps): string {
  return ensureToken(controlTokenFile(store, stateFolder), 'dray_ctl_', deps)
}

/** The token of a store; undefined when none was made yet. */
export function findControlToken(store: string, stateFolder: string): string | undefined {
  return read(controlTokenFile(store, stateFolder))
}

/** The token in a file; made, readable by its owner only, when there is none yet. Throws `file_error`. */
export function ensureToken(file: string, prefix: string, deps: ControlTokenDeps): string {
  const found = read(file)
  if (found !== undefined) return found
  const draft = `${file}.${randomId('tmp', deps.now(), deps.random(10))}`
  writeSecret(draft, `${prefix}${Buffer.from(deps.random(32)).toString('base64url')}`)
  try {
    // Of several processes that start at once one is first, and none ever sees half a token.
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

/** Where the token of a store stands; a database's file is named by its address without the password. */
export function controlTokenFile(store: string, stateFolder: string): string {
  if (store !== ':memory:' && !isPostgresUrl(store)) return `${store}.control`
  const address = URL.parse(store)
  if (address !== null) address.password = ''
  return join(stateFolder, 'control', `${sha256Hex(address?.href ?? store).slice(0, 16)}.control`)
}

/**
 * Tells clients on this machine which token the service on a port takes, and which store it serves. Returns a function
 * that takes both back.
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

/** The store of the service on a port of this machine, when this user started it. */
export function findServedStore(port: number, stateFolder: string): string | undefined {
  return read(storeFile(port, stateFolder))
}

/** The token of the service on a port of this machine, when this user started it. */
export function findServedToken(port: number, stateFolder: string): string | undefined {
  return read(serviceFile(port, stateFolder))
}

/** The ports of this machine at which a service with this token was started; one that was killed may be among them. */
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

/** A new file, readable by its owner only. */
function writeSecret(file: string, token: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

function cannotWrite(file: string, error: unknown): AppError {
  return writeError(error, (why) => `The token ${file} cannot be written (${why}).`)
}

function read(file: string): string | undefined {
  try {
    const token = readFileSync(file, 'utf8').trim()
    return token === '' ? undefined : token
  } catch {
    return undefined
  }
}
