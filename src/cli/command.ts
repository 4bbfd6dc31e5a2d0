/**
 * The type of a command. Commands of operations are generated from the registry; the others are files in `commands/`.
 */
import type { Column, Danger } from '../core/operation.ts'

/**
 * The kind of a flag's value. `weight` and `length` take units, `minutes` `30m`, `1h30m` and `off`. `date`, `instant` and `when` (either) take dates as
 * people write them; a date of `store_when` is a business day. `modifiers` takes groups as in one cell of a menu file, or JSON. `words` are one text, however many there are.
 */
export type FlagKind =
  | 'text'
  | 'words'
  | 'integer'
  | 'minutes'
  | 'number'
  | 'boolean'
  | 'enum'
  | 'money'
  | 'date'
  | 'instant'
  | 'when'
  | 'store_when'
  | 'point'
  | 'weight'
  | 'length'
  | 'json'
  | 'modifiers'

export type Flag = {
  /** The name without dashes. */
  flag: string
  kind: FlagKind
  description: string
  /** The dotted name of the field in the operation's input; absent on commands without a single operation. */
  field?: string
  /**
   * The dotted name of the field for a flag that the command reads itself. The service's errors for that field name
   * the flag. Several names are separated by commas.
   */
  fieldPath?: string
  choices?: readonly string[]
  required?: true
  repeat?: true
  /** The placeholder of the value in help, e.g. `FILE`. */
  value?: string
  /**
   * The use of the file or folder that the value names; `make`: the folders above it are made, too. A place that is
   * written is checked before the command does anything. `-` is standard input or output where `value` has it, as
   * `FILE|-` does, and is rejected elsewhere.
   */
  fileAccess?: 'read' | 'write' | 'make'
  short?: string
  /** Accepted, but omitted from help and completions, because another flag replaces it. */
  hidden?: true
}

export type Positional = {
  name: string
  description: string
  field?: string
  kind?: FlagKind
  choices?: readonly string[]
  required?: true
  /** The flag that may be given in its place: one of both is needed. */
  unless?: string
  repeat?: true
  /** It takes a number below 0, `-2`, which is no flag. */
  signed?: true
  /** True if `last` is accepted as its value. */
  last?: true
  /** The use of the file that it names, and whether `-` is accepted for standard input or output. */
  fileAccess?: 'read' | 'write' | 'make'
  dash?: true
}

/** The global flags that only some commands accept. */
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
  /** The declared global flags that it accepts. Help lists them; others are rejected. */
  takes: readonly DeclaredFlag[]
  /** Present when the command is a single operation. */
  operation?: OperationHints
  /**
   * The fields of its answer, when that is not simply the operation's response. A command that changes something and
   * takes `--fields` has them, because a name is checked before anything is sent.
   */
  answer?: AnswerFields | ((args: Args) => AnswerFields)
}

/** The fields of an answer, or of each row of a list. */
export type AnswerFields = {
  /** The operations with printed responses. */
  of?: readonly string[]
  /** Dotted names of fields that the command makes itself; `name.*` may hold anything. */
  fields?: readonly string[]
  /** The operations with responses in a field of the command's own, by the field. */
  within?: Readonly<Record<string, string>>
}

export type OperationHints = {
  name: string
  /** Present for a control call, which is made with the control token and under no account. */
  plane?: 'sandbox'
  /** True if the response is `{data, has_more, next_cursor}`. */
  list: boolean
  read: boolean
  /** True if it costs money, at once or on an invoice. */
  buys?: true
  columns: readonly Column[]
  details?: readonly Column[]
  empty?: string
  done?: string
  next?: string
  instead?: Readonly<Record<string, string>>
}

/** Values by flag name or positional name: text, a list of texts for a repeated flag, true for a boolean. */
export type Args = Readonly<Record<string, string | string[] | boolean | undefined>>

type Word<F> = F extends { choices: readonly (infer Choice)[] } ? Choice : string

type ValueOf<F> = F extends { repeat: true }
  ? Word<F>[]
  : F extends { kind: infer Kind }
    ? 'boolean' extends Kind
      ? Kind extends 'boolean'
        ? boolean
        : Args[string]
      : Word<F>
    : Word<F>

/**
 * The values of declared flags and positionals, by their names. A flag with choices has one of them; the choices of a
 * positional are only suggestions.
 */
export type FlagValues<
  Flags extends readonly Flag[],
  Positionals extends readonly Positional[] = readonly [],
> = {
  readonly [F in Flags[number] as F['flag']]?: ValueOf<F> | undefined
} & {
  readonly [P in Positionals[number] as P['name']]?:
    | (P extends { repeat: true } ? string[] : string)
    | undefined
}

/** Returns the text of a flag or a positional; undefined when it was not given. */
export function readTextArgument(args: Args, name: string): string | undefined {
  const value = args[name]
  return typeof value === 'string' ? value : undefined
}
