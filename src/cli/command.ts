/** What a command is. Those of operations are generated from the registry; the others are files in `commands/`. */
import type { Column, Danger } from '../core/operation.ts'

/**
 * How the text of a flag becomes a value. `weight` and `length` take units; `date`, `instant` and `when` (either) take
 * dates as people write them; `modifiers` takes groups as a menu file writes them in one cell, or JSON.
 */
export type FlagKind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'enum'
  | 'money'
  | 'date'
  | 'instant'
  | 'when'
  | 'point'
  | 'weight'
  | 'length'
  | 'json'
  | 'modifiers'

export type Flag = {
  /** Without the dashes. */
  flag: string
  kind: FlagKind
  description: string
  /** Dotted place in the operation's input; absent on commands that are not of one operation. */
  field?: string
  /** The same of a flag that the command reads itself: what is said of that place is said of the flag. */
  place?: string
  choices?: readonly string[]
  required?: true
  repeat?: true
  /** What stands for the value in help, e.g. `FILE`. */
  value?: string
  short?: string
  /** Works, but another flag says the same better: help and completions leave it out. */
  hidden?: true
}

export type Positional = {
  name: string
  description: string
  field?: string
  kind?: FlagKind
  choices?: readonly string[]
  required?: true
  repeat?: true
  /** `last` may stand in its place. */
  last?: true
}

/** The global flags that only some commands take. */
export const DECLARED_FLAGS = [
  'fields',
  'query',
  'scenario',
  'limit',
  'cursor',
  'all',
  'dry-run',
  'idempotency-key',
  'new',
  'wait',
] as const

export type DeclaredFlag = (typeof DECLARED_FLAGS)[number]

export type CommandSpec = {
  /** The words after `dray`. */
  words: string
  summary: string
  description?: string
  positionals: readonly Positional[]
  flags: readonly Flag[]
  examples: readonly string[]
  danger: Danger
  /** The global flags that it takes besides those of every command. Help lists them; the others are refused. */
  takes: readonly DeclaredFlag[]
  /** Present when the command is one operation. */
  operation?: OperationHints
}

export type OperationHints = {
  name: string
  /** Whether the answer is `{data, has_more, next_cursor}`. */
  list: boolean
  read: boolean
  /** It costs money, at once or on an invoice. */
  buys?: true
  columns: readonly Column[]
  done?: string
  next?: string
}

/** Values by flag name or positional name: text, a list of texts when it repeats, true for a boolean. */
export type Args = Readonly<Record<string, string | string[] | boolean | undefined>>

/** Which of its choices was given for a flag that has some; undefined when none was. */
export function choice<T extends string>(args: Args, name: string, choices: readonly T[]): T | undefined {
  const typed = text(args, name)
  return choices.find((each) => each === typed)
}

/** What was given for a flag or a positional that takes one text; undefined when it was not given. */
export function text(args: Args, name: string): string | undefined {
  const value = args[name]
  return typeof value === 'string' ? value : undefined
}
