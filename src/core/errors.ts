/** The one class that carries the errors of the table. */

import { type ErrorCode, type ErrorEntry, ERRORS, EXIT } from './error-table.ts'
import type { ProblemFieldError } from './field-error.ts'
import type { ProblemMember } from './problem-members.ts'

export { type ErrorCode, ERRORS, EXIT, type ExitName } from './error-table.ts'
export type { ProblemFieldError, FieldErrorCode } from './field-error.ts'

/** RFC 9457 problem document, as sent and as printed. */
export type Problem = {
  type: string
  title: string
  status?: number
  code: ErrorCode
  detail: string
  instance?: string
  request_id?: string
  retryable: boolean
  hint?: string
  errors: ProblemFieldError[]
  [member: string]: unknown
}

/** Further fields of a problem document, such as `existing_tracking_number`. */
export type ProblemDetails = { readonly [M in ProblemMember]?: unknown }

type AppErrorOptions = {
  errors?: ProblemFieldError[]
  hint?: string
  extra?: ProblemDetails
  cause?: unknown
}

/**
 * Marks every error of this class, also those of another copy of the program: `dray/client` and `dray/testing` are bundled apart,
 * and a shop's own bundle may hold a third copy.
 */
const MARK = Symbol.for('dray.DrayError')

/**
 * The only error that users see: a code of the table, one sentence, and details. The library exports it as `DrayError`, and
 * `instanceof` holds between the copies of the program.
 */
export class AppError extends Error {
  /** The bundle shortens names, and Node prints that of the class. */
  static override readonly name = 'DrayError'

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A class that extends this one has its own instances.
    if (this !== AppError) return Function.prototype[Symbol.hasInstance].call(this, value)
    return typeof value === 'object' && value !== null && MARK in value
  }

  readonly code: ErrorCode
  readonly errors: ProblemFieldError[]
  readonly hint: string | undefined
  readonly extra: Record<string, unknown>

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.errors = options.errors ?? []
    this.hint = options.hint ?? ERRORS[code].hint
    this.extra = { ...options.extra }
  }

  override get name(): string {
    return 'DrayError'
  }

  get [MARK](): true {
    return true
  }

  /** The HTTP status of the code; undefined for an error that no service sent. */
  get status(): number | undefined {
    return this.entry.status ?? undefined
  }

  /** True if the same call may succeed later unchanged. */
  get retryable(): boolean {
    return this.entry.retryable ?? false
  }

  get entry(): ErrorEntry {
    return ERRORS[this.code]
  }

  get exitCode(): number {
    return EXIT[this.entry.exit]
  }
}

/** Returns the problem document of an error (RFC 9457). */
export function toProblem(error: AppError, requestId?: string): Problem {
  const { status, title } = error.entry
  return {
    type: `urn:dray:problem:${error.code}`,
    title,
    ...(status !== null && { status }),
    code: error.code,
    detail: error.message,
    ...(requestId !== undefined && { instance: `urn:dray:request:${requestId}`, request_id: requestId }),
    retryable: error.retryable,
    ...(error.hint !== undefined && { hint: error.hint }),
    errors: error.errors,
    ...error.extra,
  }
}

const PROBLEM_MEMBERS = new Set([
  'type',
  'title',
  'status',
  'code',
  'detail',
  'instance',
  'retryable',
  'hint',
  'errors',
])

/**
 * Returns the error that a problem document describes, or undefined for a document of another program. The caller
 * decides what an unknown response means.
 */
export function fromProblem(value: unknown): AppError | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const problem = value as Partial<Problem>
  if (typeof problem.code !== 'string' || !Object.hasOwn(ERRORS, problem.code)) return undefined
  const extra = Object.fromEntries(Object.entries(problem).filter(([key]) => !PROBLEM_MEMBERS.has(key)))
  const detail = typeof problem.detail === 'string' ? problem.detail : ERRORS[problem.code].title
  return new AppError(problem.code, detail, {
    errors: Array.isArray(problem.errors) ? problem.errors : [],
    ...(typeof problem.hint === 'string' && { hint: problem.hint }),
    extra,
  })
}
