/** Sends one message to an address, and connects only to the network address that it has checked. */
import { lookup } from 'node:dns/promises'
import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP } from 'node:net'
import { unbracketed } from '../../core/network.ts'
import { findForbiddenAddress } from './address.ts'

const TIMEOUT_MS = 10_000
/** The bytes of a response that are kept. */
const KEPT_BYTES = 1000

export type Message = { url: string; headers: Readonly<Record<string, string>>; body: string }

/** The outcome of an attempt: a response, or the reason why there was none. */
export type DeliveryOutcome = { status: number | null; error: string | null; response: string }

export type PostOptions = {
  /** True if messages may go to this machine and to private networks. */
  allowPrivate: boolean
  signal: AbortSignal
  timeoutMs?: number
}

/**
 * Posts a message. Redirects are responses like any other. Never throws for the receiver's faults; throws the reason of
 * `signal` when that aborts.
 */
export async function post(message: Message, options: PostOptions): Promise<DeliveryOutcome> {
  const { signal, timeoutMs = TIMEOUT_MS } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const addresses = await findAddresses(new URL(message.url), options)
    return await send(message, addresses, AbortSignal.any([signal, timeout]))
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) return failed(`no response within ${timeoutMs / 1000} s`)
    if (error instanceof ForbiddenAddressError) return failed(error.message)
    return failed(explainFailure(error as NodeJS.ErrnoException, new URL(message.url)))
  }
}

class ForbiddenAddressError extends Error {}

/** By the codes of Node's network and TLS errors (OpenSSL), what is wrong at the receiver. `host` has the port. */
const EXPLANATIONS: readonly (readonly [RegExp, (host: string, protocol: string) => string])[] = [
  [/^ECONNREFUSED$/, (host) => `nothing listens at ${host}. Is your program running?`],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, (host) => `the name of ${host} is not known`],
  [
    /^(?:ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/,
    (host) => `${host} does not speak TLS. Is it http:// in place of https://?`,
  ],
  [
    /SELF_SIGNED|^UNABLE_TO_|^CERT_|^ERR_TLS_CERT/,
    (host) =>
      `the TLS certificate of ${host} is not trusted. NODE_EXTRA_CA_CERTS names a file with its issuer`,
  ],
  [
    /^(?:ECONNRESET|EPIPE|HPE_)/,
    (host, protocol) =>
      `${host} ended the connection without an HTTP response.${protocol === 'http:' ? ' Is it https:// in place of http://?' : ''}`,
  ],
]

/** Returns what a failed connection means, with the code of the error that Node gives. */
function explainFailure({ code, message }: NodeJS.ErrnoException, { host, protocol }: URL): string {
  if (code === undefined) return message
  const [, explain] = EXPLANATIONS.find(([codes]) => codes.test(code)) ?? []
  return `${code}: ${explain === undefined ? message : explain(host, protocol)}`
}

function failed(error: string): DeliveryOutcome {
  return { status: null, error: error.slice(0, 300), response: '' }
}

type Address = { address: string; family: number }

/** Resolves the name once, and returns its addresses. Throws when any of them may not be used. */
async function findAddresses({ hostname, protocol }: URL, { allowPrivate }: PostOptions): Promise<Address[]> {
  const host = unbracketed(hostname)
  const family = isIP(host)
  const found = family === 0 ? await lookup(host, { all: true }) : [{ address: host, family }]
  const why = findForbiddenAddress(
    found.map(({ address }) => address),
    { protocol, allowPrivate },
  )
  if (why !== undefined) throw new ForbiddenAddressError(why)
  return found
}

function send(
  { url, headers, body }: Message,
  addresses: Address[],
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const begin = url.startsWith('https:') ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    const request = begin(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
      // A connection of its own: one that was kept may be closed by its other end just now, and a retry waits.
      agent: false,
      signal,
      // A second look-up could lead elsewhere than the address that was checked.
      lookup: (_name, { all }, answer) =>
        all === true
          ? answer(null, addresses)
          : answer(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4),
    })
    request.once('error', reject)
    request.once('response', (response) => {
      readBeginning(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, error: null, response: text }),
        reject,
      )
    })
    request.end(body)
  })
}

/** Reads the beginning of a response as text and closes the connection. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size >= KEPT_BYTES) break
  }
  response.destroy()
  // Stores take no NUL.
  return Buffer.concat(parts).subarray(0, KEPT_BYTES).toString().replaceAll('\0', '\uFFFD')
}
