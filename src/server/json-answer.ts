import { commonHeaders } from '../gateway/gateway.ts'
import type { Answer } from '../gateway/request.ts'

/** An answer of the server's own; `time` is that of the service, where it is known. */
export function jsonAnswer(requestId: string, time: string | undefined, body: string, status = 200): Answer {
  return { status, headers: { ...commonHeaders(requestId, time), 'Content-Type': 'application/json' }, body }
}
