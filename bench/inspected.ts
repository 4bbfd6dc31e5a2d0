/** Looks into a running service through Node's inspector. */
import type { Profiler, Runtime } from 'node:inspector'

export type Inspector = {
  send<T>(method: string, params?: object): Promise<T>
  /** Returns the value of an expression in the service. */
  evaluate<T>(expression: string): Promise<T>
  close(): void
}

export type CpuProfile = Profiler.Profile

/** Connects to the inspector at an address that Node printed. */
export async function connectInspector(address: string): Promise<Inspector> {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  let sent = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as {
      id: number
      result?: unknown
      error?: { message: string }
    }
    if (error === undefined) waiting.get(id)?.resolve(result)
    else waiting.get(id)?.reject(new Error(error.message))
    waiting.delete(id)
  })
  const send = <T>(method: string, params: object = {}): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const id = (sent += 1)
      waiting.set(id, { resolve: (result) => resolve(result as T), reject })
      socket.send(JSON.stringify({ id, method, params }))
    })
  return {
    send,
    async evaluate<T>(expression: string) {
      const { result, exceptionDetails } = await send<Runtime.EvaluateReturnType>('Runtime.evaluate', {
        expression,
        returnByValue: true,
      })
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description)
      return result.value as T
    },
    close: () => socket.close(),
  }
}
