/** A command: its words, flags and help, and the function that runs it. */
import type { Cli } from './cli.ts'
/** Gives the exit code; 0 when it returns nothing. */
import type { DeclaredFlag, CommandSpec, Args } from './command.ts'

export type Run = (cli: Cli, args: Args) => Promise<number | undefined>

export type Command = CommandSpec & { run: Run }

type Definition = Pick<Command, 'words' | 'summary' | 'run'> &
  Partial<Command> & {
    /** Prints a text or serves: there are no fields to choose. */
    unshaped?: true
  }

/** The flags of every command that prints a result. */
export const SHAPING = ['fields', 'query'] as const satisfies readonly DeclaredFlag[]

/** A command with its defaults. Its result has fields, unless it says otherwise in `unshaped`. */
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
