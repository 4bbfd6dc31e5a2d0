/** Many simultaneous callers who do not finish their requests: raw connections, from any address of this machine. */
import { once } from 'node:events'
import { request } from 'node:http'
import type { Agent } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** Opens a connection and writes to it. It stays open on this side, whatever the other side does. */
export async function openRaw(port: number, bytes: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

/** Opens many of them, in groups that fit the queue of a listener. */
export async function openMany(
  count: number,
  port: number,
  bytes: string,
  localAddress?: string,
): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const group = Array.from({ length: Math.min(100, count - sockets.length) }, () =>
      openRaw(port, bytes, localAddress),
    )
    sockets.push(...(await Promise.all(group)))
  }
  return sockets
}

/** Returns the status of a GET on its own connection, or its error code. */
export function fetchStatus(
  url: string,
  {
    token,
    localAddress,
    agent = false,
  }: { token?: string; localAddress?: string; agent?: Agent | false } = {},
): Promise<number | string> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return new Promise((resolve) => {
    request(url, { agent, localAddress, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
      .on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code))
      .end()
  })
}
