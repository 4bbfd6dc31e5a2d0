/** Flags that fill fields of an operation: the schema says their kind, their choices and, unless told otherwise, their text. */
import type { Money } from '../core/money.ts'
import type { CommandContext } from './cli.ts'
import type { Args, CommandSpec, Flag } from './command.ts'
import { buildInput } from './input.ts'
import { readMoment } from './moment.ts'

type FieldFlag<S extends CommandSpec> = Extract<S['flags'][number], { field: string }>

type FieldOf<S extends CommandSpec> = FieldFlag<S>['field']

/** The dotted field; with what the command says of it in other words than the schema does. */
type FieldRequest<F> = F | ({ field: F } & Partial<Pick<Flag, 'description' | 'value'>>)

type RequestedField<W> = W extends { field: infer F } ? F : W

type FieldFlags<S extends CommandSpec, W> = {
  [N in keyof W & string]: Omit<
    Extract<FieldFlag<S>, { field: RequestedField<W[N]> }>,
    'flag' | 'required'
  > & {
    flag: N
  }
}[keyof W & string]

/**
 * Returns flags by their names, from the command line that derives from an operation (`generated/specs/`). None is
 * required: a command that is hand-written asks for what is missing.
 */
export function pickOperationFlags<
  S extends CommandSpec,
  const W extends Readonly<Record<string, FieldRequest<FieldOf<S>>>>,
>({ words, flags }: S, wanted: W): readonly FieldFlags<S, W>[] {
  return Object.entries(wanted).map(([flag, given]) => {
    const { field, ...own } = typeof given === 'string' ? { field: given } : given
    const derived = flags.find((each) => each.field === field)
    if (derived === undefined) throw new Error(`${words} has no flag for ${field}`)
    const { required: _, ...rest } = derived
    return { ...rest, description: inLine(derived.description), ...own, flag } as unknown as FieldFlags<S, W>
  })
}

/** Help of commands that are hand-written begins texts of flags in lower case; an abbreviation stays as it is. */
function inLine(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}

type Numeric = 'integer' | 'number' | 'weight' | 'length'

type Value<F> = F extends { choices: readonly (infer Choice)[] }
  ? Choice
  : F extends { kind: Numeric }
    ? number
    : F extends { kind: 'boolean' }
      ? boolean
      : F extends { kind: 'money' }
        ? Money
        : string

type FieldInput<F> = F extends { repeat: true } ? Value<F>[] : Value<F>

/** The first name of a dotted field, and what is behind it. */
type Head<P> = P extends `${infer Name}.${string}` ? Name : P
type Behind<F, Name extends string> = F extends { field: `${Name}.${infer Rest}` } ? Rest : never

/** The input that flags give, with the fields of fields: `parcel.size` is in `parcel`. */
type NestedInput<F extends Flag> = {
  [Name in Head<NonNullable<F['field']>>]?: Extract<F, { field: Name }> extends never
    ? { [Rest in Behind<F, Name>]?: FieldInput<Extract<F, { field: `${Name}.${Rest}` }>> }
    : FieldInput<Extract<F, { field: Name }>>
}

/** Returns the part of an operation's input that these flags give. Throws AppError('usage') with every invalid value. */
export async function readInputFromFlags<const F extends Flag>(
  cli: CommandContext,
  flags: readonly F[],
  args: Args,
): Promise<NestedInput<F>> {
  const world = { currency: 'GBP', moment: (typed: string) => readMoment(cli, typed) }
  return (await buildInput({ flags, positionals: [] }, args, world)) as NestedInput<F>
}
