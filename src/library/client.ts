/** The entry `dray/client`: the calls of an account over HTTP, with `fetch` alone. To import it does nothing else. */
import { assertResponseMatchesCall, inDoubt, readResponseObject } from '../client/answers.ts'
import { readBase } from '../client/base.ts'
import { makeBearerHeader, toRequest } from '../client/remote-request.ts'
import { FAULT_HEADER, makeSender, READ_LIMIT_MS, WRITE_LIMIT_MS } from '../client/sender.ts'
import { AppError } from '../core/errors.ts'
import { randomId } from '../core/ids.ts'
import { isRead } from '../core/operation.ts'
import { ROUTES } from '../generated/routes.ts'
import type { CallOptions, ClientOptions } from './client-types.ts'
import type * as types from './client-types.ts'
import { exchangeByFetch } from './fetched.ts'
import { callsOf } from './methods.ts'
import { MACHINE } from './runtime.ts'

export { AppError as DrayError } from '../core/errors.ts'

export const createClient = (({ baseUrl, token, timeoutMs, fetch: other }: ClientOptions) => {
  const base = readBase(baseUrl)
  const authorized = makeBearerHeader(token)
  const send = makeSender((outgoing, limits) => exchangeByFetch(other ?? fetch, outgoing, limits), base, {
    ...MACHINE,
    through: '',
    debug() {},
  })
  return callsOf<CallOptions>(Object.keys(ROUTES), async (name, input, options = {}) => {
    const {
      idempotencyKey = randomId('key', MACHINE.now(), MACHINE.random(10)),
      scenario,
      fault,
      signal,
    } = options
    const route = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined
    if (route === undefined)
      throw new AppError('route_not_found', `There is no operation ${name.slice(0, 60)}.`)
    const key = route.idempotency === 'none' ? undefined : idempotencyKey
    const request = toRequest(route, input, {
      ...authorized,
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(scenario !== undefined && { 'Sandbox-Scenario': scenario }),
      ...(fault !== undefined && { [FAULT_HEADER]: fault }),
    })
    const limitMs = timeoutMs ?? (isRead(route) ? READ_LIMIT_MS : WRITE_LIMIT_MS)
    const reply = await send(request, { repeatable: true, limitMs, signal, key })
    try {
      const value = readResponseObject(reply)
      // The type of each value is not checked: the checks of all responses would be larger than everything else.
      assertResponseMatchesCall(name, { ...route, check: () => true }, input, value)
      return value
    } catch (error) {
      const isLost = reply.afterLoss === true && key !== undefined && error instanceof AppError
      throw isLost ? inDoubt(error, key) : error
    }
  })
}) as unknown as typeof types.createClient
