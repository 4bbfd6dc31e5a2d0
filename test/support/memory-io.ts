import { PassThrough } from 'node:stream'
import type { Io, OutputStream } from '../../src/cli/io.ts'

type MemoryOptions = {
  /** The streams that are terminals: one value for all three, or one each; none by default. */
  tty?: boolean | { stdin?: boolean; stdout?: boolean; stderr?: boolean }
  columns?: number
  stdin?: string | Uint8Array
  env?: Record<string, string | undefined>
  signal?: AbortSignal
}

export type MemoryIo = Io & {
  /** Returns the output so far. */
  out(): string
  err(): string
  /** Returns the number of writes to stdout. */
  writes(): number
  /** Types on the keyboard that questions listen to. */
  type(text: string): void
  /** Ends the keyboard's input, as Ctrl-D does. */
  hangUp(): void
  /** Returns the output of questions so far. */
  asked(): string
}

/** Makes streams in memory. */
export function memoryIo({
  tty = false,
  columns,
  stdin = '',
  env = {},
  signal,
}: MemoryOptions = {}): MemoryIo {
  const terminals = typeof tty === 'boolean' ? { stdin: tty, stdout: tty, stderr: tty } : tty
  const out: string[] = []
  const err: string[] = []
  const keyboard = new PassThrough()
  const screen = new PassThrough()
  const drawn: string[] = []
  screen.on('data', (chunk: Buffer) => drawn.push(chunk.toString()))
  const sink = (lines: string[], isTTY = false): OutputStream => ({
    isTTY,
    columns: isTTY ? columns : undefined,
    // Bytes come out as characters of Latin-1.
    write: (text) => void lines.push(typeof text === 'string' ? text : Buffer.from(text).toString('latin1')),
  })
  return {
    stdout: sink(out, terminals.stdout),
    stderr: sink(err, terminals.stderr),
    stdin: {
      isTTY: terminals.stdin ?? false,
      readUpTo: async (limit) =>
        (typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin).subarray(0, limit),
    },
    env,
    signal,
    terminal: () => ({ input: keyboard, output: screen }),
    out: () => out.join(''),
    err: () => err.join(''),
    writes: () => out.length,
    type: (text) => void keyboard.write(text),
    hangUp: () => void keyboard.end(),
    asked: () => drawn.join(''),
  }
}
