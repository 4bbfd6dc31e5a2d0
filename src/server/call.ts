/** A request over HTTP as a call of the gateway. */
import { AppError } from '../core/errors.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { GatewayResponse, HttpInput } from '../gateway/request.ts'
import { readCredential } from './bearer.ts'
import type { HandlerRequest, RouteLogFields } from './route.ts'

/**
 * Carries out an operation with the parameters, body and credential of a request; `query` replaces that of its address, and `fault`
 * is its fault on order.
 */
export function invokeOperation(
  gateway: Gateway,
  name: string,
  incoming: HandlerRequest & { query?: string; fault?: string | undefined },
  note: RouteLogFields,
): Promise<GatewayResponse> {
  const { raw, requestId, fault } = incoming
  const { 'idempotency-key': key, 'sandbox-scenario': scenario, 'dray-via': via } = raw.headers
  return gateway.invoke({
    operation: name,
    requestId,
    credential: readCredential(raw),
    ...(key !== undefined && { idempotencyKey: String(key) }),
    ...(scenario !== undefined && { scenario: String(scenario) }),
    ...(fault !== undefined && { fault }),
    ...(via !== undefined && { via: String(via) }),
    beforeChange() {
      if (raw.socket.destroyed) throw new AppError('call_cancelled', 'The caller left before the call began.')
    },
    http: {
      ...httpInput(incoming),
      onCaller(accountId) {
        note.account = accountId
        note.caller = accountId
      },
    },
  })
}

export function httpInput({ raw, params, query, readBody }: HandlerRequest & { query?: string }): HttpInput {
  return {
    params,
    query: query ?? queryOf(raw),
    // A duplicate Content-Type is invalid.
    contentType: raw.headersDistinct['content-type']?.join(', '),
    hasBody: (raw.headers['content-length'] ?? '0') !== '0' || raw.headers['transfer-encoding'] !== undefined,
    readBody,
  }
}

/** Returns the part of a request's address after its question mark. */
export function queryOf({ url = '' }: HandlerRequest['raw']): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}
