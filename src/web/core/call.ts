/** Calls of a page to its service: operations by their names, with the rights of the session. */
import type { OperationOutput, OperationInput, ClientOperationName } from '../../client/operations.ts'
import type { ControlAnswer, ControlInput, ControlName } from '../../sandbox/control/index.ts'
import { SESSION } from './session.ts'

/** The service rejected a call. */
export class ProblemError extends Error {
  readonly code: string
  readonly extra: Readonly<Record<string, unknown>>

  constructor(problem: Readonly<Record<string, unknown>>) {
    super(textOf(problem['detail']) ?? textOf(problem['title']) ?? 'The server rejected the request.')
    this.code = textOf(problem['code']) ?? ''
    this.extra = problem
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The service did not answer, or cannot now: the same call may be sent again. */
export class ConnectionLostError extends Error {}

/** The session has ended. */
export class SessionExpiredError extends Error {}

export type TimedResult<T> = { value: T; time: ServiceTime | undefined }

/** The service's clock at an answer. */
export type ServiceTime = { now: number; frozen: boolean }

/** A call that gets no answer for so long is lost. */
const LIMIT_MS = 20_000

/** The account that a page with control of the sandbox calls for, and the scenario that the sandbox plays for it. */
export type CallAs = { as?: string; scenario?: string }

/** Carries out an operation. Throws `Refusal`, `Lost`, `SignedOut`. A change needs a key, the same for each repeat. */
export async function call<N extends ClientOperationName>(
  operation: N,
  input: OperationInput<N>,
  key?: string,
  { as, scenario }: CallAs = {},
): Promise<TimedResult<OperationOutput<N>>> {
  const answer = await post(`/pages/call/${operation}`, input, {
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(as !== undefined && { 'Dray-As': as }),
    ...(scenario !== undefined && { 'Sandbox-Scenario': scenario }),
  })
  return answer as TimedResult<OperationOutput<N>>
}

/** Uses one of the sandbox's own switches. Throws as `call` does. */
export async function control<N extends ControlName>(
  name: N,
  input: ControlInput<N>,
): Promise<TimedResult<ControlAnswer<N>>> {
  return (await post(`/pages/control/${name}`, input, {})) as TimedResult<ControlAnswer<N>>
}

/** Sends a file. Throws as `call` does. */
export async function sendFile(
  path: string,
  file: Blob,
  headers: Readonly<Record<string, string>>,
): Promise<TimedResult<unknown>> {
  return send(path, file, { 'Content-Type': 'application/octet-stream', ...headers })
}

async function post(
  path: string,
  input: object,
  headers: Readonly<Record<string, string>>,
): Promise<TimedResult<unknown>> {
  return send(path, JSON.stringify(input), { 'Content-Type': 'application/json', ...headers })
}

async function send(
  path: string,
  body: string | Blob,
  headers: Readonly<Record<string, string>>,
): Promise<TimedResult<unknown>> {
  let response: Response
  let text: string
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'Dray-Page': SESSION.page, ...headers },
      body,
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    text = await response.text()
  } catch {
    throw new ConnectionLostError('The server does not respond.')
  }
  const value = parse(text)
  if (response.ok && value !== undefined)
    return { value, time: readTime(response.headers.get('Service-Time')) }
  if (response.status === 401) throw new SessionExpiredError('This browser is signed out.')
  const code = (value as { code?: unknown } | undefined)?.code
  // The first call with the same key still runs.
  const isEarly = code === 'idempotency_in_flight'
  if (typeof code !== 'string' || response.status >= 500 || response.status === 429 || isEarly)
    throw new ConnectionLostError('The server is not available now.')
  throw new ProblemError(value as Record<string, unknown>)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads the header of an answer. */
export function readTime(header: string | null): ServiceTime | undefined {
  const [, instant = '', mode] = /^([^;]+);mode=(running|frozen)$/.exec(header ?? '') ?? []
  const now = Date.parse(instant)
  return Number.isNaN(now) ? undefined : { now, frozen: mode === 'frozen' }
}

/** Returns a new idempotency key. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

/** Repeats a change with its key until the service answers, or too often. Throws as `call` does. */
export async function change<N extends ClientOperationName>(
  operation: N,
  input: OperationInput<N>,
  as: CallAs = {},
): Promise<TimedResult<OperationOutput<N>>> {
  const key = newKey()
  return untilAnswered(() => call(operation, input, key, as))
}

/** The keys of changes that got no answer. */
const unanswered = new Map<string, string>()

/** Makes a change as `change` does. One that got no answer keeps its key: confirmed again, it happens once. */
export async function changeOnce<N extends ClientOperationName>(
  operation: N,
  input: OperationInput<N>,
): Promise<TimedResult<OperationOutput<N>>> {
  const said = JSON.stringify([operation, input])
  const key = unanswered.get(said) ?? newKey()
  unanswered.set(said, key)
  try {
    const answered = await untilAnswered(() => call(operation, input, key))
    unanswered.delete(said)
    return answered
  } catch (error) {
    if (!(error instanceof ConnectionLostError)) unanswered.delete(said)
    throw error
  }
}

/** Repeats what was lost until the service answers, or too often. */
export async function untilAnswered<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ConnectionLostError) || attempt === 5) throw error
      await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** attempt))
    }
  }
}
