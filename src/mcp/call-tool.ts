/** Carries out a tool: one call of the client, and its outcome as a protocol result. */
import type {
  CallToolResult,
  ContentBlock,
  InputRequiredResult,
  RequestId,
  ServerContext,
} from '@modelcontextprotocol/server'
import type { CallResult, Client, Identity } from '../client/client.ts'
import { AppError, toProblem } from '../core/errors.ts'
import { withoutNulls } from '../core/nulls.ts'
import type { McpClientSession } from './elicitation.ts'
import { factsOfAnswer, metaOf } from './facts.ts'
import { throwIfCancelled } from './guard-types.ts'
import type { GuardState } from './guard-types.ts'
import { callWithGuards, isQuestion } from './guard.ts'
import { type ArgumentsFault, unreadable } from './message.ts'
import { nextCall } from './next-call.ts'
import { pictureContent } from './pictures.ts'
import type { PictureAddress } from './pictures.ts'
import { startToolProgress } from './progress.ts'
import { cut, fitToLimit, type CallWithView, splitViewOptions } from './response-size.ts'
import type { ObjectSchema } from './schemas.ts'
import type { Tool } from './tools.ts'
import { pointersByOthers } from './untrusted.ts'

/** The parts that one caller's calls need. */
export type ToolDeps = {
  /** The client that calls as this caller. */
  client: Client
  /** The caller's account and scopes. */
  caller: Identity
  /** The guard between the calls and the service. */
  guard: GuardState
  /** Returns the URL of a picture that is too large for a response; without it there is none. */
  pictureAddress?: PictureAddress | undefined
  /** Called with errors outside of responses: bugs and invalid messages. */
  onError(error: unknown): void
  /** The schemas of responses by tool, where they are listed. */
  outputs?: Readonly<Record<string, ObjectSchema>> | undefined
  /** Called with the id of a request after its change began: it is answered, even if it is cancelled later. */
  onBegin?: ((requestId: RequestId) => void) | undefined
  /** Returns why the arguments of a request cannot be read; its message was passed on without them. */
  faultOf?: ((requestId: RequestId) => ArgumentsFault | undefined) | undefined
  /** True if the caller takes the response alone, without messages before it. */
  silent?: boolean
  /** Returns links to the resources of a response that this caller may read. */
  linksOf?: ((value: unknown) => Promise<ContentBlock[]>) | undefined
}

/** The protocol's data of a call: its cancellation, and a person's answers so far. */
export type CallExtra = Pick<ServerContext, 'mcpReq'>

export type ToolResult = CallToolResult | InputRequiredResult

/** Carries out a listed tool. Never throws: a failure becomes a result with the problem document as text. */
export async function callTool(
  deps: ToolDeps,
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  program: McpClientSession & CallExtra,
): Promise<ToolResult> {
  const { client, guard, onBegin, silent } = deps
  const { mcpReq } = program
  return framed(deps, tool, mcpReq, async () => {
    // Before consent, key and audit: a person agrees to the call exactly as the service will understand it.
    const { scenario, rest } = readScenario(tool, withoutNulls(tool.input, args))
    const { input: given, idempotencyKey } = readKey(tool, rest)
    const wanted = await splitViewOptions(tool, given)
    const { input } = wanted
    const { signal } = mcpReq
    const progress = silent === true ? undefined : await startToolProgress(tool, input, mcpReq)
    const result = await callWithGuards(guard, client, {
      tool,
      input,
      idempotencyKey,
      scenario,
      signal,
      beforeChange() {
        throwIfCancelled({ signal, tool })
        onBegin?.(mcpReq.id)
      },
      onRow: progress?.onRow,
      program,
    })
    if (!isQuestion(result)) await progress?.end()
    return isQuestion(result)
      ? result
      : toSuccess(deps, { tool, isDerived: idempotencyKey === undefined }, wanted, result)
  })
}

/**
 * Carries out a call after its arguments were read, and adds the service's facts to its result. Never throws: a failure
 * becomes a result with the problem document as text.
 */
export async function framed<R extends ToolResult>(
  { client, onError, faultOf }: ToolDeps,
  tool: Pick<Tool, 'name' | 'area'>,
  { id }: CallExtra['mcpReq'],
  carry: () => Promise<R>,
): Promise<R | CallToolResult> {
  const before = client.latestFacts()
  try {
    const fault = faultOf?.(id)
    if (fault !== undefined) throw unreadable(fault)
    return withMeta(await carry(), metaOf(await factsOfAnswer(client, before)))
  } catch (error) {
    return withMeta(toFailure(error, tool, onError), metaOf(await factsOfAnswer(client, before, error)))
  }
}

function withMeta<R extends ToolResult>(result: R, meta: Record<string, unknown>): R {
  return Object.keys(meta).length === 0 ? result : { ...result, _meta: { ...result._meta, ...meta } }
}

/**
 * Returns the result of a success: as much of the response as is wanted, what has to be told about it, its pictures and
 * links, and where texts of others stand in it. One that was carried out before says so; under a key of the caller's own
 * (not `isDerived`) its response is the first one, to the byte.
 */
async function toSuccess(
  { client, outputs, pictureAddress, linksOf }: ToolDeps,
  { tool, isDerived }: { tool: Tool; isDerived: boolean },
  wanted: CallWithView,
  { value: whole, replayed, isNow }: CallResult,
): Promise<CallToolResult> {
  const { value: part, note } = await fitToLimit(client, tool, wanted, whole)
  const repeated = replayed ? repeatedText(tool, isNow === true, isDerived) : undefined
  // A declared schema of the response is closed: no further field fits.
  const isTold = repeated !== undefined && isDerived && outputs?.[tool.name] === undefined
  const value = isTold ? { ...(part as object), replayed: repeated } : part
  const texts = [
    JSON.stringify(value),
    ...(note === undefined ? [] : [note]),
    ...(repeated === undefined ? [] : [repeated]),
  ]
  const byOthers = pointersByOthers(tool.byOthers ?? [], value)
  const content = [
    ...texts.map((text): ContentBlock => ({ type: 'text', text })),
    ...(await pictureContent(client, tool, whole, pictureAddress)),
    ...((await linksOf?.(whole)) ?? []),
  ]
  return withMeta(
    { structuredContent: value as Record<string, unknown>, content },
    {
      ...(replayed && { 'dray/replayed': true }),
      ...(byOthers.length > 0 && { 'dray/untrusted': byOthers }),
    },
  )
}

/** Says that a call was carried out before, and how to have it done a second time. */
function repeatedText({ spends, repetition, adds }: Tool, isNow: boolean, isDerived: boolean): string {
  const said = isNow ? REPEATED : REPLAYED
  if (!isDerived) return said
  if (spends?.how === 'quote') return `${said} To buy a second one, call ${spends.quotedBy} again.`
  return repetition === 'makes' || adds !== undefined ? `${said} ${SECOND}` : said
}

const REPLAYED =
  'The same call was carried out before: this is its stored response, and nothing was repeated.'
const REPEATED = 'This was done before, by the same call: this is how it is now, and nothing was done again.'
const SECOND = 'To do it a second time, call it again with an idempotency_key of your own.'

/** Splits the scenario from the arguments of a tool that plays some. Elsewhere it is an unknown argument. */
function readScenario(
  { playsScenarios = false }: Tool,
  args: Readonly<Record<string, unknown>>,
): { scenario: string | undefined; rest: Readonly<Record<string, unknown>> } {
  const { sandbox_scenario, ...rest } = args
  const isRead = playsScenarios && typeof sandbox_scenario === 'string'
  return isRead ? { scenario: sandbox_scenario, rest } : { scenario: undefined, rest: args }
}

/** Splits the arguments into the idempotency key and the operation's input. */
function readKey(
  { idempotency }: Tool,
  { idempotency_key: key, ...rest }: Readonly<Record<string, unknown>>,
): { input: Record<string, unknown>; idempotencyKey: string | undefined } {
  // Where no key is allowed, the operation rejects it like any unknown argument.
  if (key === undefined || idempotency === 'none') {
    return {
      input: key === undefined ? rest : { ...rest, idempotency_key: key },
      idempotencyKey: undefined,
    }
  }
  // Validated here already, because the key is written to files before the service sees it.
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

/** Returns a failure as a result: the problem document as text, with the next tool to call instead of a command. */
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
    content: [
      { type: 'text', text: JSON.stringify(cut(hint === undefined ? problem : { ...problem, hint })) },
    ],
  }
}
