/** Defines a command: its words, flags and help, and the function that runs it. */
import type { Cli } from './cli.ts'
import type { DeclaredFlag, CommandSpec, Args } from './command.ts'

/** Runs a command and returns its exit code; undefined means 0. */
export type Run = (cli: Cli, args: Args) => Promise<number | undefined>

export type Command = CommandSpec & { run: Run }

type Definition = Pick<Command, 'words' | 'summary' | 'run'> &
  Partial<Command> & {
    /** The command prints text or serves, so there are no fields to choose. */
    unshaped?: true
  }

/** The flags of every command that prints a result. */
export const SHAPING = ['fields', 'query'] as const satisfies readonly DeclaredFlag[]

/** Returns a command with its defaults. Its result has fields, unless `unshaped` is set. */
export function defineCommand({ unshaped, takes = [], ...definition }: Definition): Command {
  return {
    positionals: [],
    flags: [],
    examples: [],
    danger: 'read',
    ...definition,
    takes: unshaped === true ? takes : [...SHAPING, ...takes],
  }
}
