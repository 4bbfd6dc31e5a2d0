/** A message of the Standard Webhooks specification: its body and its signed headers. */
import { hmacSha256 } from './sha256.ts'

/** Returns the body of a message. `data` is the resource as JSON, as its read shows it. */
export function messageBody({ type, timestamp }: { type: string; timestamp: string }, data: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","data":${data}}`
}

type SigningInput = { id: string; body: string; secrets: readonly string[] }

/** Returns the headers of an attempt at `now`, by the machine's clock, which receivers compare with their own. */
export function messageHeaders({ id, body, secrets }: SigningInput, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'dray',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${hmacSha256(keyOf(secret), signed).toBase64()}`)
      .join(' '),
  }
}

function keyOf(secret: string): Uint8Array {
  return Uint8Array.fromBase64(secret.replace(/^whsec_/, ''))
}
