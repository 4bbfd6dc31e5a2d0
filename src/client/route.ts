import type { HttpMethod, Operation } from '../core/operation.ts'

/** The HTTP route of an operation or a control call. A remote client needs and loads nothing else of it. */
export type OperationRoute = {
  method: HttpMethod
  /** The path, with `{member}` for each path parameter. */
  path: string
  pathParameters: readonly string[]
  /** The path parameters that a response repeats, where it has them: a call that creates another resource of a kind answers with that. */
  repeats: readonly string[]
  /** Absent for a control call, which takes no key. */
  idempotency?: Operation['idempotency']
  /** The required fields of a response. */
  required: readonly string[]
  /** Loads the validator of the response's values. */
  loadCheck: () => Promise<AnswerCheck>
}

export type AnswerCheck = { check(value: unknown): boolean }
