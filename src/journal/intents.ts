/**
 * The memory of calls that were sent and not yet answered: one file each, written and synced before anything is sent,
 * removed when a final answer has arrived. What a killed process leaves behind tells the next one which call to repeat,
 * and with which key.
 */
import { join } from 'node:path'
import type { Machine } from '../core/machine.ts'
import type { Money } from '../core/money.ts'
import { type FoundFile, holdFile, listHeldFiles, type Owner, removeIfThere, takeFile } from './held-files.ts'

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
export type OpenCall = {
  intent: Intent
  /** It is that of a process which is gone. */
  resumed: boolean
  close(): void
}

/** `place` is what the name of its file begins with: the hash of the command. */
export type Found = Omit<FoundFile<Intent>, 'value'> & { intent: Intent }

type IntentDeps = Owner & Pick<Machine, 'paths'>

/** Remembers a call that is about to be sent. `place` is what the same command will look for. */
export function writeIntent(deps: IntentDeps, place: string, intent: Intent): OpenCall {
  return { intent, resumed: false, close: holdFile(deps, folderOf(deps), place, intent) }
}

/** All that are open, oldest first; at one place, or everywhere. */
export function listIntents(deps: IntentDeps, place = ''): Found[] {
  return listHeldFiles<Intent>(deps, folderOf(deps), place)
    .map(({ value, ...found }) => ({ ...found, intent: value }))
    .toSorted((one, other) => one.intent.started_at - other.intent.started_at)
}

/** Makes the intent of a process that is gone this one's; undefined when somebody else was faster. */
export function takeOver(deps: IntentDeps, found: Found): OpenCall | undefined {
  const close = takeFile(deps, folderOf(deps), found)
  return close && { intent: found.intent, resumed: true, close }
}

/** Forgets an intent without looking what became of it. */
export function discardIntent({ path }: Pick<Found, 'path'>): void {
  removeIfThere(path)
}

function folderOf({ paths }: Pick<IntentDeps, 'paths'>): string {
  return join(paths.state, 'intents')
}
