import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { Gateway } from '../../src/gateway/gateway.ts'
import type { GatewayRequest } from '../../src/gateway/request.ts'
import { invokeOperation } from '../../src/server/call.ts'
import type { HandlerRequest } from '../../src/server/route.ts'
import { partialResponse } from '../support/part.ts'

test('a change does not begin for a caller whose connection has ended', async () => {
  const requests: GatewayRequest[] = []
  const gateway = partialResponse<Gateway>({
    async invoke(request: GatewayRequest) {
      requests.push(request)
      return { status: 200, headers: {}, body: '{}' }
    },
  })
  const raw = new IncomingMessage(new Socket())
  const incoming = { ...partialResponse<HandlerRequest>({ params: {}, requestId: 'req_1' }), raw }
  await invokeOperation(gateway, 'create_shipment', incoming, { operation: null })
  expect(() => requests[0]?.beforeChange?.()).not.toThrow()
  raw.socket.destroy()
  expect(() => requests[0]?.beforeChange?.()).toThrow('The caller left before the call began.')
})
