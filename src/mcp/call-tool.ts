/** What a tool does: one call of the client, and its outcome in the words of the protocol. */
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import type { Client, Identity } from '../client/client.ts'
import { AppError, toProblem } from '../errors.ts'
import { nextCall } from './next-call.ts'
import type { Tool } from './tools.ts'

/** What calls of one caller need. */
export type ToolParts = {
  /** Calls as that caller. */
  client: Client
  /** Who that is. */
  caller: Identity
  /** Told about what went wrong beside the answers: bugs, messages that are none. */
  onError(error: unknown): void
}

/** What the protocol tells about one call: how it is given up, and what a person answered to it so far. */
export type CallExtra = Pick<ServerContext, 'mcpReq'>

export type ToolResult = CallToolResult | InputRequiredResult

/** Carries out a tool that is listed. Never throws: a failure is a result, with the problem document as text. */
export async function callTool(
  { client, onError }: ToolParts,
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  { mcpReq: { signal } }: CallExtra,
): Promise<ToolResult> {
  try {
    const { input, idempotencyKey } = readKey(tool, args)
    const { value } = await client.call(tool.name, input, {
      signal,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    })
    return {
      structuredContent: value as Record<string, unknown>,
      content: [{ type: 'text', text: JSON.stringify(value) }],
    }
  } catch (error) {
    return toFailure(error, tool, onError)
  }
}

/** Of the arguments, the key of the call and what the operation takes. */
function readKey(
  { idempotency }: Tool,
  { idempotency_key: key, ...rest }: Readonly<Record<string, unknown>>,
): { input: Record<string, unknown>; idempotencyKey?: string } {
  // What takes no key is refused by the operation itself, as any other argument that it does not know.
  if (key === undefined || idempotency === 'none') {
    return { input: key === undefined ? rest : { ...rest, idempotency_key: key } }
  }
  if (typeof key === 'string') return { input: rest, idempotencyKey: key }
  const detail = 'idempotency_key must be text of 1 to 255 visible ASCII characters'
  throw new AppError('idempotency_key_invalid', `${detail}.`, {
    errors: [{ pointer: '/idempotency_key', code: 'wrong_type', detail }],
  })
}

/** A failure as a result: the problem document as text, with the next sensible call instead of a command. */
export function toFailure(
  error: unknown,
  tool: Pick<Tool, 'name' | 'area'>,
  onError: (error: unknown) => void,
): CallToolResult {
  if (!(error instanceof AppError)) onError(error)
  const known =
    error instanceof AppError ? error : new AppError('internal_error', 'Something unforeseen happened.')
  const { hint: _, ...problem } = toProblem(known)
  const hint = nextCall(known, tool)
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(hint === undefined ? problem : { ...problem, hint }) }],
  }
}
