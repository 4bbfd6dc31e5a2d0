/** Defines a command: its words, flags and help, and the function that runs it. */
import type { CommandContext } from './cli.ts'
import type { Args, CommandSpec, DeclaredFlag, Flag, FlagValues, Positional } from './command.ts'

/** Runs a command and returns its exit code; undefined means 0. */
export type CommandHandler<G = Args> = (cli: CommandContext, given: G) => Promise<number | undefined>

export type Command = CommandSpec & {
  /** A method, so that a command may say more of what it gets: its line is read by its own flags. */
  run(cli: CommandContext, given: Args): ReturnType<CommandHandler>
}

type Definition<Flags extends readonly Flag[], Positionals extends readonly Positional[]> = Pick<
  Command,
  'words' | 'summary'
> &
  Partial<Omit<Command, 'flags' | 'positionals' | 'run'>> & {
    flags?: Flags
    positionals?: Positionals
    /** Gets what was given for these flags and positionals. */
    run: CommandHandler<FlagValues<Flags, Positionals>>
    /** The command prints text or serves, so there are no fields to choose. */
    unshaped?: true
  }

/** The flags of every command that prints a result. */
export const SHAPING = ['fields', 'query'] as const satisfies readonly DeclaredFlag[]

/** Returns a command with its defaults. Its result has fields, unless `unshaped` is set. */
export function defineCommand<
  const Flags extends readonly Flag[] = readonly [],
  const Positionals extends readonly Positional[] = readonly [],
>({ unshaped, takes = [], ...definition }: Definition<Flags, Positionals>): Command {
  return {
    positionals: [],
    flags: [],
    examples: [],
    danger: 'read',
    ...definition,
    takes: unshaped === true ? takes : [...SHAPING, ...takes],
  }
}
