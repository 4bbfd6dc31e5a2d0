/** Between a client and a service: passes everything on, or keeps answers to itself until told otherwise. */
import { createServer, request as send } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type HoldingProxy = {
  url: string
  /** Keeps the answer to the next request that changes something; resolves once the service has given it. */
  holdNext(): Promise<{ release(): void }>
  close(): Promise<void>
}

/** Listens on a free port of this machine. */
export async function startHoldingProxy(target: string): Promise<HoldingProxy> {
  let waiting: ((held: { release(): void }) => void) | undefined

  const server = createServer((request, response) => {
    const hold = request.method === 'GET' ? undefined : waiting
    if (hold !== undefined) waiting = undefined
    void forward(request, target).then((answer) => {
      const release = (): void => pass(answer, response)
      if (hold === undefined) release()
      else hold({ release })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdNext: () => new Promise((resolve) => (waiting = resolve)),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer }

function forward(request: IncomingMessage, target: string): Promise<Answer> {
  const { host: _, ...headers } = request.headers
  return new Promise((resolve, reject) => {
    const onward = send(
      new URL(request.url ?? '/', target),
      { method: request.method, headers },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(chunks) }),
        )
      },
    )
    onward.on('error', reject)
    request.pipe(onward)
  })
}

function pass({ status, headers, body }: Answer, response: ServerResponse): void {
  const { 'transfer-encoding': _, connection: __, ...rest } = headers
  response.writeHead(status, { ...rest, 'content-length': body.length })
  response.end(body)
}
