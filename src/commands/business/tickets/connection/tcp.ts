/** A printer at a port of the network. */
import { connect, type Socket } from 'node:net'
import type { PrinterAddress } from '../printer-address.ts'
import type { PaperSending, PrintResult } from './print-result.ts'
import { makeStatusReader, type StatusReader } from './printer-status.ts'

/** Between two looks at a printer that has not said yet that the paper is printed. */
const POLL_MS = 1000

type TcpAddress = Extract<PrinterAddress, { kind: 'tcp' }>

/** Asks the printer whether it can print, sends the paper, and waits until it says that it is printed. */
export async function printByTcp(
  { host, port }: TcpAddress,
  bytes: Uint8Array,
  { language, limits, onSend }: PaperSending,
): Promise<PrintResult> {
  const link = await openLink(host, port, limits.connectMs)
  if (typeof link === 'string') return { outcome: 'absent', why: link }
  const status = makeStatusReader[language]()
  try {
    link.onData = (chunk) => status.read(chunk)
    link.write(status.ask)
    await link.waitUntil(() => status.isAnswered(), limits.stateMs)
    const trouble = status.findTrouble() ?? link.failure()
    if (trouble !== undefined) return { outcome: 'absent', why: trouble }
    if (bytes.length === 0) return { outcome: 'printed' }
    onSend()
    return await sendPaper(link, bytes, { status, printMs: limits.printMs })
  } finally {
    link.close()
  }
}

async function sendPaper(
  link: PrinterLink,
  bytes: Uint8Array,
  { status, printMs }: { status: StatusReader; printMs: number },
): Promise<PrintResult> {
  const isConfirmed = status.canConfirm()
  link.write(isConfirmed ? Buffer.concat([bytes, status.end]) : bytes)
  if (!isConfirmed) {
    // All that such a printer tells is that its network took the paper.
    link.end()
    const isTaken = await link.waitUntil(() => link.isTaken(), printMs)
    return isTaken && link.failure() === undefined
      ? { outcome: 'printed' }
      : { outcome: 'unknown', why: link.failure() ?? 'it takes no data' }
  }
  for (let waited = 0; waited < printMs; waited += POLL_MS) {
    if (await link.waitUntil(() => status.isPrinted(), Math.min(POLL_MS, printMs)))
      return { outcome: 'printed' }
    if (link.failure() !== undefined) break
    link.write(status.poll)
  }
  const why = status.findTrouble() ?? link.failure() ?? 'it did not say that the ticket is printed'
  return { outcome: 'unknown', why }
}

type PrinterLink = {
  onData: (chunk: Uint8Array) => void
  write(bytes: Uint8Array): void
  end(): void
  close(): void
  /** Returns whether the condition became true within the time. Ends early when the connection does. */
  waitUntil(condition: () => boolean, ms: number): Promise<boolean>
  /** Returns whether the system of the printer took all that was written. */
  isTaken(): boolean
  /** Returns why the connection ended too early. */
  failure(): string | undefined
}

/** Returns the connection, or why there is none. */
async function openLink(host: string, port: number, connectMs: number): Promise<PrinterLink | string> {
  const socket = connect({ host, port, noDelay: true })
  const failed = await new Promise<string | undefined>((resolve) => {
    socket.setTimeout(connectMs, () => resolve('it does not answer'))
    socket.once('connect', () => resolve(undefined))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(reasonOf(error)))
  })
  if (failed !== undefined) {
    socket.destroy()
    return failed
  }
  socket.setTimeout(0)
  return toLink(socket)
}

function toLink(socket: Socket): PrinterLink {
  let failure: string | undefined
  let isTaken = false
  let isEnding = false
  let wake = (): void => undefined
  const link: PrinterLink = {
    onData: () => undefined,
    write: (bytes) => void socket.write(bytes),
    end() {
      isEnding = true
      socket.end(() => {
        isTaken = true
        wake()
      })
    },
    close: () => void socket.destroy(),
    isTaken: () => isTaken,
    failure: () => failure,
    waitUntil: (condition, ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => finish(), ms)
        const finish = (): void => {
          clearTimeout(timer)
          wake = () => undefined
          resolve(condition())
        }
        wake = () => {
          if (condition() || failure !== undefined) finish()
        }
        wake()
      }),
  }
  socket.on('data', (chunk: Uint8Array) => {
    link.onData(chunk)
    wake()
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= reasonOf(error)
    wake()
  })
  socket.on('close', () => {
    if (!isEnding) failure ??= 'it closed the connection'
    wake()
  })
  return link
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  EHOSTUNREACH: 'its network is not reachable',
  ENETUNREACH: 'its network is not reachable',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name is not known',
  ETIMEDOUT: 'it does not answer',
}

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  return REASONS[code] ?? (code === '' ? message : code)
}
