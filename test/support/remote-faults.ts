/** Responses of a broken or hostile service, as data (docs/rules/failure-model.md#a-remote-service-may-be-broken). */
import { gzipSync } from 'node:zlib'
import type { ErrorCode } from '../../src/core/errors.ts'
import type { ProxiedResponse, ProxyFault, ProxiedRequest } from './fault-proxy.ts'
import { raw } from './faults.ts'

export type RemoteFault = { fault: ProxyFault; code: ErrorCode }

const JSON_TYPE = { 'Content-Type': 'application/json' }
const MEBIBYTE = 1_048_576

/** Responses that come too late: the command ends at its timeout. */
export const SLOW: Readonly<Record<string, ProxyFault>> = {
  'never answers': () => {},
  'answers long after the time is over': ({ forward, pass, response }) => {
    const timer = setTimeout(() => void forward().then(pass), 60_000)
    response.on('close', () => clearTimeout(timer))
  },
  'answers a byte a second': async ({ forward, response }) => {
    const { headers, body } = await forward()
    response.writeHead(200, headers)
    let sent = 0
    const next = (): void => void response.write(body.subarray(sent, ++sent))
    next()
    const timer = setInterval(next, 1000)
    response.on('close', () => clearInterval(timer))
  },
  'sends the headers and stalls': ({ response }) => {
    response.writeHead(200, { ...JSON_TYPE, 'Content-Length': 500 }).flushHeaders()
  },
  'says that it goes on and on': ({ response }) => {
    const timer = setInterval(() => response.writeProcessing(), 20)
    response.on('close', () => clearInterval(timer))
  },
  'resets the connection at once, every time': ({ response }) => raw(response).resetAndDestroy(),
  'resets after the headers': ({ response }) => {
    const socket = raw(response)
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n', () =>
      socket.resetAndDestroy(),
    )
  },
  'resets in the middle of the body': async ({ forward, response }) => {
    const { body } = await forward()
    const socket = raw(response)
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, body.length / 2)]), () =>
      socket.resetAndDestroy(),
    )
  },
  'promises more than it sends': async ({ forward, response }) => {
    const { body } = await forward()
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length + 9}\r\n\r\n`
    raw(response).end(Buffer.concat([Buffer.from(head), body]))
  },
}

/** Invalid responses. */
export const UNREADABLE: Readonly<Record<string, ProxyFault>> = {
  'is something else than HTTP': ({ response }) => void raw(response).end('SSH-2.0-OpenSSH_9.2\r\n'),
  'sends garbage': makeTextFault(
    Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 37) % 256)),
    JSON_TYPE,
  ),
  'sends a page of HTML': makeTextFault('<!doctype html><h1>\x1b[2JSign in', { 'Content-Type': 'text/html' }),
  'refuses with a page of HTML': ({ response }) => {
    response.writeHead(403, { 'Content-Type': 'text/html' }).end('<h1>Blocked')
  },
  'sends JSON that is cut off': async ({ forward, pass }) => {
    const answered = await forward()
    pass({ ...answered, body: answered.body.subarray(0, -3) })
  },
  'promises less than it sends': async ({ forward, response }) => {
    const { body } = await forward()
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length - 9}\r\n\r\n`
    raw(response).end(Buffer.concat([Buffer.from(head), body]))
  },
  'promises 2 GB': ({ response }) => {
    response.writeHead(200, { ...JSON_TYPE, 'Content-Length': 2_000_000_000 }).flushHeaders()
  },
  'never comes to an end': ({ response }) => {
    response.writeHead(200, JSON_TYPE)
    const more = Buffer.alloc(MEBIBYTE, ' ')
    const send = (): void => {
      while (response.writable && response.write(more));
    }
    response.on('drain', send)
    send()
  },
  'sends a bomb in gzip': bomb(80 * MEBIBYTE),
  'sends a bomb that never comes to an end': ({ response }) => {
    response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' })
    // Sends gzip fields forever; each is a complete gzip file.
    const member = gzipSync(Buffer.alloc(MEBIBYTE))
    const send = (): void => {
      while (response.writable && response.write(member));
    }
    response.on('drain', send)
    send()
  },
  'compresses twice': makeTextFault(gzipSync(gzipSync('{}')), {
    ...JSON_TYPE,
    'Content-Encoding': 'gzip, gzip',
  }),
  'says gzip and sends none': makeTextFault('{}', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }),
  'nests five million lists': makeTextFault(`${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}`, JSON_TYPE),
  'hides five million lists in a member': edited(
    (text) => `${text.slice(0, -1)},"more":${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}}`,
  ),
  'sends a million rows': makeTextFault(
    `{"data":[${'{},'.repeat(999_999)}{}],"has_more":false,"next_cursor":null}`,
    JSON_TYPE,
  ),
}

/** The real response to `list_shipments`, with one value changed. */
export const EDITED: Readonly<Record<string, ProxyFault>> = {
  'says a member twice': edited((text) => text.replace('"has_more"', '"data":[],"has_more"')),
  'sends rows that are numbers': edited((text) => text.replace('"data":[', '"data":[1,')),
  'sends a number for an id': edited((text) =>
    text.replace(/"tracking_number":"[^"]+"/, '"tracking_number":7'),
  ),
  'leaves out an id': edited((text) => text.replace(/"tracking_number":"[^"]+",/, '')),
  'asks for money that is negative': edited((text) => text.replace(/"amount":\d+/, '"amount":-1')),
  'asks for money that is no number': edited((text) => text.replace(/"amount":\d+/, '"amount":"1"')),
  'asks for half a penny': edited((text) => text.replace(/"amount":\d+/, '"amount":0.5')),
  'asks for money that nobody has': edited((text) =>
    text.replace(/"currency":"GBP"/, '"currency":"\\u001b[2J"'),
  ),
  'tells a time that is none': edited((text) => text.replace(/"created_at":"[^"]+"/, '"created_at":"soon"')),
  'names no next page where there is one': edited((text) =>
    text.replace(/"next_cursor":\S+\}$/, '"next_cursor":{}}'),
  ),
}

/** Responses that ask the client to retry later, with different delays. */
export const LATER: Readonly<Record<string, RemoteFault>> = {
  'is not up, for ever': { fault: refuse(503, {}), code: 'service_unavailable' },
  'is not up for three years': {
    fault: refuse(503, { 'Retry-After': '99999999' }),
    code: 'service_unavailable',
  },
  'is not up, and asks to come back before now': {
    fault: refuse(503, { 'Retry-After': '-5' }),
    code: 'service_unavailable',
  },
  'is not up, and asks to come back in the year 1999': {
    fault: refuse(503, { 'Retry-After': 'Fri, 31 Dec 1999 23:59:59 GMT' }),
    code: 'service_unavailable',
  },
  'is not up, and asks for nonsense': {
    fault: refuse(502, { 'Retry-After': '1e999' }),
    code: 'service_unavailable',
  },
  'finds every call too often': { fault: refuse(429, { 'Retry-After': '0' }), code: 'rate_limited' },
  'finds it too often for three years': {
    fault: refuse(429, { 'Retry-After': '99999999' }),
    code: 'rate_limited',
  },
}

export function makeTextFault(body: string | Uint8Array, headers: Record<string, string>): ProxyFault {
  return ({ response }) => {
    response.writeHead(200, headers).end(body)
  }
}

/** Returns a fault that edits the real response. Throws when nothing changes. */
export function edited(edit: (text: string) => string): ProxyFault {
  return async ({ forward, pass }) => {
    const answered = await forward()
    const before = answered.body.toString()
    const after = edit(before)
    if (after === before) throw new Error('the answer has nothing to change')
    pass({ ...answered, body: Buffer.from(after) })
  }
}

/** Returns a fault that replaces headers of the real response. */
export function withHeaders(headers: Record<string, string>): ProxyFault {
  return async ({ forward, pass }: ProxiedRequest) => {
    const answered: ProxiedResponse = await forward()
    pass({ ...answered, headers: { ...answered.headers, ...headers } })
  }
}

/** The call is carried out, but its response is lost. */
export const lost: ProxyFault = async ({ forward, response }) => {
  await forward()
  raw(response).resetAndDestroy()
}

export function makeRedirectFault(status: number, location: string): ProxyFault {
  return ({ response }) => {
    response.writeHead(status, { Location: location }).end()
  }
}

function refuse(status: number, headers: Record<string, string>): ProxyFault {
  return ({ response }) => {
    response.writeHead(status, headers).end()
  }
}

function bomb(size: number): ProxyFault {
  return ({ response }) => {
    response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(size)))
  }
}
