/** MCP over standard input and output: each line is one message, and only messages are written. */
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { fetchServiceFacts } from './facts.ts'
import { type ArgumentsFault, INVALID_REQUEST, readMessage, rejectMessages } from './message.ts'
import type { ReceivedMessage } from './message.ts'
import { startOutline } from './outline.ts'
import { makeServer } from './server.ts'
import type { McpDeps } from './server.ts'

/** The longest message; longer ones are skipped and rejected. */
const MAX_LINE_BYTES = 8 * 1_048_576
/** The time for running calls to finish after the input ends. */
const GRACE_MS = 10_000

/** The error of a request that comes too late, or whose answer does. */
const STOPPING = -32_000
const NEWLINE = 0x0a
const BLANK: ReadonlySet<number> = new Set(Buffer.from(' \t\r'))

type Streams = {
  input: NodeJS.ReadableStream
  /** Writes one line. Throws or rejects when the reader is gone. */
  write(line: string): Promise<void> | void
}

type StdioTransport = Transport & {
  /** Begins nothing more, and closes after all requests are answered. */
  finish(): void
  /** Records that the change of a request has begun. */
  onBegin(id: unknown): void
  /** Returns why the arguments of a request cannot be read. */
  faultOf(id: unknown): ArgumentsFault | undefined
  /** Resolves when either side has closed. */
  closed: Promise<void>
}

/** Serves until the input ends or `stopped` aborts and all requests are answered, or until the reader is gone. */
export async function serveOverStdio(deps: McpDeps, streams: Streams, stopped: AbortSignal): Promise<void> {
  const transport = stdioTransport(streams)
  const { onBegin, faultOf } = transport
  const served = serveStdio(
    async () => makeServer({ ...deps, onBegin, faultOf }, await fetchServiceFacts(deps.client)),
    {
      transport,
      onerror: (error) => deps.onError(error),
    },
  )
  stopped.addEventListener('abort', () => transport.finish(), { once: true })
  if (stopped.aborted) transport.finish()
  await transport.closed
  await served.close()
}

/** A request without a response yet. */
type Open = {
  /** True if its change has begun. Then it is answered, even if it is cancelled. */
  hasBegun: boolean
  /** The reason why its arguments cannot be read. */
  fault: ArgumentsFault | undefined
}

/** The running calls between the two streams. */
type Session = Streams & {
  transport: StdioTransport
  lines: ReturnType<typeof makeLines>
  onData(chunk: Buffer | string): void
  onClosed(): void
  open: Map<unknown, Open>
  /** True if the input has ended, or the server stops. */
  ended: boolean
  closed: boolean
  late: NodeJS.Timeout | undefined
}

/** Makes a transport over the two streams. An invalid message gets an error response, and the next line is read. */
function stdioTransport({ input, write }: Streams): StdioTransport {
  const lines = makeLines((received) => onMessage(session, received))
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
    onBegin(id) {
      const open = session.open.get(id)
      if (open !== undefined) open.hasBegun = true
    },
    faultOf: (id) => session.open.get(id)?.fault,
    closed: promise,
  }
  const session: Session = {
    input,
    write,
    transport,
    lines,
    onData: (chunk) => lines.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk),
    onClosed,
    open: new Map(),
    ended: false,
    closed: false,
    late: undefined,
  }
  return transport
}

/** Begins nothing more; open requests are still answered. */
function finish(session: Session): void {
  if (session.ended) return
  session.lines.end()
  session.ended = true
  session.late = setTimeout(() => giveUp(session), GRACE_MS)
  // Deferred until the calls of the last chunk have begun.
  setImmediate(() => {
    if (session.open.size === 0) close(session)
  })
}

/** Responds to the requests that are still open, and closes. */
function giveUp(session: Session): void {
  for (const [id, { hasBegun }] of session.open) {
    const message = hasBegun
      ? 'The server is stopping. Whether this was done is not known: the same call again does nothing twice.'
      : 'The server is stopping. Nothing was done.'
    void put(session, { jsonrpc: '2.0', id, error: { code: STOPPING, message } }).catch(() => {})
  }
  close(session)
}

function onMessage(session: Session, received: ReceivedMessage): void {
  if ('refusals' in received) {
    for (const line of received.refusals) void putLine(session, line).catch(() => {})
    // Our own request must not wait for a response that came, but cannot be read.
    for (const message of received.unreadable) session.transport.onmessage?.(message)
    return
  }
  const { message, fault } = received
  if (isJSONRPCRequest(message)) {
    if (session.ended) return refuseLate(session, message)
    session.open.set(message.id, { hasBegun: false, fault })
  } else if ('method' in message && message.method === 'notifications/cancelled') {
    const id = message.params?.['requestId']
    // Too late: the caller must learn what was done.
    if (session.open.get(id)?.hasBegun === true) return
    // A cancelled call gets no response.
    session.open.delete(id)
  }
  session.transport.onmessage?.(message)
}

function refuseLate(
  session: Session,
  { id }: Extract<JSONRPCMessage, { method: string; id: unknown }>,
): void {
  const error = {
    code: STOPPING,
    message: 'The server is stopping and accepts no new calls. Nothing was done.',
  }
  void put(session, { jsonrpc: '2.0', id, error }).catch(() => {})
}

async function put(session: Session, message: unknown): Promise<void> {
  await putLine(session, JSON.stringify(message))
}

async function putLine(session: Session, line: string): Promise<void> {
  if (session.closed) return
  try {
    await session.write(`${line}\n`)
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

/** Splits chunks into lines, and reads each as a message. A line that is too long is only looked through for its id. */
function makeLines(onReceived: (received: ReceivedMessage) => void) {
  let pieces: Uint8Array[] = []
  let size = 0
  let tooLong: ReturnType<typeof startOutline> | undefined

  function keep(piece: Uint8Array): void {
    if (tooLong !== undefined) return tooLong.add(piece)
    size += piece.length
    pieces.push(piece)
    if (size <= MAX_LINE_BYTES) return
    tooLong = startOutline()
    for (const each of pieces) tooLong.add(each)
    pieces = []
  }
  function cut(): void {
    const line = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
    const outline = tooLong
    pieces = []
    size = 0
    tooLong = undefined
    if (outline !== undefined)
      onReceived(
        rejectMessages(outline.end(), INVALID_REQUEST, `A message has at most ${MAX_LINE_BYTES} bytes.`),
      )
    else if (!isBlank(line)) onReceived(readMessage(line))
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

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => BLANK.has(byte))
}
