/** The calls that a sandbox answered, with their input. */
import { codeIn } from '../core/log-line.ts'
import { isRecord } from '../core/record.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { GatewayRequest } from '../gateway/request.ts'
import type { LoggedRequest } from '../host/request-log.ts'

export type RecordedCall = Omit<LoggedRequest, 'duration_ms' | 'time'> & { input: Record<string, unknown> }

/** Returns a gateway that passes each call on to `note`, once it is answered. What `note` throws, an embedded call throws. */
export function recordCalls(gateway: Gateway, note: (heard: RecordedCall) => Promise<void>): Gateway {
  return {
    ...gateway,
    async invoke(request) {
      if (request.silent === true) return gateway.invoke(request)
      const { http, credential, operation } = request
      let account = credential !== undefined && 'account' in credential ? credential.account : null
      let body: Uint8Array | undefined
      const heard = http && {
        ...http,
        readBody: async (limit: number) => (body = await http.readBody(limit)),
        onCaller(id: string) {
          account = id
          http.onCaller?.(id)
        },
      }
      const answer = await gateway.invoke(heard === undefined ? request : { ...request, http: heard })
      const entry: RecordedCall = {
        account,
        operation,
        input: http === undefined ? structuredClone({ ...request.input }) : inputOf(http, body),
        status: answer.status,
        code: answer.status < 400 ? null : codeIn(answer.body),
        state: answer.state ?? null,
        replayed: answer.headers['Idempotent-Replayed'] === 'true',
        transport: http === undefined ? 'embedded' : 'http',
        service_time: answer.headers['Service-Time']?.split(';', 1)[0] ?? null,
        request_id: answer.headers['Request-Id'] ?? '',
      }
      await note(entry)
      return answer
    },
  }
}

/** Path, query and body as one input, as the operation takes them; of a body that is no JSON object, nothing. */
function inputOf(
  { params, query }: NonNullable<GatewayRequest['http']>,
  body: Uint8Array | undefined,
): Record<string, unknown> {
  let read: unknown
  try {
    read = body === undefined ? undefined : JSON.parse(new TextDecoder().decode(body))
  } catch {
    read = undefined
  }
  const members = isRecord(read) ? read : {}
  return { ...Object.fromEntries(new URLSearchParams(query)), ...members, ...params }
}
