import type { JsonText } from '../core/json-text.ts'
/**
 * The types of each operation's input and response, by name. They derive from the registry without loading its code.
 */
import type { OPERATIONS } from '../generated/operation-list.ts'

export type ClientOperationName = keyof typeof OPERATIONS

type Of<N extends ClientOperationName> = Awaited<ReturnType<(typeof OPERATIONS)[N]>>

export type OperationInput<N extends ClientOperationName> = Parameters<Of<N>['run']>[1]

export type OperationOutput<N extends ClientOperationName> = Exclude<
  Awaited<ReturnType<Of<N>['run']>>,
  JsonText<unknown>
>

/** The operations with a quote that another operation confirms. */
export type QuoteOperationName = Exclude<Extract<ClientOperationName, `quote_${string}`>, 'quote_rates'>

/** The input by name. A name that is only known at run time takes any input; an unknown name takes none. */
export type InputOf<N extends string> = string extends N
  ? Readonly<Record<string, unknown>>
  : N extends ClientOperationName
    ? OperationInput<N>
    : never

export type AnswerOf<N extends string> = N extends ClientOperationName ? OperationOutput<N> : unknown
