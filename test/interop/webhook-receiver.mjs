/**
 * A receiver of webhooks: `node webhook-receiver.mjs PORT SECRET FILE`. It verifies each message by the library of Standard
 * Webhooks, appends a line to the file, and only then answers. A killed one has lost nothing that it answered.
 */
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const [port, secret, file] = process.argv.slice(2)
const webhook = new Webhook(secret)

createServer((request, response) => {
  let text = ''
  request.on('data', (part) => (text += part))
  request.on('end', () => {
    const { type, timestamp, data } = webhook.verify(text, request.headers)
    const line = [request.headers['webhook-id'], data.tracking_number, type, timestamp]
    appendFileSync(file, `${line.join(' ')}\n`)
    response.writeHead(204).end()
  })
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'))
