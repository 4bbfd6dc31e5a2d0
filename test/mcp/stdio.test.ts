import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { makeGuard } from '../../src/mcp/guard.ts'
import { serveOverStdio } from '../../src/mcp/stdio.ts'
import { guardOptions, openHome } from '../support/agent.ts'
import type { Home } from '../support/home.ts'

type Message = {
  jsonrpc: string
  id: number | string | null
  result?: Record<string, unknown> & { structuredContent?: Record<string, unknown>; isError?: boolean }
  error?: { code: number; message: string }
}

let home: Home
let service: Client

beforeAll(async () => {
  ;({ home, service } = await openHome())
})

/** Starts a server on two streams, without a message yet. */
function listening({ client = service, write }: { client?: Client; write?: (line: string) => void } = {}) {
  const input = new PassThrough()
  const stopped = new AbortController()
  const lines: string[] = []
  const ended = serveOverStdio(
    {
      client,
      caller: { accountId: undefined, account: 'everything', scopes: undefined },
      guard: makeGuard(guardOptions(home), async () => ({ service: 'here', account: null })),
      tools: TOOLS,
      outputs: undefined,
      live: false,
      version: '0.0.0-test',
      onError() {},
    },
    { input, write: write ?? ((line) => void lines.push(line)) },
    stopped.signal,
  )
  return { input, ended, lines, stop: () => stopped.abort(), answers: () => lines.map(read) }
}

/** Parses one line, which must be one message. */
function read(line: string): Message {
  expect(line.endsWith('\n')).toBe(true)
  expect(line.slice(0, -1)).not.toContain('\n')
  const message = JSON.parse(line) as Message
  expect(message.jsonrpc).toBe('2.0')
  return message
}

const HELLO = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

const ask = (id: unknown, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params })
const call = (id: unknown, name: string, args: unknown = {}) =>
  ask(id, 'tools/call', { name, arguments: args })
const text = (line: unknown): string | Uint8Array =>
  typeof line === 'string' || line instanceof Uint8Array ? line : JSON.stringify(line)

/** Sends a hello and these lines, then closes; returns the responses after the hello. */
async function converse(...said: unknown[]): Promise<Message[]> {
  const { input, ended, answers } = listening()
  for (const line of [HELLO, ...said]) {
    input.write(text(line))
    input.write('\n')
  }
  input.end()
  await ended
  return answers().filter(({ id }) => id !== 'hello')
}

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

describe('an invalid line', () => {
  /** A call of a tool, as text, with these arguments. */
  const raw = (args: string, id = '"a\\u0062c"') =>
    `{"method":"tools/call","params":{"name":"get_ride","arguments":${args}},"jsonrpc":"2.0","id":${id}}`
  const large = `"${'x'.repeat(9 * 1_048_576)}"`

  const LINES: readonly [what: string, line: unknown, id: unknown, code: number, message: RegExp][] = [
    ['half an object', '{"jsonrpc":"2.0","id":1,', null, PARSE_ERROR, /./],
    ['a call that is cut off', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a', 1, PARSE_ERROR, /./],
    ['no JSON at all', 'GET / HTTP/1.1', null, PARSE_ERROR, /./],
    [
      'a member twice',
      '{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}',
      1,
      PARSE_ERROR,
      /the same member twice\. It is at \/method\.$/,
    ],
    ['two ids', '{"jsonrpc":"2.0","id":1,"method":"ping","id":2}', null, PARSE_ERROR, / at \/id\.$/],
    [
      '__proto__',
      '{"jsonrpc":"2.0","id":"a\\"b","method":"ping","params":{"__proto__":{}}}',
      'a"b',
      PARSE_ERROR,
      / at \/params\/__proto__\.$/,
    ],
    [
      'NUL in a name',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"\\u0000":1}}',
      1,
      PARSE_ERROR,
      /NUL/,
    ],
    ['NUL in the id', '{"jsonrpc":"2.0","id":"\\u0000","method":"ping"}', '\0', PARSE_ERROR, / at \/id\.$/],
    [
      'an id with half a surrogate',
      '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
      '\ud800',
      PARSE_ERROR,
      /./,
    ],
    [
      'a thousand levels',
      `${'['.repeat(1000)}${']'.repeat(1000)}`,
      null,
      PARSE_ERROR,
      /^The message is nested deeper/,
    ],
    [
      'a call of a thousand levels',
      raw(`${'['.repeat(1000)}${']'.repeat(1000)}`),
      'abc',
      PARSE_ERROR,
      /deeper/,
    ],
    ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), null, PARSE_ERROR, /not valid UTF-8/],
    [
      'a method that is no UTF-8',
      Buffer.from('{"jsonrpc":"2.0","id":3,"method":"\xff"}', 'latin1'),
      3,
      PARSE_ERROR,
      /not valid UTF-8\. It is at \/method\.$/,
    ],
    ['an empty batch', [], null, INVALID_REQUEST, /./],
    ['null', null, null, INVALID_REQUEST, /./],
    ['a text', '"ping"', null, INVALID_REQUEST, /./],
    ['another version', { ...ask(1, 'ping'), jsonrpc: '1.0' }, 1, INVALID_REQUEST, /"jsonrpc": "2\.0"/],
    ['an id that is null', ask(null, 'ping'), null, INVALID_REQUEST, /^An id is/],
    ['an id with a fraction', ask(1.5, 'ping'), 1.5, INVALID_REQUEST, /^An id is/],
    ['an id that is an object', ask({}, 'ping'), null, INVALID_REQUEST, /^An id is/],
    ['an id of a megabyte', ask('i'.repeat(1_000_000), 'ping'), null, INVALID_REQUEST, /^An id is/],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 7 }, 1, INVALID_REQUEST, /./],
    ['neither method nor result', { jsonrpc: '2.0', id: 1 }, 1, INVALID_REQUEST, /./],
    [
      'parameters that are no object',
      { ...ask(1, 'ping'), params: 5 },
      1,
      INVALID_REQUEST,
      /params, an object/,
    ],
    [
      'a member that no message has',
      { ...ask(1, 'ping'), extra: 5 },
      1,
      INVALID_REQUEST,
      /^A message has only jsonrpc, id, method and params, an object\.$/,
    ],
    ['nine megabytes', large, null, INVALID_REQUEST, /^A message has at most/],
    ['a call of nine megabytes', raw(large), 'abc', INVALID_REQUEST, /^A message has at most/],
    [
      'a result that answers nothing',
      '{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":1}}',
      null,
      PARSE_ERROR,
      /twice/,
    ],
  ]

  test.each(LINES)('%s is refused, and the next line is answered', async (_what, line, id, code, message) => {
    const [refusal, next, ...more] = await converse(line, ask(7, 'ping'))
    expect(refusal).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code, message: expect.stringMatching(message) },
    })
    expect(JSON.stringify(refusal).length).toBeLessThan(300)
    expect(next).toEqual({ jsonrpc: '2.0', id: 7, result: {} })
    expect(more).toEqual([])
  })

  test('an id beyond the safe integers comes back digit by digit', async () => {
    const { input, ended, lines } = listening()
    input.end(`${JSON.stringify(HELLO)}\n{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}\n`)
    await ended
    expect(lines.join('')).toContain('"id":12345678901234567890,"error":')
  })

  test('each request of a batch gets one answer, and its notifications and responses none', async () => {
    const batch = [
      ask(1, 'ping'),
      { jsonrpc: '2.0', method: 'x' },
      { jsonrpc: '2.0', id: 3, result: {} },
      ask('b', 'x'),
    ]
    for (const line of [JSON.stringify(batch), JSON.stringify(batch).replace('"x"', '"\\u0000"')]) {
      const answers = await converse(line)
      expect(answers.map(({ id, error }) => [id, error?.message])).toEqual([
        [1, expect.any(String)],
        ['b', expect.any(String)],
      ])
    }
  })

  const FAULTS: readonly [what: string, args: string | Uint8Array, pointer: string, reason: RegExp][] = [
    ['NUL', raw('{"ride_id":"\\u0000"}'), '/ride_id', /NUL/],
    ['half a surrogate', raw('{"a/b":{"~":"x\\ud83dx"}}'), '/a~1b/~0', /lone surrogate/],
    ['an integer that is not safe', raw('{"a":[1,12345678901234567890]}'), '/a/1', /9007199254740991/],
    ['a number that is too large', raw('{"a":1e400}'), '/a', /too large/],
    ['a member twice', raw('{"a":{"b":1,"\\u0062":2}}'), '/a/b', /same member twice/],
    ['the arguments twice', raw('1,"arguments":{}'), '', /same member twice/],
    ['bytes that are no UTF-8', Buffer.from(raw('{"a":"\xff"}'), 'latin1'), '/a', /not valid UTF-8/],
    ['__proto__', raw('{"__proto__":{}}'), '/__proto__', /__proto__/],
  ]

  test.each(FAULTS)(
    'a call with %s is answered by a result that a model can read',
    async (_what, line, pointer, reason) => {
      const answers = await converse(line)
      expect(answers.map(({ id }) => id)).toEqual(['abc'])
      const [{ result } = { result: undefined }] = answers
      expect(result?.isError).toBe(true)
      expect(JSON.parse(textOf(result))).toMatchObject({
        code: 'malformed_json',
        detail: expect.stringMatching(reason),
        errors: [{ pointer, detail: expect.stringMatching(reason) }],
        hint: 'Correct the arguments that are named in errors, then call get_ride again.',
      })
    },
  )

  test('empty lines, and breaks as Windows writes them, are no messages', async () => {
    expect(
      await converse(
        '',
        '   ',
        '\t',
        ' '.repeat(100),
        `${' '.repeat(100)}${JSON.stringify(ask(1, 'ping'))}\r`,
      ),
    ).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })
})

test('a message may come in pieces, cut within a letter', async () => {
  const { input, ended, answers } = listening()
  const bytes = Buffer.from(
    [HELLO, call(1, 'search_restaurants', { latitude: 51.5, longitude: -0.1, q: 'crème brûlée' })]
      .map((message) => `${JSON.stringify(message)}\n`)
      .join(''),
  )
  for (let at = 0; at < bytes.length; at += 7) input.write(bytes.subarray(at, at + 7))
  input.end()
  await ended
  expect(answers().find(({ id }) => id === 1)?.result?.structuredContent).toMatchObject({ has_more: false })
})

test('requests before the end of the input get a response, also a last line without a break', async () => {
  const { input, ended, answers } = listening()
  input.end(
    [HELLO, call(1, 'get_membership_status'), ask(2, 'tools/list')]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  )
  await ended
  expect(answers().map(({ id }) => id)).toEqual(expect.arrayContaining(['hello', 1, 2]))
})

test('after a signal it answers open requests and ends', async () => {
  const { input, ended, answers, stop } = listening()
  for (const line of [HELLO, call(1, 'get_membership_status')]) input.write(`${JSON.stringify(line)}\n`)
  await new Promise((resolve) => setImmediate(resolve))
  stop()
  await ended
  expect(answers().map(({ id }) => id)).toEqual(['hello', 1])
})

test('a cancelled call is not awaited', async () => {
  const hung: Client = { ...service, call: () => new Promise(() => {}) }
  const { input, ended, answers } = listening({ client: hung })
  const taken = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  for (const line of [HELLO, call(1, 'get_membership_status'), taken])
    input.write(`${JSON.stringify(line)}\n`)
  input.end()
  await ended
  expect(answers().map(({ id }) => id)).toEqual(['hello'])
})

describe('invalid calls', () => {
  test('an unknown method, an unknown tool and arguments that are no object are errors, not results', async () => {
    const answers = await converse(
      ask(1, 'tools/destroy'),
      call(2, 'order_pizza'),
      call(3, 'get_food_order', ['ord_1']),
      ask(4, 'tools/call', { arguments: {} }),
      ask(5, 'resources/read', { uri: 'file:///etc/passwd' }),
      call(6, 'constructor'),
    )
    expect(Object.fromEntries(answers.map(({ id, error }) => [id, error?.code]))).toEqual({
      1: -32_601,
      2: -32_602,
      3: -32_602,
      4: -32_602,
      5: -32_602,
      6: -32_602,
    })
  })

  test('unknown arguments, or of another type, give a result that names them', async () => {
    const answers = await converse(
      call(1, 'get_food_order', { order_id: 'ord_1', price: 0 }),
      call(2, 'get_food_order', {}),
      call(3, 'list_rides', { limit: 'x'.repeat(1_000_000) }),
    )
    for (const { result } of answers) {
      expect(result).toMatchObject({ isError: true })
      expect(result).not.toHaveProperty('structuredContent')
      const problem = textOf(result)
      expect(JSON.parse(problem)).toMatchObject({
        code: 'invalid_request',
        hint: expect.stringMatching(/^Correct/),
      })
      expect(problem.length).toBeLessThan(1500)
    }
    expect(answers).toHaveLength(3)
  })
})

function textOf(result: Message['result']): string {
  const [first] = (result?.['content'] ?? []) as { text: string }[]
  return first?.text ?? ''
}

test('ten thousand messages, most of them notifications, get at most one response line each', async () => {
  const { input, ended, answers } = listening()
  input.write(`${JSON.stringify(HELLO)}\n`)
  for (let id = 0; id < 10_000; id++) {
    const message =
      id % 5 === 0 ? ask(id, 'ping') : { jsonrpc: '2.0', method: 'notifications/none', params: { id } }
    input.write(`${JSON.stringify(message)}\n`)
  }
  input.end()
  await ended
  expect(answers()).toHaveLength(2001)
  expect(new Set(answers().map(({ id }) => id)).size).toBe(2001)
})

test('a reader that leaves in the middle of a call ends it; the same call again has one effect', async () => {
  const parcel = { reference: 'LEFT-1', ...PARCEL }
  const { input, ended } = listening({
    write(line) {
      if (line.includes('"id":1')) throw new Error('nobody reads')
    },
  })
  for (const line of [HELLO, call(1, 'create_shipment', parcel)]) input.write(`${JSON.stringify(line)}\n`)
  await ended
  const [again] = await converse(call(2, 'create_shipment', parcel))
  expect(again?.result).toMatchObject({
    structuredContent: { reference: 'LEFT-1' },
    _meta: { 'dray/replayed': true },
  })
  const { value } = await service.call('list_shipments', { reference: 'LEFT-1' })
  expect((value as { data: unknown[] }).data).toHaveLength(1)
})

const PARCEL = {
  recipient: {
    contact: { name: 'Grace Okoro' },
    address: { line1: '2 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
  },
  parcel: { weight_grams: 500, length_mm: 300, width_mm: 200, height_mm: 100 },
  service_level: 'next_day',
}
