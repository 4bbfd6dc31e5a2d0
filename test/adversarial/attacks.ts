/** The attacks of the siege: each ends when its bytes are sent, and keeps its connections open until it is released. */
import type { Socket } from 'node:net'
import { makeMalformed } from './malformed.ts'
import type { AttackTarget } from './malformed.ts'
import type { Random } from './random.ts'
import { inLanes, openConnection } from './sockets.ts'
import type { ConnectionTally } from './sockets.ts'

export type AttackContext = AttackTarget & {
  port: number
  times: number
  random: Random
  tally: ConnectionTally
}

/** Attacks, and returns the connections that stay open. */
export type Attack = (attacking: AttackContext) => Promise<Socket[]>

const LANES = 100
/** A malformed request without a response is abandoned after this time: the parser may wait for more. */
const GIVE_UP_MS = 300

/** Sends the same bytes on a number of connections, and keeps all open. */
const attackWithOpenConnections =
  (bytes: (attacking: AttackContext) => string): Attack =>
  async (attacking) => {
    const held: Socket[] = []
    await inLanes(attacking.times, LANES, async () => {
      const { socket, connected } = openConnection(attacking.port, attacking.tally, { keep: true })
      held.push(socket)
      await connected
      await send(socket, bytes(attacking))
    })
    return held
  }

function send(socket: Socket, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve()
    socket.once('close', () => resolve())
    socket.write(bytes, () => resolve())
  })
}

const lines = ({ host }: AttackTarget, ...rest: string[]): string =>
  `${rest[0]}\r\nHost: ${host}\r\n${rest.slice(1).join('\r\n')}\r\n`

/** Requests tunnels as `curl -x` does, and disconnects before reading the response. */
const tunnels: Attack = async ({ host, port, times, random, tally }) => {
  const bytes = `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  await inLanes(times, LANES, async () => {
    const how = random.pick(['at once', 'at the answer', 'after more'])
    const { socket, connected, closed } = openConnection(port, tally, {
      onAnswer: (answered) => answered.resetAndDestroy(),
    })
    await connected
    await send(socket, how === 'after more' ? bytes + '\u0016\u0003\u0001'.repeat(1000) : bytes)
    if (how === 'at once') socket.resetAndDestroy()
    await Promise.race([closed, giveUp(socket)])
  })
  return []
}

const malformed: Attack = async (attacking) => {
  const { port, times, random, tally } = attacking
  await inLanes(times, LANES, async () => {
    const { bytes, renderOptions } = makeMalformed(attacking, random)
    const { socket, connected, closed } = openConnection(port, tally, {
      onAnswer(answered) {
        if (renderOptions === 'resets at the answer') answered.resetAndDestroy()
      },
    })
    await connected
    if (renderOptions === 'closes its half') socket.end(bytes)
    else await send(socket, bytes)
    if (renderOptions === 'leaves') socket.destroy()
    if (renderOptions === 'resets in the middle') socket.resetAndDestroy()
    await Promise.race([closed, giveUp(socket)])
  })
  return []
}

/** Ends a connection without a response. */
function giveUp(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      socket.destroy()
      resolve()
    }, GIVE_UP_MS)
    socket.once('close', () => clearTimeout(timer))
  })
}

/** Requests long responses, and reads none of them. */
const deaf: Attack = async ({ host, token, port, times, tally }) => {
  const held: Socket[] = []
  const one = `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  await inLanes(times, LANES, async () => {
    const { socket, connected } = openConnection(port, tally, { keep: true })
    held.push(socket.pause())
    await connected
    await send(socket, one.repeat(20))
  })
  return held
}

/** Sends the head of a request one letter at a time. */
const drips: Attack = async ({ host, port, times, tally }) => {
  const held: Socket[] = []
  await inLanes(times, LANES, async () => {
    const { socket, connected } = openConnection(port, tally, { keep: true })
    held.push(socket)
    await connected
    await send(socket, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX: `)
    if (socket.destroyed) return
    const drip = setInterval(() => socket.write('a'), 1000)
    socket.once('close', () => clearInterval(drip))
  })
  return held
}

export const ATTACKS: Readonly<Record<string, Attack>> = {
  tunnels,
  malformed,
  deaf,
  drips,
  'bad chunks': attackWithOpenConnections(
    (place) =>
      `${lines(place, `POST ${place.paths[0]} HTTP/1.1`, `Authorization: Bearer ${place.token}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked', '')}zz\r\n`,
  ),
  'oversized heads': attackWithOpenConnections((place) =>
    lines(place, 'GET /healthz HTTP/1.1', `X: ${'a'.repeat(20_000)}`, ''),
  ),
  'unfinished heads': attackWithOpenConnections(
    ({ host }) => `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX: `,
  ),
  'unfinished bodies of nobody': attackWithOpenConnections(
    (place) =>
      `${lines(place, 'POST /oauth/token HTTP/1.1', 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 100', '')}grant`,
  ),
  'unfinished bodies of one account': attackWithOpenConnections(
    (place) =>
      `${lines(place, `POST ${place.paths[0]} HTTP/1.1`, `Authorization: Bearer ${place.token}`, 'Content-Type: application/json', 'Content-Length: 100', '')}{"a"`,
  ),
}
