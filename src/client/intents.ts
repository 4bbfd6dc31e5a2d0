/**
 * The memory of calls that were sent and not yet answered: one file each, written and synced before anything is sent,
 * removed when a final answer has arrived. What a killed process leaves behind tells the next one which call to repeat,
 * and with which key.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Money } from '../domain/money.ts'
import type { Runtime } from '../runtime.ts'

export type Intent = {
  /** As typed after `dray`. */
  argv: readonly string[]
  profile: string
  /** The address of the service, or the store; never with a password. */
  service: string
  account: string | null
  operation: string
  input: Record<string, unknown>
  scenario: string | null
  key: string
  /** The price that was agreed to, where there is one. */
  total: Money | null
  /** By the machine's clock. */
  started_at: number
  /** By the service's clock. */
  service_time: number
}

/** An intent that this process holds. */
export type Held = {
  intent: Intent
  /** It is that of a process which is gone. */
  resumed: boolean
  close(): void
}

export type Found = {
  intent: Intent
  path: string
  /** What the name of its file begins with: the hash of the command. */
  place: string
  /** The process that is at it; undefined when that is gone. */
  running: number | undefined
}

type Parts = Pick<Runtime, 'paths' | 'pid' | 'isAlive' | 'startOf'>

/** Remembers a call that is about to be sent. `place` is what the same command will look for. */
export function writeIntent(parts: Parts, place: string, intent: Intent): Held {
  const path = ownPath(parts, place)
  const write = (): void => writeFileSync(path, JSON.stringify(intent), { mode: 0o600, flush: true })
  try {
    write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(folderOf(parts), { recursive: true, mode: 0o700 })
    write()
  }
  return { intent, resumed: false, close: () => removeIfThere(path) }
}

/** All that are open, oldest first; at one place, or everywhere. Half a file of a process that is gone was never sent: it is removed. */
export function listIntents(parts: Parts, place = ''): Found[] {
  const found: Found[] = []
  for (const name of readNames(folderOf(parts))) {
    if (!name.startsWith(place)) continue
    const [at = '', pid = '', start = ''] = name.split('.')
    const path = join(folderOf(parts), name)
    const running = isRunning(parts, Number(pid), start) ? Number(pid) : undefined
    const intent = readIntent(path)
    if (intent !== undefined) found.push({ intent, path, place: at, running })
    else if (running === undefined) removeIfThere(path)
  }
  return found.toSorted((one, other) => one.intent.started_at - other.intent.started_at)
}

/** Makes the intent of a process that is gone this one's; undefined when somebody else was faster. */
export function takeOver(parts: Parts, { path, place, intent }: Found): Held | undefined {
  const own = ownPath(parts, place)
  try {
    renameSync(path, own)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return { intent, resumed: true, close: () => removeIfThere(own) }
}

/** Forgets an intent without looking what became of it. */
export function discardIntent({ path }: Pick<Found, 'path'>): void {
  removeIfThere(path)
}

function folderOf({ paths }: Pick<Parts, 'paths'>): string {
  return join(paths.state, 'intents')
}

/** The owner stands in the name: taking over is one step, which only one process can take. */
function ownPath(parts: Parts, place: string): string {
  return join(folderOf(parts), `${place}.${parts.pid}.${parts.startOf(parts.pid)}.json`)
}

/** A process of that number that began at another moment is another one. */
function isRunning({ pid: own, isAlive, startOf }: Parts, pid: number, start: string): boolean {
  if (pid === own || !isAlive(pid)) return false
  const began = startOf(pid)
  return start === '' || began === '' || began === start
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

function readIntent(path: string): Intent | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Intent
  } catch {
    return undefined
  }
}

/** As `rmSync` with force, without the modules that it loads. */
function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
