import { commonHeaders } from '../gateway/gateway.ts'
import type { GatewayResponse } from '../gateway/request.ts'

/** Returns a JSON response of the server itself. `time` is the service's, if it is known. */
export function jsonAnswer(
  requestId: string,
  time: string | undefined,
  body: string,
  status = 200,
): GatewayResponse {
  return { status, headers: { ...commonHeaders(requestId, time), 'Content-Type': 'application/json' }, body }
}
