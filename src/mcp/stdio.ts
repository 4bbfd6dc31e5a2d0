/** MCP over standard input and output: each line is one message, and only messages are written. */
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { parseStrictJson } from '../core/strict-json.ts'
import { askFacts } from './facts.ts'
import { makeServer } from './server.ts'
import type { McpDeps } from './server.ts'

/** The longest message; longer ones are skipped and rejected. */
const MAX_LINE_BYTES = 8 * 1_048_576
/** The longest id of a request, which is stored until the response. */
const MAX_ID_LENGTH = 256
/** The time for running calls to finish after the input ends. */
const GRACE_MS = 10_000

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const NEWLINE = 0x0a

type Streams = {
  input: NodeJS.ReadableStream
  /** Writes one line. Throws or rejects when the reader is gone. */
  write(line: string): Promise<void> | void
}

type StdioTransport = Transport & {
  /** Stops reading, and closes after all requests are answered. */
  finish(): void
  /** Resolves when either side has closed. */
  closed: Promise<void>
}

/** Serves until the input ends or `stopped` aborts and all requests are answered, or until the reader is gone. */
export async function speak(deps: McpDeps, streams: Streams, stopped: AbortSignal): Promise<void> {
  const transport = stdioTransport(streams)
  const served = serveStdio(async () => makeServer(deps, await askFacts(deps.client)), {
    transport,
    onerror: (error) => deps.onError(error),
  })
  stopped.addEventListener('abort', () => transport.finish(), { once: true })
  if (stopped.aborted) transport.finish()
  await transport.closed
  await served.close()
}

/** The running calls between the two streams. */
type Session = Streams & {
  transport: StdioTransport
  lines: ReturnType<typeof makeLines>
  onData(chunk: Buffer | string): void
  onClosed(): void
  /** Requests without a response yet. */
  open: Set<unknown>
  /** Whether the input has ended. */
  ended: boolean
  closed: boolean
  late: NodeJS.Timeout | undefined
}

/** Makes a transport over the two streams. An invalid message gets an error response, and the next line is read. */
function stdioTransport({ input, write }: Streams): StdioTransport {
  const lines = makeLines(
    (line) => onLine(session, line),
    () => refuse(session, INVALID_REQUEST, `A message has at most ${MAX_LINE_BYTES} bytes.`),
  )
  const { promise, resolve: onClosed } = Promise.withResolvers<void>()
  const transport: StdioTransport = {
    async start() {
      input.on('data', session.onData)
      for (const event of ['end', 'close', 'error']) input.once(event, () => finish(session))
    },
    async send(message) {
      await put(session, message)
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) session.open.delete(message.id)
      if (session.ended && session.open.size === 0) close(session)
    },
    close: async () => close(session),
    finish: () => finish(session),
    closed: promise,
  }
  const session: Session = {
    input,
    write,
    transport,
    lines,
    onData: (chunk) => lines.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk),
    onClosed,
    open: new Set(),
    ended: false,
    closed: false,
    late: undefined,
  }
  return transport
}

/** Ends the input; open requests are still answered. */
function finish(session: Session): void {
  if (session.ended) return
  session.ended = true
  session.input.off('data', session.onData)
  session.lines.end()
  session.late = setTimeout(() => close(session), GRACE_MS)
  // Deferred until the calls of the last chunk have begun.
  setImmediate(() => {
    if (session.open.size === 0) close(session)
  })
}

function onLine(session: Session, line: Uint8Array): void {
  if (line.length === 0 || /^\s*$/.test(Buffer.from(line.subarray(0, 64)).toString('latin1'))) return
  const parsed = parseStrictJson(line)
  if ('problem' in parsed)
    return refuse(session, PARSE_ERROR, parsed.problem.replaceAll(/\b[Tt]he body/g, 'the message'))
  const fault = faultOf(parsed.value)
  if (fault !== undefined) return refuse(session, INVALID_REQUEST, fault)
  const message = parsed.value as JSONRPCMessage
  if (isJSONRPCRequest(message)) session.open.add(message.id)
  // A cancelled call gets no response.
  else if ('method' in message && message.method === 'notifications/cancelled')
    session.open.delete(message.params?.['requestId'])
  session.transport.onmessage?.(message)
}

function refuse(session: Session, code: number, why: string): void {
  const message = `${why.charAt(0).toUpperCase()}${why.slice(1)}`
  void put(session, { jsonrpc: '2.0', id: null, error: { code, message } }).catch(() => {})
}

async function put(session: Session, message: unknown): Promise<void> {
  if (session.closed) return
  try {
    await session.write(`${JSON.stringify(message)}\n`)
  } catch (error) {
    // The reader is gone.
    close(session)
    throw error
  }
}

function close(session: Session): void {
  if (session.closed) return
  session.closed = true
  clearTimeout(session.late)
  session.input.off('data', session.onData)
  session.input.pause()
  session.transport.onclose?.()
  session.onClosed()
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
  return undefined
}

function isId(id: unknown): boolean {
  return typeof id === 'string' ? id.length <= MAX_ID_LENGTH : Number.isSafeInteger(id)
}

/** Splits chunks into lines. Drops a line that is too long. */
function makeLines(onLine: (line: Uint8Array) => void, onTooLong: () => void) {
  let pieces: Uint8Array[] = []
  let size = 0
  let skipping = false

  function keep(piece: Uint8Array): void {
    if (skipping) return
    size += piece.length
    if (size <= MAX_LINE_BYTES) return void pieces.push(piece)
    skipping = true
    pieces = []
    onTooLong()
  }
  function cut(): void {
    const line = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
    const whole = !skipping
    pieces = []
    size = 0
    skipping = false
    if (whole) onLine(line)
  }
  return {
    add(chunk: Uint8Array): void {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, at))
        cut()
        from = at + 1
      }
      if (from < chunk.length) keep(chunk.subarray(from))
    },
    /** Text at the end without a line break also counts as a line. */
    end: cut,
  }
}
