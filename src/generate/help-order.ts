/**
 * The order of commands in help: first by group, within a group by operation, then commands without an operation. The
 * lists here hold only exceptions.
 */
import { GROUPS } from '../cli/groups.ts'
import type { AnyOperation, AnySandboxOperation } from '../core/operation.ts'
import type { CommandEntry } from './tree.ts'

/** Commands in another place than their operation's, or without one: each with the command before it. */
const AFTER: Readonly<Record<string, string>> = {
  'food track': 'food order',
  'food list': 'food track',
  'rides track': 'rides request',
  'rides list': 'rides track',
  'carrier hubs': 'carrier rates',
  'carrier template': 'carrier upload',
  'carrier list': 'carrier template',
  'carrier events': 'carrier show',
  'carrier track': 'carrier events',
  'tasks track': 'tasks evidence',
  listen: 'api',
  'sandbox clock freeze': 'sandbox clock set',
  'sandbox clock run': 'sandbox clock advance',
  'sandbox snapshot save': 'sandbox step',
  'sandbox snapshot load': 'sandbox snapshot save',
  'sandbox snapshot list': 'sandbox snapshot load',
  'sandbox diff': 'sandbox snapshot list',
  'sandbox backup': 'sandbox diff',
  'sandbox restore': 'sandbox backup',
}

/** Commands without an area, in the order of first use. */
const OTHERS = [
  'scenario run',
  'pending list',
  'pending show',
  'pending resolve',
  'profile list',
  'profile add',
  'profile use',
  'profile show',
  'profile bind',
  'profile remove',
  'start',
  'status',
  'recent',
  'doctor',
  'approve',
  'login',
  'logout',
  'whoami',
  'serve',
  'openapi',
  'mcp',
  'mcp install',
  'skill',
  'api',
]

/** Returns the commands in the order of help. A command without a place comes last in its group, by name. */
export function inHelpOrder(
  entries: readonly CommandEntry[],
  operations: readonly (AnyOperation | AnySandboxOperation)[],
): CommandEntry[] {
  const words = placeCommands(
    entries.map(({ spec }) => spec.words),
    operations.map(({ cli }) => cli.command),
  )
  const groups = Object.keys(GROUPS)
  const groupOf = ({ spec }: CommandEntry): number => {
    const at = groups.indexOf(spec.words.split(' ')[0] ?? '')
    return at === -1 ? groups.length : at
  }
  return entries.toSorted(
    (a, b) => groupOf(a) - groupOf(b) || words.indexOf(a.spec.words) - words.indexOf(b.spec.words),
  )
}

function placeCommands(all: readonly string[], ofOperations: readonly string[]): string[] {
  const placed = [...ofOperations, ...OTHERS].filter((words) => AFTER[words] === undefined)
  for (const [words, before] of Object.entries(AFTER)) placed.splice(placed.indexOf(before) + 1, 0, words)
  for (const words of all.toSorted()) {
    if (placed.includes(words)) continue
    const last = placed.findLastIndex((other) => groupNameOf(other) === groupNameOf(words))
    placed.splice(last === -1 ? placed.length : last + 1, 0, words)
  }
  return placed
}

/** Returns `business orders` for `business orders watch`. */
function groupNameOf(words: string): string {
  return words.split(' ').slice(0, -1).join(' ')
}
