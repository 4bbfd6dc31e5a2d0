import { isLoopback } from '../core/network.ts'

export type BaseUrl = { url: string; /** True if it can only be this machine. */ loopback: boolean }

/**
 * Normalizes the address of a service: no slash at the end. Returns a sentence for an invalid one. It must be https,
 * or http on this machine, because tokens are sent there.
 */
export function parseBaseUrl(text: string): BaseUrl | string {
  // The URL parser removes line breaks and spaces, but the shown address must be the used one.
  // oxlint-disable-next-line no-control-regex -- it rejects control characters
  const url = /[\x00-\x20\x7f\\]/.test(text) ? null : URL.parse(text)
  if (url === null) return 'must be a URL such as https://api.example.com'
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user name or password: `dray login` stores the token'
  if (url.search !== '' || url.hash !== '') return 'must end before the `?` or `#`'
  if (/\/v1\/*$/.test(url.pathname))
    return `must end before /v1: ${url.origin}${url.pathname.replace(/\/+v1\/*$/, '')}`
  const loopback = isLoopback(url.hostname)
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback)) {
    return { url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, loopback }
  }
  if (url.protocol === 'http:')
    return 'must be https: http is for this machine only, such as http://127.0.0.1:8080'
  return 'must begin with https://'
}
