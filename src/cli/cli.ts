/** The arguments of a command: the terminal, the flags, the settings, and the service. */
import type { Client } from '../client/client.ts'
import type { Args, CommandSpec } from './command.ts'
import type { Globals } from './globals.ts'
import type { Io } from './io.ts'
import type { MissingInput } from './prompts.ts'
import type { Prompts } from './questions.ts'
import type { Runtime } from './runtime.ts'
import type { Settings } from './settings.ts'

export type CommandContext = {
  io: Io
  runtime: Runtime
  globals: Globals
  settings: Settings
  /** The command that runs. */
  spec: CommandSpec
  /** The values of its own flags and positionals, as they were typed. */
  args: Args
  /** The words as typed after `dray`, to show them with missing flags added. */
  argv: readonly string[]
  /** Answers to questions, shown at the end as the equivalent flags. */
  answered: MissingInput[]
  /** Doubts about a file, for the document that scripts read. */
  warnings: string[]
  /** Returns the functions that ask; undefined when questions are impossible. */
  ask(): Promise<Prompts | undefined>
  /** Prints a notice on stderr; nothing with --quiet. */
  say(text: string): Promise<void>
  /** Returns the client. Opens the embedded store or the connection at the first call. */
  client(): Promise<Client>
}
