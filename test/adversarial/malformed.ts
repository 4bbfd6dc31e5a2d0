/** Malformed requests, as bytes and as the behaviour of their connection. */
import type { Random } from './random.ts'

/** The behaviour of a request's connection. */
const MANNERS = [
  'waits for the answer',
  'closes its half',
  'leaves',
  'resets in the middle',
  'resets at the answer',
] as const

export type MalformedRequest = { bytes: Buffer; renderOptions: (typeof MANNERS)[number] }

export type AttackTarget = { host: string; token: string; paths: readonly string[] }

type Make = (place: AttackTarget, random: Random) => string

const head = ({ host }: AttackTarget, line: string, ...headers: string[]): string =>
  `${[line, `Host: ${host}`, ...headers].join('\r\n')}\r\n\r\n`

const post = (place: AttackTarget, random: Random, ...headers: string[]): string =>
  head(
    place,
    `POST ${random.pick(place.paths)} HTTP/1.1`,
    `Authorization: Bearer ${place.token}`,
    'Content-Type: application/json',
    ...headers,
  )

const get = (place: AttackTarget): string => head(place, 'GET /healthz HTTP/1.1')

const KINDS: Readonly<Record<string, Make>> = {
  'a method that is none': (place, random) =>
    head(place, `${random.pick(['BREW', 'get', 'G E T', '', 'PROPFIND', '\u0000GET'])} /healthz HTTP/1.1`),
  'a version that is none': (place, random) =>
    head(place, `GET /healthz ${random.pick(['HTTP/1.2', 'HTTP/0.9', 'HTTP/9', 'HTTP', '', 'http/1.1'])}`),
  'bytes that no header has': (place, random) =>
    head(
      place,
      'GET /healthz HTTP/1.1',
      `X${random.pick(['\u0000', ' ', '\n', '\u00ff', '\r'])}: ${random.number(9)}`,
    ),
  'a value with control characters': (place, random) =>
    head(place, 'GET /healthz HTTP/1.1', `X: ${String.fromCodePoint(random.number(32))}`),
  'a length and chunks': (place, random) =>
    `${post(place, random, 'Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\nGET /x HTTP/1.1\r\n\r\n`,
  'a folded header': (place) => head(place, 'GET /healthz HTTP/1.1', 'X: a\r\n b', ' c: d'),
  'a head without end': (place, random) =>
    `GET /healthz HTTP/1.1\r\nHost: ${place.host}\r\nX: ${'a'.repeat(10_000 + random.number(20_000))}`,
  'thousands of headers': (place, random) =>
    head(place, 'GET /healthz HTTP/1.1', ...Array.from({ length: 90 + random.number(2000) }, () => 'a: b')),
  'a chunk whose size is none': (place, random) =>
    `${post(place, random, 'Transfer-Encoding: chunked')}${random.pick(['zz', '-1', '0x5', 'fffffffffffffffff', '5;a=\u0000', ''])}\r\nhello\r\n`,
  'a chunk that is cut off': (place, random) =>
    `${post(place, random, 'Transfer-Encoding: chunked')}ff\r\nabc`,
  'a length that is none': (place, random) =>
    `${post(place, random, `Content-Length: ${random.pick(['-1', '1e3', '99999999999999999999', '0x10', '', '5, 6'])}`)}{}`,
  'a body that is cut off': (place, random) => `${post(place, random, 'Content-Length: 500')}{"a":`,
  'a tunnel': (place, random) =>
    random.pick([
      head(place, 'CONNECT evil.example:443 HTTP/1.1'),
      'CONNECT evil.example:443 HTTP/1.1\r\n\r\n',
    ]),
  'a tunnel that is used at once': (place) =>
    `${head(place, 'CONNECT evil.example:443 HTTP/1.1')}${CLIENT_HELLO}`,
  'a whole URL': (place) => head(place, 'GET http://evil.example/ HTTP/1.1'),
  'a target that is only a host': (place) => head(place, 'GET evil.example:80 HTTP/1.1'),
  'another protocol': (place, random) =>
    head(
      place,
      'GET /healthz HTTP/1.1',
      'Connection: Upgrade, HTTP2-Settings',
      `Upgrade: ${random.pick(['websocket', 'h2c', 'TLS/1.0', '\u0001'])}`,
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ),
  'HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000',
  TLS: () => CLIENT_HELLO,
  'a pipeline with one bad request in it': (place, random) => {
    const bad = random.pick([
      'GARBAGE\r\n\r\n',
      head(place, 'CONNECT a:1 HTTP/1.1'),
      'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n',
    ])
    const at = random.number(100)
    return Array.from({ length: 100 }, (_, index) => (index === at ? bad : get(place))).join('')
  },
  'a body before its time': (place, random) =>
    `${post(place, random, 'Expect: 100-continue', 'Content-Length: 5')}{`,
  'an expectation that is none': (place, random) =>
    post(place, random, 'Expect: a-miracle', 'Content-Length: 0'),
  weakRandomBytes: (_, random) =>
    Array.from({ length: 1 + random.number(300) }, () => String.fromCodePoint(random.number(256))).join(''),
  nothing: () => '',
}

/** The relevant part of a TLS 1.2 greeting. */
const CLIENT_HELLO = `\u0016\u0003\u0001\u0000\u0031\u0001\u0000\u0000\u002d\u0003\u0003${'r'.repeat(32)}\u0000\u0000\u0002\u0000\u002f\u0001\u0000\u0000\u0002`

/** Returns the next request from the seed. */
export function makeMalformed(place: AttackTarget, random: Random): MalformedRequest {
  const make = random.pick(Object.values(KINDS))
  const bytes = Buffer.from(make(place, random), 'latin1')
  const renderOptions = random.pick(MANNERS)
  const whole = renderOptions !== 'resets in the middle'
  return { bytes: whole ? bytes : bytes.subarray(0, random.number(bytes.length)), renderOptions }
}
