/**
 * The types of each operation's input and response, by name. They derive from the registry without loading its code.
 */
import type { BESIDE, OPERATIONS } from '../areas/index.ts'
import type { JsonText } from '../core/json-text.ts'

export type OperationName = keyof typeof OPERATIONS

type Callable = typeof OPERATIONS & typeof BESIDE

/** An operation of the interface, or a read beside them. */
export type CallName = keyof Callable

type Of<N extends CallName> = Awaited<ReturnType<Callable[N]>>

export type Input<N extends CallName> = Parameters<Of<N>['run']>[1]

export type Answer<N extends CallName> = Exclude<Awaited<ReturnType<Of<N>['run']>>, JsonText<unknown>>

/** The operations whose quote another operation confirms. */
export type QuoteName = Exclude<Extract<OperationName, `quote_${string}`>, 'quote_rates'>

/** The input by name. A name that is only known at run time takes any input; an unknown name takes none. */
export type InputOf<N extends string> = string extends N
  ? Readonly<Record<string, unknown>>
  : N extends CallName
    ? Input<N>
    : never

export type AnswerOf<N extends string> = N extends CallName ? Answer<N> : unknown
