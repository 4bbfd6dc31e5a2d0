import type { Method, Operation } from '../core/operation.ts'

/** The HTTP route of an operation. A remote client needs and loads nothing else of the operation. */
export type Route = {
  method: Method
  /** The path, with `{member}` for each path parameter. */
  path: string
  pathParameters: readonly string[]
  idempotency: Operation['idempotency']
  /** The required members of a response. */
  required: readonly string[]
  /** Loads the validator of the response's values. */
  loadCheck: () => Promise<AnswerCheck>
}

export type AnswerCheck = { check(value: unknown): boolean }
