/** A receiver of webhooks in a story: what came to it over HTTP since the last command. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookSender } from '../../../src/host/webhooks/sender.ts'
import type { ResourceDocument } from './reading.ts'

export type MessageBox = {
  /** The address of an account, for `dray webhooks create`. */
  urlOf(account: string): string
  /** Sends the messages of everything that happened. Those that came before are forgotten: they tell of an earlier time. */
  deliver(): Promise<void>
  /** Returns the resource in the last message of a kind to an account, such as `ride`; undefined where none came. */
  findMessage(account: string, kind: string, id: string): ResourceDocument | undefined
  close(): Promise<void>
}

/** Opens a receiver at a free port. `openSender` makes what sends; it reports what fails there. */
export async function openMessageBox(
  openSender: (onError: (error: unknown) => void) => WebhookSender,
): Promise<MessageBox> {
  const messages: { account: string; type: string; data: ResourceDocument }[] = []
  const errors: unknown[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const { type, data } = JSON.parse(text) as { type: string; data: ResourceDocument }
      messages.push({ account: request.url?.slice(1) ?? '', type, data })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sender = openSender((error) => errors.push(error))
  return {
    urlOf: (account) => `http://127.0.0.1:${port}/${account}`,
    async deliver() {
      messages.length = 0
      for (let more = true; more; await sender.settled()) more = await sender.turn()
      if (errors.length > 0) throw errors[0]
    },
    findMessage: (account, kind, id) =>
      messages.findLast(
        (each) =>
          each.account === account &&
          each.type.startsWith(`${kind}.`) &&
          Object.values(each.data).includes(id),
      )?.data,
    async close() {
      await sender.end()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
