/** A receiver of webhooks on this machine: it keeps what came, and answers as it is told. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterFile } from './after-file.ts'

export type ReceivedWebhook = {
  headers: Record<string, string>
  text: string
  type: string
  data: Record<string, unknown>
}

export type Receiver = {
  url: string
  received: ReceivedWebhook[]
  /** Resolves once so many messages have come. */
  arrived(count: number): Promise<void>
  /** The status of the next responses; the header Location leads back to the receiver. */
  answer: { status: number }
  /** Verifies a message by the library of Standard Webhooks; throws when its signature or its time is wrong. */
  verify(secret: string, message: ReceivedWebhook | undefined): unknown
}

export async function openReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = []
  const answer = { status: 200 }
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const { type, data } = JSON.parse(text) as Pick<ReceivedWebhook, 'type' | 'data'>
      received.push({ headers: request.headers as Record<string, string>, text, type, data })
      for (const look of waiting) look()
      response.writeHead(answer.status, { Location: '/elsewhere' }).end(`answered ${answer.status}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answer,
    arrived: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    verify: (secret, message) => new Webhook(secret).verify(message?.text ?? '', message?.headers ?? {}),
  }
}
