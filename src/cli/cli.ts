/** What a command is handed: the terminal, the flags, the settings in force, and the service. */
import type { Client } from '../client/client.ts'
import type { CommandSpec } from './command.ts'
import type { Globals } from './globals.ts'
import type { Io } from './io.ts'
import type { Missing } from './prompts.ts'
import type { Ask } from './questions.ts'
import type { Runtime } from './runtime.ts'
import type { Settings } from './settings.ts'

export type Cli = {
  io: Io
  runtime: Runtime
  globals: Globals
  settings: Settings
  /** The command at hand. */
  spec: CommandSpec
  /** The words as typed after `dray`, to be shown back with what was missing. */
  argv: readonly string[]
  /** What was answered by hand: shown at the end as the flags that would have said it. */
  answered: Missing[]
  /** The questions, or undefined when nobody can be asked. */
  ask(): Promise<Ask | undefined>
  /** A notice for people, on stderr; nothing with --quiet. */
  say(text: string): Promise<void>
  /** Opens the embedded store or the connection on first use; the same one afterwards. */
  client(): Promise<Client>
}
