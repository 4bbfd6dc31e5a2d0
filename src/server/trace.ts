import type { IncomingMessage } from 'node:http'

/** Version, trace, parent and flags, in W3C Trace Context. Later versions may append more; `ff` is none. */
const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/
const LENGTH = 55

/** Returns the header `traceparent` of a request without what a later version appended; undefined for a wrong one. */
export function readTraceparent({ headers }: IncomingMessage): string | undefined {
  // Node joins a repeated header with a comma, which fits no version.
  const given = String(headers['traceparent'] ?? '')
  const isWhole = given.length === LENGTH || !given.startsWith('00')
  return isWhole && FORM.test(given) ? given.slice(0, LENGTH) : undefined
}
