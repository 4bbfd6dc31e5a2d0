import type { Method, Operation } from '../core/operation.ts'

/** How an operation travels over HTTP. Of its file a remote client needs no more, and loads nothing else. */
export type Route = {
  method: Method
  /** With `{member}` for each path parameter. */
  path: string
  pathParameters: readonly string[]
  idempotency: Operation['idempotency']
  /** The members that every answer has. */
  required: readonly string[]
  /** Whether each value of an answer is of the kind that it may be. */
  loadCheck: () => Promise<AnswerCheck>
}

export type AnswerCheck = { check(value: unknown): boolean }
