import type { Command } from '../../src/cli/define-command.ts'
import { embeddedIn } from './embedded-client.ts'
import type { Home } from './home.ts'
import { type InlineCommandResult, runCommand } from './run-command.ts'

/** Frozen at nine in the morning of a Friday. */
export const FROZEN = { DRAY_NOW: '2026-11-20T09:00:00Z' }

/** Runs a command on the home's own store. */
export function runInSandbox(home: Home, command: Command, ...argv: string[]): Promise<InlineCommandResult> {
  return runCommand(home, command, argv, { openClient: embeddedIn(home) })
}

/** Returns the JSON that a command prints. */
export async function runForJson(home: Home, command: Command, ...argv: string[]) {
  return (await runInSandbox(home, command, ...argv, '--json')).json() as Record<string, unknown>
}
