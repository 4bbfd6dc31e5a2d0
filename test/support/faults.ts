/** A server that follows a script of faults and records its requests. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterFile } from './after-file.ts'

export type ReceivedRequest = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export type Faults = {
  url: string
  asked: ReceivedRequest[]
  close(): Promise<void>
}

/** The handling of the n-th request (from 0). */
export type Script = (response: ServerResponse, nth: number, asked: ReceivedRequest) => void

/** Listens on a free port of this machine until the tests of the file have ended. */
export async function startFaults(script: Script): Promise<Faults> {
  const asked: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      asked.push(one)
      script(response, asked.length - 1, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const faults = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  afterFile(() => faults.close())
  return faults
}

/** Returns the socket of a response, to write bytes that no HTTP library would. */
export function raw(response: ServerResponse): Socket {
  const { socket } = response
  if (socket === null) throw new Error('the connection is gone')
  return socket
}

/** Sends a valid response. */
export function sendValidResponse(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  response.writeHead(status, {
    'Content-Type': type,
    'Request-Id': 'req_test',
    'Service-Time': '2026-11-20T12:00:00.000Z;mode=frozen',
    ...headers,
  })
  response.end(JSON.stringify(body))
}
