/** One exchange: a silent service is given up, and one that goes on sending is waited for. */
import type { Dispatcher } from 'undici'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exchange, type ExchangeResponse } from '../../src/client/exchange.ts'

const CALL = { origin: 'http://127.0.0.1', path: '/v1/shipments', method: 'GET', headers: {} } as const
const LIMITS = { timeoutMs: 30_000, silenceMs: 10_000 }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Starts an exchange whose response comes manually. */
function begin() {
  let handler: Dispatcher.DispatchHandler = {}
  const aborts: Error[] = []
  const controller = {
    abort: (error: Error) => aborts.push(error),
  } as unknown as Dispatcher.DispatchController
  const dispatcher = {
    dispatch(_options: unknown, given: Dispatcher.DispatchHandler) {
      handler = given
      given.onRequestStart?.(controller, undefined)
      return true
    },
  } as unknown as Dispatcher
  const outcome: { reply?: ExchangeResponse; error?: Error } = {}
  const ended = exchange(dispatcher, CALL, LIMITS).then(
    (reply) => void (outcome.reply = reply),
    (error: Error) => void (outcome.error = error),
  )
  return {
    ended,
    outcome,
    aborts,
    head: () => handler.onResponseStart?.(controller, 200, {}, 'OK'),
    part: (text: string) => handler.onResponseData?.(controller, Buffer.from(text)),
    end: () => handler.onResponseEnd?.(controller, {}),
  }
}

test('a response that arrives in parts is waited for, however long it takes within the time of the call', async () => {
  const { ended, outcome, aborts, head, part, end } = begin()
  await vi.advanceTimersByTimeAsync(9000)
  head()
  await vi.advanceTimersByTimeAsync(9000)
  part('{')
  await vi.advanceTimersByTimeAsync(9000)
  part('}')
  end()
  await ended
  expect([Buffer.from(outcome.reply?.body ?? []).toString(), aborts]).toEqual(['{}', []])
})

test('a service that falls silent is given up, so that the call can be sent again', async () => {
  const { ended, outcome, aborts, head } = begin()
  head()
  await vi.advanceTimersByTimeAsync(10_000)
  await ended
  expect([outcome.error, aborts.length]).toEqual([expect.objectContaining({ kind: 'timeout' }), 1])
})

test('a response without end is given up at the time of the call', async () => {
  const { ended, outcome, head, part } = begin()
  head()
  for (let second = 0; second < 30; second += 1) {
    part(' ')
    await vi.advanceTimersByTimeAsync(1000)
  }
  await ended
  expect(outcome.error).toMatchObject({ kind: 'timeout' })
})
