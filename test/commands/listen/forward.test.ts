/** `dray listen --forward-to`: addresses as people type them, and receivers that hang, are not there, or speak another protocol. */
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import { listen, readForwardAddress } from '../../../src/commands/listen/listen.command.ts'
import { AppError } from '../../../src/core/errors.ts'
import { post } from '../../../src/host/webhooks/post.ts'
import { afterFile } from '../../support/after-file.ts'
import { makeCertificate } from '../../support/certificate.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'

async function listenOn(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

test.each([
  ['3000', 'http://localhost:3000/'],
  [':3000', 'http://localhost:3000/'],
  ['3000/hooks?a=1', 'http://localhost:3000/hooks?a=1'],
  ['localhost:3000/hooks', 'http://localhost:3000/hooks'],
  ['localhost/hooks', 'http://localhost/hooks'],
  ['127.0.0.1/hooks', 'http://127.0.0.1/hooks'],
  ['[::1]:3000', 'http://[::1]:3000/'],
  ['host.docker.internal:3000', 'http://host.docker.internal:3000/'],
  ['hooks.example.com/dray', 'https://hooks.example.com/dray'],
  ['https://hooks.example.com/dray', 'https://hooks.example.com/dray'],
  ['HTTP://localhost:3000', 'http://localhost:3000/'],
])('--forward-to %s means %s', (given, url) => {
  expect(readForwardAddress(given)).toBe(url)
})

test.each(['', '/hooks', '99999', 'ftp://localhost:3000', 'file:///tmp/hooks', 'localhost:port', 'a b', ':'])(
  '--forward-to %j is refused, with three ways to say it',
  (given) => {
    expect(() => readForwardAddress(given)).toThrow(
      '--forward-to must be an address such as http://127.0.0.1:3000/hooks, localhost:3000/hooks or 3000, not',
    )
  },
)

test('a message that is not answered keeps no later one: each gets its own answer, in the order of the events', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const open = embeddedIn(home)
  let client: Client | undefined
  const types: string[] = []
  const held: (() => void)[] = []
  // It answers nothing before both messages are there, as a program at a breakpoint.
  const receive: RequestListener = (request, response) => {
    request.resume()
    types.push(String(request.headers['webhook-id']))
    held.push(() => response.writeHead(204).end())
    if (held.length === 2) for (const answer of held) answer()
  }
  const port = await listenOn(createServer(receive))
  const stop = new AbortController()
  const io = memoryIo({ env: home.env })
  let bought = false
  const ran = await runCommand(
    home,
    listen,
    ['--forward-to', `localhost:${port}/hooks`, '--as', 'everything', '--events', 'ride.*'],
    {
      io,
      openClient: async (target) => (client = await open(target)),
      interruption: stop.signal,
      async meanwhile() {
        if (io.out().split('\n').length > 2) stop.abort(new AppError('call_cancelled', 'Ctrl-C'))
        if (bought) return
        bought = true
        if (client === undefined) throw new Error('the command opened nothing')
        const quote = await client.call('quote_ride', {
          pickup: { name: 'kings-cross' },
          dropoff: { name: 'bank' },
        })
        const { quote_id } = quote.value as { quote_id: string }
        await client.call(
          'request_ride',
          { quote_id, tier: 'economy', payment: { method: 'card', payment_token: 'tok_ok' } },
          { idempotencyKey: 'ride' },
        )
        await client.control('advance_clock', { by: '30s' })
      },
    },
  )
  expect(ran.err).toContain(`Forwarding to http://localhost:${port}/hooks. The secret is whsec_`)
  const lines = ran.out.trim().split('\n')
  expect(lines.slice(0, 2)).toEqual([
    expect.stringMatching(/ride\.processing .*→ 204$/),
    expect.stringMatching(/ride\.accepted .*→ 204$/),
  ])
  expect(types.length).toBeGreaterThanOrEqual(2)
})

test('a receiver that is not there, or speaks another protocol, is named with what to try', async () => {
  const plain = await listenOn(createServer((_, response) => response.end()))
  const day = 86_400_000
  const secure = await listenOn(
    createSecureServer(
      makeCertificate('127.0.0.1', { from: new Date(Date.now() - day), until: new Date(Date.now() + day) }),
      (_, response) => response.end(),
    ),
  )
  const gone = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
  const failureOf = async (url: string): Promise<string | null> => {
    const message = { url, headers: {}, body: '{}' }
    return (await post(message, { allowPrivate: true, signal: new AbortController().signal })).error
  }
  expect(await failureOf(`http://127.0.0.1:${gone}/`)).toBe(
    `ECONNREFUSED: nothing listens at 127.0.0.1:${gone}. Is your program running?`,
  )
  expect(await failureOf(`https://127.0.0.1:${plain}/`)).toMatch(
    `127.0.0.1:${plain} does not speak TLS. Is it http:// in place of https://?`,
  )
  expect(await failureOf(`https://127.0.0.1:${secure}/`)).toMatch(
    `the TLS certificate of 127.0.0.1:${secure} is not trusted.`,
  )
  expect(await failureOf(`http://127.0.0.1:${secure}/`)).toMatch('Is it https:// in place of http://?')
})
