import type { Command } from '../../src/cli/define-command.ts'
import { embeddedIn } from './embedded-client.ts'
import type { Home } from './home.ts'
import { type Ran, runCommand } from './run-command.ts'

/** Frozen at nine in the morning of a Friday. */
export const FROZEN = { DRAY_NOW: '2026-11-20T09:00:00Z' }

/** Runs a command on the home's own store. */
export function run(home: Home, command: Command, ...argv: string[]): Promise<Ran> {
  return runCommand(home, command, argv, { openClient: embeddedIn(home) })
}

/** Returns the JSON that a command prints. */
export async function json(home: Home, command: Command, ...argv: string[]) {
  return (await run(home, command, ...argv, '--json')).json() as Record<string, unknown>
}
