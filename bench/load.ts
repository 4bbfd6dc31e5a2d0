/** Sends requests over plain sockets. This client costs so little that the server's own speed is measured. */
import { connect, type Socket } from 'node:net'

export type LoadOptions = {
  url: string
  /** Returns the bytes of the next request. */
  request: () => Buffer
  connections: number
  /** The seconds for which responses are counted, after one second of warm-up. */
  seconds: number
}

const HEAD_END = Buffer.from('\r\n\r\n')
const WARM_UP_MS = 1000

/**
 * Returns responses per second, with one running request on each connection. Throws for a status other than 200 and
 * 201.
 */
export function measureLoad(load: LoadOptions): Promise<number> {
  return underLoad(load, async (answered) => {
    const before = answered()
    const started = performance.now()
    await waitMilliseconds(load.seconds * 1000)
    return ((answered() - before) / (performance.now() - started)) * 1000
  })
}

/** Runs `work` while requests are sent. It gets a function that returns the number of responses so far. */
export async function underLoad<T>(
  { url, request, connections }: Omit<LoadOptions, 'seconds'>,
  work: (answered: () => number) => Promise<T>,
): Promise<T> {
  const { hostname, port } = new URL(url)
  let answers = 0
  let failed: Error | undefined
  const sockets: Socket[] = []
  // One by one: of several processes that serve one address, the first to wake accepts all that come at once.
  for (let opened = 0; opened < connections; opened++) {
    const socket = await open(hostname, Number(port), request, (error) => {
      answers += 1
      failed ??= error
    })
    sockets.push(socket)
  }
  await waitMilliseconds(WARM_UP_MS)
  const result = await work(() => answers)
  for (const socket of sockets) socket.destroy()
  if (failed !== undefined) throw failed
  return result
}

function open(
  host: string,
  port: number,
  request: () => Buffer,
  onAnswer: (error: Error | undefined) => void,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    let pending: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const headEnd = pending.indexOf(HEAD_END)
      if (headEnd === -1) return
      const head = pending.toString('latin1', 0, headEnd)
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1])
      if (pending.length < headEnd + HEAD_END.length + length) return
      const ok = /^HTTP\/1\.1 20[01] /.test(head)
      onAnswer(ok ? undefined : new Error(`${head}\n${pending.toString('utf8', headEnd)}`))
      pending = Buffer.alloc(0)
      socket.write(request())
    })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.write(request())
      resolve(socket)
    })
  })
}

export function waitMilliseconds(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}
