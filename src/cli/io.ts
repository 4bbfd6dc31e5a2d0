/** The program's three streams as plain values, so that their users can be tested in memory. */
import fs from 'node:fs'
import { AppError } from '../core/errors.ts'

export type OutputStream = {
  readonly isTTY: boolean
  /** The width of the terminal; undefined for no terminal or an unknown width. */
  readonly columns: number | undefined
  /** The height of the window; undefined if unknown. */
  readonly rows?: number | undefined
  /** Writes text, or bytes as they are. Resolves or returns once the system has taken it. Writes keep their order. */
  write(text: string | Uint8Array): Promise<void> | void
}

type InputStream = {
  readonly isTTY: boolean
  /** Reads to the end, at most `limit` bytes. */
  readUpTo(limit: number): Promise<Uint8Array>
}

export type Io = {
  stdout: OutputStream
  stderr: OutputStream
  stdin: InputStream
  env: Readonly<Record<string, string | undefined>>
  /** Aborted by SIGINT, SIGTERM or SIGHUP, with an `Interrupted` as its reason. */
  signal: AbortSignal | undefined
  /** Returns the streams for questions. Call it only after `canAsk`. */
  terminal(): { input: NodeJS.ReadableStream; output: NodeJS.WritableStream }
}

/** Thrown when the reader of stdout is gone (`| head -1`). The command ends silently with exit code 0. */
export class PipeClosed extends Error {
  override name = 'PipeClosed'
  readonly exitCode = 0
}

const SIGNAL_EXITS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** Thrown when the user or the system ended the command. */
export class InterruptedError extends Error {
  override name = 'Interrupted'
  readonly exitCode: number

  constructor(signal: keyof typeof SIGNAL_EXITS = 'SIGINT') {
    super(`Interrupted by ${signal}`)
    this.exitCode = SIGNAL_EXITS[signal]
  }
}

/** Returns the real streams, opened on demand: `process.stdin` alone costs 2 ms. */
export function processIo({ env, signal }: { env: Io['env']; signal?: AbortSignal | undefined }): ProcessIo {
  const stdout = openOut(1, 'stdout', failResult)
  // a notice that cannot be shown must not stop what the command does
  const stderr = openOut(2, 'stderr', () => undefined)
  return {
    stdout,
    stderr,
    drained: async () => void (await Promise.allSettled([stdout.drained(), stderr.drained()])),
    stdin: {
      get isTTY() {
        return isTerminal(0)
      },
      readUpTo: readStdin,
    },
    env,
    signal,
    terminal: () => ({ input: process.stdin, output: process.stderr }),
  }
}

type ProcessIo = Io & {
  /** Resolves once all output is written, including writes without an await. */
  drained(): Promise<void>
}

type ProcessOut = OutputStream & { drained(): Promise<void> | undefined }

function openOut(
  fd: number,
  name: 'stdout' | 'stderr',
  fail: (error: NodeJS.ErrnoException) => void,
): ProcessOut {
  let queue: Promise<void> | undefined
  const drain = async (bytes: Uint8Array): Promise<void> => {
    let rest = writeSome(fd, bytes, fail)
    while (rest.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      rest = writeSome(fd, rest, fail)
    }
  }
  return {
    get isTTY() {
      return isTerminal(fd)
    },
    get columns() {
      return isTerminal(fd) ? process[name].columns : undefined
    },
    get rows() {
      return isTerminal(fd) ? process[name].rows : undefined
    },
    write(text) {
      // a Windows console takes text, not UTF-8 bytes
      if (process.platform === 'win32' && isTerminal(fd)) {
        return new Promise((resolve) => process[name].write(text, () => resolve()))
      }
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      if (queue !== undefined) return (queue = queue.then(() => drain(bytes)))
      const rest = writeSome(fd, bytes, fail)
      if (rest.length === 0) return undefined
      return (queue = drain(rest))
    },
    drained: () => queue,
  }
}

/** Writes until the pipe is full and returns the rest (EAGAIN: another process made it non-blocking). */
function writeSome(fd: number, bytes: Uint8Array, fail: (error: NodeJS.ErrnoException) => void): Uint8Array {
  let rest = bytes
  try {
    while (rest.length > 0) rest = rest.subarray(fs.writeSync(fd, rest))
  } catch (error) {
    const failure = error as NodeJS.ErrnoException
    if (failure.code === 'EAGAIN') return rest
    fail(failure)
    return rest.subarray(rest.length)
  }
  return rest
}

function failResult(error: NodeJS.ErrnoException): never {
  // a pipe, a socket, Windows
  if (['EPIPE', 'ECONNRESET', 'EOF'].includes(error.code ?? ''))
    throw new PipeClosed('The reader closed the output')
  throw new AppError(
    'output_failed',
    `The result could not be written to standard output: ${error.message}.`,
    {
      hint: 'Changes already made are kept; only the output is missing. Free disk space, or write the output elsewhere.',
      cause: error,
    },
  )
}

/**
 * Returns whether the stream is a terminal. It checks the file first, because `node:tty` loads all of `node:net`, and
 * most output of scripts is a pipe or goes to /dev/null.
 */
function isTerminal(fd: number): boolean {
  try {
    const file = fs.fstatSync(fd)
    if (!file.isCharacterDevice()) return false
    if (file.rdev === fs.statSync('/dev/null', { throwIfNoEntry: false })?.rdev) return false
    return process.getBuiltinModule('node:tty').isatty(fd)
  } catch {
    return false
  }
}

async function readStdin(limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size >= limit) {
      process.stdin.destroy()
      break
    }
  }
  return Buffer.concat(chunks).subarray(0, limit)
}
