/** A cancelled call: one that has not begun does not begin, and one that has begun is answered. */
import { PassThrough } from 'node:stream'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AnyCall, Client } from '../../src/client/client.ts'
import { withOperationTypes } from '../../src/client/client.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { readLedger } from '../../src/local-state/ledger.ts'
import { makeGuard } from '../../src/mcp/guard.ts'
import { makeHttpHandler } from '../../src/mcp/http.ts'
import type { McpDeps } from '../../src/mcp/server.ts'
import { serveOverStdio } from '../../src/mcp/stdio.ts'
import { guardOptions, openHome } from '../support/agent.ts'
import type { Home } from '../support/home.ts'
import { makeParcel, makeRows } from '../support/parcel.ts'

type Message = {
  id?: unknown
  method?: string
  result?: Record<string, unknown>
  error?: { message: string }
}

let home: Home
let service: Client
let purses = 0

beforeAll(async () => {
  ;({ home, service } = await openHome())
})

afterEach(() => void vi.useRealTimers())

/** Returns a client whose changes go through `call`; prices are asked for as ever. */
function through(call: AnyCall): Client {
  return {
    ...service,
    call: withOperationTypes((operation, input, options) =>
      operation.startsWith('create_') && input['price_only'] !== true
        ? call(operation, input, options)
        : service.call(operation, input, options),
    ),
  }
}

function partsOf(client: Client, gate = false): McpDeps & { purse: { service: string; account: string } } {
  const purse = { service: 'here', account: `purse-${(purses += 1)}` }
  return {
    client,
    caller: { accountId: undefined, account: 'everything', scopes: undefined },
    guard: makeGuard({ ...guardOptions(home), gate }, async () => purse),
    tools: TOOLS,
    outputs: undefined,
    live: false,
    version: '0.0.0-test',
    onError() {},
    purse,
  }
}

const hello = (capabilities: object) => ({
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } },
})
const call = (id: unknown, name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
})

/** Starts a server on two streams. `heard` resolves with the first message that fits. */
function start(parts: McpDeps, capabilities: object = {}) {
  const input = new PassThrough()
  const stopped = new AbortController()
  const messages: Message[] = []
  const waiting: { fits(message: Message): boolean; resolve(message: Message): void }[] = []
  const ended = serveOverStdio(
    parts,
    {
      input,
      write(line) {
        const message = JSON.parse(line) as Message
        messages.push(message)
        for (const each of waiting) if (each.fits(message)) each.resolve(message)
      },
    },
    stopped.signal,
  )
  const say = (...said: unknown[]): void =>
    void input.write(
      said.map((message) => `${typeof message === 'string' ? message : JSON.stringify(message)}\n`).join(''),
    )
  say(hello(capabilities))
  return {
    say,
    input,
    ended,
    stop: () => stopped.abort(),
    heard: (fits: (message: Message) => boolean) =>
      new Promise<Message>((resolve) => {
        const found = messages.find(fits)
        if (found === undefined) waiting.push({ fits, resolve })
        else resolve(found)
      }),
    async end(): Promise<Message[]> {
      input.end()
      await ended
      return messages.filter(({ id }) => id !== 'hello')
    },
  }
}

async function countOf(reference: string): Promise<number> {
  const { value } = await service.call('list_shipments', { reference })
  return (value as { data: unknown[] }).data.length
}

describe('over standard input and output', () => {
  test('a cancellation right behind a manifest of 500 leaves none created, charged, or answered', async () => {
    const parts = partsOf(service)
    const { say, end } = start(parts)
    const shipments = makeRows(500, 'CANCELLED')
    say(call(1, 'create_shipments_batch', { shipments }), cancel(1))
    expect(await end()).toEqual([])
    expect(await countOf('CANCELLED-1')).toBe(0)
    expect(readLedger(home, parts.purse)).toMatchObject({ intents: [], spent: [] })
  })

  test('a call that is cancelled while it waits for its turn to write is not made; the same call again is', async () => {
    const [arrived, turn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const parcel = makeParcel({ reference: 'QUEUED' })
    const parts = partsOf(
      through(async (operation, input, options) => {
        arrived.resolve()
        await turn.promise
        return service.call(operation, input, options)
      }),
    )
    const { say, end, heard } = start(parts)
    say(call(1, 'create_shipment', parcel))
    await arrived.promise
    say(cancel(1), { jsonrpc: '2.0', id: 2, method: 'ping' })
    await heard(({ id }) => id === 2)
    turn.resolve()
    say(call(3, 'create_shipment', parcel))
    const answers = await end()
    expect(answers.map(({ id }) => id)).toEqual([2, 3])
    // It is new: the cancelled call has left no response that could be given again.
    expect(answers[1]?.result).toMatchObject({ structuredContent: { reference: 'QUEUED' } })
    expect(answers[1]?.result).not.toHaveProperty(['_meta', 'dray/replayed'])
    expect(await countOf('QUEUED')).toBe(1)
    const { spent } = readLedger(home, parts.purse)
    expect(spent).toHaveLength(1)
  })

  test('a call that is cancelled too late returns what was made', async () => {
    const [made, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const parts = partsOf(
      through(async (operation, input, options) => {
        const result = await service.call(operation, input, options)
        made.resolve()
        await told.promise
        return result
      }),
    )
    const { say, end, heard } = start(parts)
    say(call(1, 'create_shipment', makeParcel({ reference: 'TOO-LATE' })))
    await made.promise
    say(cancel(1), { jsonrpc: '2.0', id: 2, method: 'ping' })
    await heard(({ id }) => id === 2)
    told.resolve()
    const answers = await end()
    expect(answers.map(({ id }) => id)).toEqual([2, 1])
    expect(answers[1]?.result).toMatchObject({ structuredContent: { reference: 'TOO-LATE' } })
  })

  test('a yes that comes after the cancellation buys nothing', async () => {
    const { say, end, heard } = start(partsOf(service, true), { elicitation: {} })
    say(call(1, 'create_shipment', makeParcel({ reference: 'ASKED' })))
    const { id } = await heard(({ method }) => method === 'elicitation/create')
    say(cancel(1), { jsonrpc: '2.0', id, result: { action: 'accept', content: { agree: true } } })
    await end()
    expect(await countOf('ASKED')).toBe(0)
  })

  test('a cancellation right behind the yes buys nothing', async () => {
    const { say, end, heard } = start(partsOf(service, true), { elicitation: {} })
    say(call(1, 'create_shipment', makeParcel({ reference: 'ASKED-2' })))
    const { id } = await heard(({ method }) => method === 'elicitation/create')
    say({ jsonrpc: '2.0', id, result: { action: 'accept', content: { agree: true } } }, cancel(1))
    await end()
    expect(await countOf('ASKED-2')).toBe(0)
  })

  test('an answer of a person that cannot be read ends the call at once', async () => {
    const { say, end, heard } = start(partsOf(service, true), { elicitation: {} })
    say(call(1, 'create_shipment', makeParcel({ reference: 'UNREADABLE' })))
    const { id } = await heard(({ method }) => method === 'elicitation/create')
    const yes = '{"action":"accept","content":{"agree":true,"agree":true}}'
    say(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${yes}}`)
    const answer = await heard((message) => message.id === 1)
    expect(answer.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('the same member twice') as string }],
    })
    await end()
    expect(await countOf('UNREADABLE')).toBe(0)
  })

  test('a reader that has left buys nothing that has not begun', async () => {
    const [arrived, turn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const finished = Promise.withResolvers<unknown>()
    const client = through(async (operation, input, options) => {
      arrived.resolve()
      await turn.promise
      const result = service.call(operation, input, options)
      finished.resolve(result.catch((error: unknown) => error))
      return result
    })
    const input = new PassThrough()
    const ended = serveOverStdio(
      partsOf(client),
      {
        input,
        write(line) {
          if (line.includes('"id":2')) throw new Error('nobody reads')
        },
      },
      new AbortController().signal,
    )
    const say = (message: object): void => void input.write(`${JSON.stringify(message)}\n`)
    say(hello({}))
    say(call(1, 'create_shipment', makeParcel({ reference: 'LEFT' })))
    await arrived.promise
    say({ jsonrpc: '2.0', id: 2, method: 'ping' })
    await ended
    turn.resolve()
    expect(await finished.promise).toMatchObject({ code: 'call_cancelled' })
    expect(await countOf('LEFT')).toBe(0)
  })

  test('at its end a server tells what became of each call that is still open, and takes no new one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const begun = Promise.withResolvers<void>()
    const parts = partsOf(
      through(async (operation, input, options) => {
        if (input['reference'] === 'BEGUN') {
          options?.beforeChange?.()
          begun.resolve()
        }
        return new Promise(() => {})
      }),
    )
    const { say, ended, stop, heard } = start(parts)
    say(call(1, 'create_shipment', makeParcel({ reference: 'WAITS' })))
    say(call(2, 'create_shipment', makeParcel({ reference: 'BEGUN' })))
    await begun.promise
    stop()
    say(call(3, 'create_shipment', makeParcel({ reference: 'LATE' })))
    const late = await heard(({ id }) => id === 3)
    expect(late.error?.message).toBe('The server is stopping and accepts no new calls. Nothing was done.')
    vi.advanceTimersByTime(10_000)
    await ended
    const first = await heard(({ id }) => id === 1)
    const second = await heard(({ id }) => id === 2)
    expect([first.error?.message, second.error?.message]).toEqual([
      'The server is stopping. Nothing was done.',
      'The server is stopping. Whether this was done is not known: the same call again does nothing twice.',
    ])
  })
})

describe('over HTTP', () => {
  const request = (signal: AbortSignal): Request =>
    new Request('http://localhost/mcp', {
      method: 'POST',
      signal,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    })
  const bytes = (message: object): Uint8Array => Buffer.from(JSON.stringify(message))
  const modern = (message: ReturnType<typeof call>) => ({
    ...message,
    params: {
      ...message.params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  })
  const modernRequest = (signal: AbortSignal): Request => {
    const made = request(signal)
    made.headers.set('MCP-Protocol-Version', '2026-07-28')
    made.headers.set('Mcp-Method', 'tools/call')
    made.headers.set('Mcp-Name', 'create_shipment')
    return made
  }

  const REVISIONS = [
    ['2025-11-25', request, (message: ReturnType<typeof call>) => message],
    ['2026-07-28', modernRequest, modern],
  ] as const

  test.each(REVISIONS)(
    'a caller of %s who left before the call began gets nothing made',
    async (revision, asking, framed) => {
      const handler = makeHttpHandler(() => {})
      const reference = `HTTP-BEFORE-${revision}`
      const message = bytes(framed(call(1, 'create_shipment', makeParcel({ reference }))))
      expect((await handler.answer(asking(AbortSignal.abort()), message, partsOf(service))).status).toBe(499)
      expect(await countOf(reference)).toBe(0)
      await handler.close()
    },
  )

  test.each(REVISIONS)(
    'a caller of %s who left while the change waited gets nothing made',
    async (revision, asking, framed) => {
      const [arrived, turn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const finished = Promise.withResolvers<unknown>()
      const client = through(async (operation, input, options) => {
        arrived.resolve()
        await turn.promise
        const result = service.call(operation, input, options)
        finished.resolve(result.catch((error: unknown) => error))
        return result
      })
      const handler = makeHttpHandler(() => {})
      const gone = new AbortController()
      const reference = `HTTP-WAITS-${revision}`
      const message = bytes(framed(call(1, 'create_shipment', makeParcel({ reference }))))
      const answering = handler.answer(asking(gone.signal), message, partsOf(client))
      await arrived.promise
      gone.abort()
      turn.resolve()
      expect(await finished.promise).toMatchObject({ code: 'call_cancelled' })
      await answering.catch(() => undefined)
      expect(await countOf(reference)).toBe(0)
      await handler.close()
    },
  )

  test('a server that stops lets a running call finish, and rejects a new one', async () => {
    const [made, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const client = through(async (operation, input, options) => {
      const result = await service.call(operation, input, options)
      made.resolve()
      await told.promise
      return result
    })
    const handler = makeHttpHandler(() => {})
    const here = new AbortController()
    const asked = bytes(modern(call(1, 'create_shipment', makeParcel({ reference: 'STOPS' }))))
    const answering = handler.answer(modernRequest(here.signal), asked, partsOf(client))
    await made.promise
    const closing = handler.close()
    await expect(handler.answer(modernRequest(here.signal), asked, partsOf(client))).rejects.toMatchObject({
      code: 'service_unavailable',
    })
    told.resolve()
    await closing
    const response = await answering
    expect(await response.json()).toMatchObject({
      id: 1,
      result: { structuredContent: { reference: 'STOPS' } },
    })
  })

  test('the response to an unreadable message has its id', async () => {
    const handler = makeHttpHandler(() => {})
    const here = new AbortController()
    const ask = async (text: string) => {
      const answered = await handler.answer(request(here.signal), Buffer.from(text), partsOf(service))
      const body = await answered.text()
      return {
        status: answered.status,
        message: JSON.parse(body.replace(/^event: message\ndata: /, '')) as Message,
      }
    }
    const twice = await ask('{"jsonrpc":"2.0","id":"a\\u0062","method":"ping","method":"ping"}')
    expect(twice).toMatchObject({
      status: 400,
      message: { id: 'ab', error: { message: expect.stringContaining('/method') as string } },
    })
    const nul = await ask(JSON.stringify(call(7, 'get_ride', { ride_id: '\0' })))
    expect(nul).toMatchObject({ status: 200, message: { id: 7, result: { isError: true } } })
    const odd = await ask('{"jsonrpc":"2.0","id":8,"method":"ping","params":5}')
    expect(odd).toMatchObject({ status: 400, message: { id: 8 } })
    await handler.close()
  })
})
