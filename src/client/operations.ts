/** The input and the answer of each operation, by its name: derived from the registry, whose code is never loaded by this. */
import type { OPERATIONS } from '../areas/index.ts'

export type OperationName = keyof typeof OPERATIONS

type Of<N extends OperationName> = Awaited<ReturnType<(typeof OPERATIONS)[N]>>

export type Input<N extends OperationName> = Parameters<Of<N>['run']>[1]

export type Answer<N extends OperationName> = Awaited<ReturnType<Of<N>['run']>>

/** The operations that price what another one confirms. */
export type QuoteName = Exclude<Extract<OperationName, `quote_${string}`>, 'quote_rates'>

/** A name that is only known at run time takes any input; one that no operation has takes none. */
export type InputOf<N extends string> = string extends N
  ? Readonly<Record<string, unknown>>
  : N extends OperationName
    ? Input<N>
    : never

export type AnswerOf<N extends string> = N extends OperationName ? Answer<N> : unknown
