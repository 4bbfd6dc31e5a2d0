/** One HTTP exchange by `fetch`, which browsers, Node and programs at the edge have. */
import { classify, ExchangeError, MAX_ANSWER_BYTES, responseTooLarge } from '../client/exchange.ts'
import type { ExchangeLimits, ExchangeRequest, ExchangeResponse } from '../client/exchange.ts'

/** Sends a request and returns the response. Never follows a redirect. Throws ExchangeError. */
export async function exchangeByFetch(
  send: typeof fetch,
  { origin, path, method, headers, body }: ExchangeRequest,
  { timeoutMs, silenceMs = timeoutMs, signal }: ExchangeLimits,
): Promise<ExchangeResponse> {
  const late = new AbortController()
  const giveUp = (): void => late.abort(new ExchangeError('timeout', 'no answer in time'))
  const whole = setTimeout(giveUp, timeoutMs)
  let silence = setTimeout(giveUp, silenceMs)
  const onPart = (): void => {
    clearTimeout(silence)
    silence = setTimeout(giveUp, silenceMs)
  }
  try {
    const response = await send(origin + path, {
      method,
      headers,
      ...(typeof body === 'string' && { body }),
      redirect: 'manual',
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    })
    onPart()
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await readBody(response, onPart),
    }
  } catch (error) {
    if (error instanceof ExchangeError) throw error
    if (signal?.aborted === true) throw new ExchangeError('interrupted', 'interrupted', error)
    if (late.signal.aborted) throw new ExchangeError('timeout', 'no answer in time', error)
    // Node's own error says no more than that fetching failed.
    const { cause } = error as Error
    throw classify(cause instanceof Error ? cause : (error as Error))
  } finally {
    clearTimeout(whole)
    clearTimeout(silence)
  }
}

async function readBody({ body }: Response, onPart: () => void): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    onPart()
    size += next.value.length
    if (size > MAX_ANSWER_BYTES) throw responseTooLarge(MAX_ANSWER_BYTES)
    chunks.push(next.value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
