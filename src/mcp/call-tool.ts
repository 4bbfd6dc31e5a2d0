/** What a tool does: one call of the client, and its outcome in the words of the protocol. */
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import type { CallResult, Client, Identity } from '../client/client.ts'
import { AppError, toProblem } from '../core/errors.ts'
import type { Program } from './ask.ts'
import { factsOfAnswer, metaOf } from './facts.ts'
import { guardedCall, isQuestion } from './guard.ts'
import type { Guard } from './guarded.ts'
import { nextCall } from './next-call.ts'
import { pictureContent } from './pictures.ts'
import type { PictureAddress } from './pictures.ts'
import type { Tool } from './tools.ts'

/** What calls of one caller need. */
export type ToolParts = {
  /** Calls as that caller. */
  client: Client
  /** Who that is. */
  caller: Identity
  /** What stands between its calls and the service. */
  guard: Guard
  /** Where pictures that are too large for an answer can be fetched; nowhere without it. */
  pictureAddress?: PictureAddress | undefined
  /** Told about what went wrong beside the answers: bugs, messages that are none. */
  onError(error: unknown): void
}

/** What the protocol tells about one call: how it is given up, and what a person answered to it so far. */
export type CallExtra = Pick<ServerContext, 'mcpReq'>

export type ToolResult = CallToolResult | InputRequiredResult

/** Carries out a tool that is listed. Never throws: a failure is a result, with the problem document as text. */
export async function callTool(
  { client, guard, pictureAddress, onError }: ToolParts,
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  { mcpReq }: CallExtra,
  program: Omit<Program, 'mcpReq'>,
): Promise<ToolResult> {
  const before = client.heard()
  try {
    const { input, idempotencyKey } = readKey(tool, args)
    const result = await guardedCall(guard, client, {
      tool,
      input,
      idempotencyKey,
      signal: mcpReq.signal,
      program: { ...program, mcpReq },
    })
    const answer = isQuestion(result)
      ? result
      : withContent(toSuccess(result), await pictureContent(client, tool, result.value, pictureAddress))
    return withMeta(answer, metaOf(await factsOfAnswer(client, before)))
  } catch (error) {
    return withMeta(toFailure(error, tool, onError), metaOf(await factsOfAnswer(client, before, error)))
  }
}

function withContent(result: CallToolResult, more: CallToolResult['content']): CallToolResult {
  return more.length === 0 ? result : { ...result, content: [...result.content, ...more] }
}

function withMeta<R extends ToolResult>(result: R, meta: Record<string, unknown>): R {
  return Object.keys(meta).length === 0 ? result : { ...result, _meta: { ...result._meta, ...meta } }
}

/** Whoever called twice is told that it was done once. */
function toSuccess({ value, replayed }: CallResult): CallToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(value) }]
  const structuredContent = value as Record<string, unknown>
  if (!replayed) return { structuredContent, content }
  return {
    structuredContent,
    content: [...content, { type: 'text', text: REPLAYED }],
    _meta: { 'dray/replayed': true },
  }
}

const REPLAYED =
  'This was done before, by the same call: this is its answer from then, and nothing was done again.'

/** Of the arguments, the key of the call and what the operation takes. */
function readKey(
  { idempotency }: Tool,
  { idempotency_key: key, ...rest }: Readonly<Record<string, unknown>>,
): { input: Record<string, unknown>; idempotencyKey: string | undefined } {
  // What takes no key is refused by the operation itself, as any other argument that it does not know.
  if (key === undefined || idempotency === 'none') {
    return {
      input: key === undefined ? rest : { ...rest, idempotency_key: key },
      idempotencyKey: undefined,
    }
  }
  // Held against the rule here already: it is written down before the service sees it.
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return { input: rest, idempotencyKey: key }
  const detail = 'idempotency_key must be text of 1 to 255 visible ASCII characters'
  throw new AppError('idempotency_key_invalid', `${detail}.`, {
    errors: [
      {
        pointer: '/idempotency_key',
        code: typeof key === 'string' ? 'invalid_format' : 'wrong_type',
        detail,
      },
    ],
  })
}

/** A failure as a result: the problem document as text, with the next sensible call instead of a command. */
function toFailure(
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
