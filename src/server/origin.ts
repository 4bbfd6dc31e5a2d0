/** Where a request went to and came from, as it was before a proxy in front of this service passed it on. */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopback, networkOf } from '../domain/network.ts'

/**
 * Under which origin the caller knows this service: the Host that was admitted, over https where a proxy in front says
 * so. It goes back to that caller only, so it may be believed.
 */
export function originOf({ headers, headersDistinct }: IncomingMessage): string {
  const [forwarded = ''] = headersDistinct['x-forwarded-proto'] ?? []
  const scheme = forwarded.toLowerCase() === 'https' ? 'https' : 'http'
  return `${scheme}://${headers.host ?? ''}`
}

/**
 * By which address a caller is counted. Only a proxy on this machine is believed, and only what it saw itself: the last
 * one that it names. Otherwise all its callers would be one, and one of them could lock the others out.
 */
export function addressOf({ socket, headersDistinct }: IncomingMessage): string {
  const peer = socket.remoteAddress ?? ''
  const named = headersDistinct['x-forwarded-for']?.at(-1)?.split(',').at(-1)?.trim() ?? ''
  const believed = isLoopback(networkOf(peer)) || peer === '::1'
  return believed && isIP(named) !== 0 ? named : peer
}
