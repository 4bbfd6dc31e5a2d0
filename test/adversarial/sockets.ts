/** Connections of an attacker, written to directly; any of them may fail. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** The number of connections by result: the status of the first response, `reset`, `closed` or `refused`. */
export type ConnectionTally = Record<string, number>

function count(tally: ConnectionTally, what: string): void {
  tally[what] = (tally[what] ?? 0) + 1
}

export type Raw = {
  socket: Socket
  /** Resolves once the connection is made or has failed. */
  connected: Promise<void>
  closed: Promise<void>
}

/** Opens a connection, and counts its result. With `keep` it stays open on this side when the other side ends it. */
export function openConnection(
  port: number,
  tally: ConnectionTally,
  { keep = false, onAnswer = () => {} }: { keep?: boolean; onAnswer?: (socket: Socket) => void } = {},
): Raw {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: keep })
  let told = false
  const tell = (what: string): void => {
    if (!told) count(tally, what)
    told = true
  }
  socket.once('data', (chunk: Buffer) => {
    tell(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1] ?? 'garbage')
    onAnswer(socket)
  })
  socket.on('data', () => {})
  let refused = false
  socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    refused = code === 'ECONNREFUSED'
    tell(refused ? 'refused' : 'reset')
  })
  const connected = new Promise<void>((resolve) => {
    socket.once('connect', resolve)
    socket.once('close', () => resolve())
  })
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      tell('closed')
      resolve()
    })
  })
  return { socket, connected, closed }
}

/** Runs `work` a number of times, `lanes` of them at once. */
export async function inLanes(times: number, lanes: number, work: () => Promise<void>): Promise<void> {
  let left = times
  const lane = async (): Promise<void> => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: Math.min(lanes, times) }, lane))
}
