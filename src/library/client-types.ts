/** The types of `dray/client`, as the package has them. */
import type { Controls, ErrorCode, OperationMethods, Operations } from '../generated/calls.ts'

export type { Controls, ErrorCode, Operations }

/** The name of an operation, such as `accept_business_order`. */
export type OperationName = keyof Operations
/** The input of an operation. */
export type Input<N extends OperationName> = Operations[N]['input']
/** The response of an operation. */
export type Answer<N extends OperationName> = Operations[N]['answer']

/** The options of one call. */
export type CallOptions = {
  /** Makes a repeat of the same call harmless. One is made for each call that is not a read, unless it is given. */
  idempotencyKey?: string
  /** The name of a case of the sandbox, as the header `Sandbox-Scenario` has it. */
  scenario?: string
  /** A fault on order for this call, as the header `Sandbox-Fault` has it: `after_commit`, `status=503` and others. */
  fault?: string
  /** Ends a call that has not been answered. What it changes may have been changed by then. */
  signal?: AbortSignal
}

/** One fault of an input. One of `pointer`, `parameter` and `header` says where. */
export type FieldError = {
  pointer?: string
  parameter?: string
  header?: string
  code: string
  detail: string
}

/**
 * The failure of a call: one class for `dray/client` and `dray/testing`, by `instanceof`, too. `message` is a sentence for people; a
 * program decides by `code`, or repeats a call by `retryable`.
 */
export declare class DrayError<C extends ErrorCode = ErrorCode> extends Error {
  private constructor()
  readonly name: 'DrayError'
  readonly code: C
  /** The HTTP status of the code; undefined for an error that no service sent, such as `network_error`. */
  readonly status: number | undefined
  /** True if the same call may succeed later unchanged. */
  readonly retryable: boolean
  /** The faults of the input; empty for other failures. */
  readonly errors: FieldError[]
  /** The next step, as a sentence. */
  readonly hint: string | undefined
  /** Further fields of the problem document, such as `current_status`; `idempotency_key` where the outcome is not known. */
  readonly extra: Record<string, unknown>
}

/** Makes the calls of one account: each operation as a method, and by its name. */
export type Calls = OperationMethods<CallOptions> & {
  /** Makes a call by the name of its operation. Throws DrayError. */
  call<N extends OperationName>(operation: N, input: Input<N>, options?: CallOptions): Promise<Answer<N>>
  /** Makes a call that must be rejected, and returns the refusal. Throws Error when the call is carried out. */
  refused<N extends OperationName>(
    operation: N,
    input: Input<N>,
    options?: CallOptions,
  ): Promise<DrayError<Operations[N]['error']>>
}

export type ClientOptions = {
  /** The address of the service, without `/v1`: https, or http on this machine. */
  baseUrl: string
  /** An access token of an account. */
  token: string
  /** The longest time of a call with its retries, in milliseconds: 30,000 for a read and 90,000 for a change by default. */
  timeoutMs?: number
  /** Another `fetch`, such as one that goes through a proxy. */
  fetch?: typeof fetch
}

/**
 * Returns a client of a service. It repeats what may be repeated, as the command line does: reads, and changes with their key.
 * Throws DrayError `config_error` for an address that must not receive a token.
 */
export declare function createClient(options: ClientOptions): Calls
