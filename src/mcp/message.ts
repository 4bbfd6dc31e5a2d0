/**
 * Reads a message of the protocol strictly. One that cannot be read is answered all the same, with the id that can be
 * found in it: a caller would wait for a minute otherwise.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server'
import { AppError } from '../core/errors.ts'
import { findJsonFault, type JsonFault } from '../core/json-faults.ts'
import { encodePointerToken } from '../core/pointer.ts'
import { inWhole, parseStrictJson, TOO_DEEP } from '../core/strict-json.ts'
import { MAX_ID_LENGTH, type MessageOutline, startOutline } from './outline.ts'

const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600

/** The reason why the arguments of a tool call cannot be read. */
export type ArgumentsFault = Pick<JsonFault, 'problem'> & { pointer: string }

export type ReceivedMessage =
  | {
      message: JSONRPCMessage
      /** The message is a tool call without its arguments, which have this fault. */
      fault?: ArgumentsFault
    }
  | {
      /** One JSON text for each caller that waits; one without an id when none is known. */
      refusals: string[]
      /** The responses to our own requests, which cannot be read. */
      unreadable: JSONRPCMessage[]
    }

/** Reads one message. */
export function readMessage(bytes: Uint8Array): ReceivedMessage {
  const parsed = parseStrictJson(bytes, 'message')
  if ('value' in parsed) {
    const fault = faultOf(parsed.value)
    return fault === undefined
      ? { message: parsed.value as JSONRPCMessage }
      : rejectMessages(outlineOf(bytes), INVALID_REQUEST, fault)
  }
  const fault = findJsonFault(bytes, 'message')
  // Millions of levels would fill the memory.
  const call =
    fault && parsed.problem !== inWhole(TOO_DEEP, 'message') ? callWithout(bytes, fault) : undefined
  if (call !== undefined) return call
  const where = fault === undefined ? '' : ` It is at ${pointerOf(fault.path)}.`
  return rejectMessages(outlineOf(bytes), PARSE_ERROR, `${fault?.problem ?? parsed.problem}${where}`)
}

function outlineOf(bytes: Uint8Array): MessageOutline[] {
  const outline = startOutline()
  outline.add(bytes)
  return outline.end()
}

/** Returns the errors of messages that cannot be read, or are too long. */
export function rejectMessages(
  outlined: readonly MessageOutline[],
  code: number,
  why: string,
): ReceivedMessage {
  const error = { code, message: why }
  const text = JSON.stringify(error)
  const ids = outlined.flatMap(({ id, isRequest }) => (isRequest && id !== undefined ? [id] : []))
  return {
    refusals: (ids.length === 0 ? ['null'] : ids).map((id) => `{"jsonrpc":"2.0","id":${id},"error":${text}}`),
    unreadable: outlined.flatMap(({ id, isResponse }) =>
      isResponse && id !== undefined ? [{ jsonrpc: '2.0', id: JSON.parse(id) as RequestId, error }] : [],
    ),
  }
}

/** Returns a tool call whose arguments have the fault, without them: its response is a result that a model can read. */
function callWithout(bytes: Uint8Array, { path, problem }: JsonFault): ReceivedMessage | undefined {
  const [params, member, ...rest] = path
  if (params !== 'params' || member !== 'arguments') return undefined
  const message = parseLoosely(bytes)
  if (!isJSONRPCRequest(message) || message.method !== 'tools/call' || faultOf(message) !== undefined)
    return undefined
  const whole = { ...message, params: { ...message.params, arguments: {} } }
  return { message: whole, fault: { problem, pointer: pointerOf(rest) } }
}

function parseLoosely(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

const MAX_POINTER = 200

/** Returns a JSON pointer (RFC 6901). */
function pointerOf(path: readonly string[]): string {
  const pointer = path.map((name) => `/${encodePointerToken(name)}`).join('')
  return pointer.slice(0, MAX_POINTER).toWellFormed().replaceAll(/\p{C}/gu, '?')
}

/** Returns the error of a call with unreadable arguments. */
export function unreadable({ problem, pointer }: ArgumentsFault): AppError {
  const place = pointer === '' ? '' : ` It is at ${pointer}.`
  return new AppError('malformed_json', `${problem}${place} Nothing was done.`, {
    errors: [{ pointer, code: 'invalid_format', detail: problem.replace(/\.$/, '') }],
  })
}

/** Returns why a value is no valid message; undefined when it is one. */
function faultOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'Batches are no part of the protocol: send one message a line.'
  if (typeof value !== 'object' || value === null) return 'A message is a JSON object.'
  const { jsonrpc, id, method } = value as Record<string, unknown>
  if (jsonrpc !== '2.0') return 'A message says "jsonrpc": "2.0".'
  if (id !== undefined && !isId(id)) {
    return `An id is a whole number or text of at most ${MAX_ID_LENGTH} characters.`
  }
  if (method !== undefined && typeof method !== 'string') return 'The method of a message is text.'
  if (method === undefined && !('result' in value) && !('error' in value)) {
    return 'A message has a method, a result or an error.'
  }
  const isMessage = [
    isJSONRPCRequest,
    isJSONRPCNotification,
    isJSONRPCResultResponse,
    isJSONRPCErrorResponse,
  ].some((is) => is(value))
  return isMessage ? undefined : 'A message has only jsonrpc, id, method and params, an object.'
}

function isId(id: unknown): boolean {
  return typeof id === 'string' ? id.length <= MAX_ID_LENGTH : Number.isSafeInteger(id)
}
