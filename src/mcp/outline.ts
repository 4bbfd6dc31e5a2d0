/**
 * Reads whose message some bytes are, also when they are no valid JSON, or too many to keep: the id, and whether it is a
 * request. The bytes may come in chunks.
 */

/** One message: a line, or an item of a batch. */
export type MessageOutline = {
  /** The JSON of the id, as it was written; undefined without one that can be given back. */
  id: string | undefined
  /** True if it can only be a request. The id of a response is one of ours, and must not be answered. */
  isRequest: boolean
  isResponse: boolean
}

export type Outline = {
  add(chunk: Uint8Array): void
  /** Returns the messages that have begun. */
  end(): MessageOutline[]
}

/** The longest id in bytes, as it is written. */
const MAX_ID_BYTES = 2048
/** The longest id of a request, which is stored until the response. */
export const MAX_ID_LENGTH = 256

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [COLON, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from(':,[]{}')

/** An endless batch must not fill the memory. */
const MAX_MESSAGES = 100_000

type Message = {
  /** The JSON of the id; null where several differ: it is unknown which one the caller waits for. */
  id: string | null | undefined
  hasMethod: boolean
  hasResult: boolean
  isWhole: boolean
}

type State = {
  depth: number
  /** The depth of the fields of a message: 1, or 2 in a batch. */
  level: number
  inString: boolean
  isEscaped: boolean
  /** The bytes of the current name or value, where they matter. */
  token: number[]
  /** The name of the field before its value; undefined before the colon. */
  name: string | undefined
  messages: Message[]
}

/** Starts an outline. */
export function startOutline(): Outline {
  const state: State = {
    depth: 0,
    level: 0,
    inString: false,
    isEscaped: false,
    token: [],
    name: undefined,
    messages: [],
  }
  return {
    add(chunk) {
      for (const byte of chunk) step(state, byte)
    },
    end: () => state.messages.map(toOutlined),
  }
}

function step(state: State, byte: number): void {
  if (state.inString) {
    appendTokenByte(state, byte)
    if (state.isEscaped) state.isEscaped = false
    else if (byte === BACKSLASH) state.isEscaped = true
    else if (byte === QUOTE) state.inString = false
    return
  }
  switch (byte) {
    case QUOTE:
      state.inString = true
      return appendTokenByte(state, byte)
    case OPEN_LIST:
    case OPEN_OBJECT:
      return open(state, byte)
    case CLOSE_LIST:
    case CLOSE_OBJECT:
      return close(state)
    case COLON:
      if (state.depth === state.level) state.name = parseToken(state)
      return
    case COMMA:
      return endValue(state)
    default:
      return appendTokenByte(state, byte)
  }
}

function appendTokenByte({ depth, level, token }: State, byte: number): void {
  if (depth === level && token.length <= MAX_ID_BYTES) token.push(byte)
}

function parseToken(state: State): string | undefined {
  const text = Buffer.from(state.token).toString()
  state.token = []
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}

function open(state: State, byte: number): void {
  if (state.depth === 0) state.level = byte === OPEN_LIST ? 2 : 1
  state.depth += 1
  if (state.depth === state.level && byte === OPEN_OBJECT) {
    if (state.messages.length < MAX_MESSAGES)
      state.messages.push({ id: undefined, hasMethod: false, hasResult: false, isWhole: false })
    state.name = undefined
    state.token = []
  }
}

function close(state: State): void {
  endValue(state)
  const message = state.messages.at(-1)
  if (state.depth === state.level && message !== undefined) message.isWhole = true
  state.depth -= 1
}

/** Ends the value of a field of the message. */
function endValue(state: State): void {
  const { depth, level, name, token } = state
  const message = state.messages.at(-1)
  if (depth !== level || message === undefined) return
  const value = Buffer.from(token).toString().trim()
  if (name === 'id') message.id = message.id === undefined || message.id === value ? value : null
  if (name === 'method') message.hasMethod = true
  if (name === 'result' || name === 'error') message.hasResult = true
  state.token = []
  state.name = undefined
}

function toOutlined({ id, hasMethod, hasResult, isWhole }: Message): MessageOutline {
  const isResponse = hasResult && !hasMethod
  return { id: validId(id ?? ''), isRequest: hasMethod || (isWhole && !isResponse), isResponse }
}

/** Returns the id as it was written, where it can be given back: a text that is not too long, or a number. */
function validId(id: string): string | undefined {
  try {
    const value: unknown = JSON.parse(id)
    const isId = typeof value === 'string' ? value.length <= MAX_ID_LENGTH : typeof value === 'number'
    // Bytes that are no UTF-8 cannot be given back.
    return isId && !id.includes('\ufffd') ? id : undefined
  } catch {
    return undefined
  }
}
