import type { IncomingMessage } from 'node:http'

/**
 * Under which origin the caller knows this service: the Host that was admitted, over https where a proxy in front says
 * so. It goes back to that caller only, so it may be believed.
 */
export function originOf({ headers, headersDistinct }: IncomingMessage): string {
  const [forwarded = ''] = headersDistinct['x-forwarded-proto'] ?? []
  const scheme = forwarded.toLowerCase() === 'https' ? 'https' : 'http'
  return `${scheme}://${headers.host ?? ''}`
}
