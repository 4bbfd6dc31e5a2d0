/** Runs the built program in an emulated terminal and reads its screen like a person. */
import pty from '@lydell/node-pty'
import headless from '@xterm/headless'
import { environment, LAUNCHER } from './program.ts'

/** The bytes that keys send. */
export const KEY_BYTES = {
  enter: '\r',
  escape: '\x1b',
  space: ' ',
  backspace: '\x7f',
  tab: '\t',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  ctrlC: '\x03',
  ctrlD: '\x04',
} as const

export type TerminalOptions = {
  columns?: number
  rows?: number
  env?: Record<string, string>
  cwd?: string
}

/** The awaited content of the screen; a function gets the whole screen. */
type Sight = string | RegExp | ((screen: string) => boolean)

export type Terminal = {
  /** Returns the current rows without trailing blanks. */
  screen(): string
  /** Returns the screen and the scrollback, with wrapped rows joined. */
  transcript(): string
  /** Resolves with the screen when it shows the content; rejects with the last screen if it never does. */
  shows(sight: Sight): Promise<string>
  /** Types text and `KEYS`. */
  type(keys: string): void
  resize(columns: number, rows: number): void
  /** Returns the number of bells. */
  bells(): number
  /** Returns the bytes sent to the terminal, with escapes. */
  raw(): string
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL'): void
  /**
   * Resolves when the program has ended and its output is on the screen. Rejects with the screen if it does not end.
   */
  ended(): Promise<{ exitCode: number; signal: number | undefined }>
  [Symbol.dispose](): void
}

/** Only limits how long a failing test waits. */
const TIMEOUT_MS = 120_000

/** Starts `dray` with these words. */
export function startInTerminal(words: readonly string[], options: TerminalOptions = {}): Terminal {
  return open(process.execPath, [LAUNCHER, ...words], options)
}

/** Starts a line of `sh` in which `dray` is the program. */
export function startShellInTerminal(line: string, options: TerminalOptions = {}): Terminal {
  return open('sh', ['-c', `dray() { "${process.execPath}" "${LAUNCHER}" "$@"; }\n${line}`], options)
}

function open(
  file: string,
  args: string[],
  { columns = 100, rows = 30, env, cwd = process.cwd() }: TerminalOptions,
): Terminal {
  const emulator = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    allowProposedApi: true,
  })
  const child = pty.spawn(file, args, {
    name: env?.['TERM'] ?? 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    // A test that is about the pager names one.
    env: { TERM: 'xterm-256color', PAGER: '', ...environment(env) },
  })
  let bells = 0
  let raw = ''
  emulator.onBell(() => (bells += 1))
  // A program may query the terminal, for example for the cursor's position.
  emulator.onData((answer) => child.write(answer))
  const watchers = new Set<() => void>()
  const look = () => {
    for (const watcher of watchers) watcher()
  }
  child.onData((data) => {
    raw += data
    emulator.write(data, look)
  })
  let over: { exitCode: number; signal: number | undefined } | undefined
  child.onExit(({ exitCode, signal }) =>
    emulator.write('', () => {
      over = { exitCode, signal: signal === 0 ? undefined : signal }
      look()
    }),
  )

  const screen = () => readRows(emulator, emulator.buffer.active.baseY).join('\n').trimEnd()

  /** Checks now and after each change until `find` returns a value. */
  const until = <T>(find: () => T | undefined, lost: () => string | undefined): Promise<T> => {
    // The error's stack shows where the wait began.
    const failure = new Error()
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer)
        watchers.delete(watcher)
        end()
      }
      const fail = (why: string) =>
        settle(() => {
          failure.message = `${why}\n--- screen\n${screen()}\n--- end`
          reject(failure)
        })
      const watcher = () => {
        const found = find()
        if (found !== undefined) return settle(() => resolve(found))
        const why = lost()
        if (why !== undefined) fail(why)
      }
      const timer = setTimeout(() => fail('Waited in vain.'), TIMEOUT_MS)
      watchers.add(watcher)
      watcher()
    })
  }

  return {
    screen,
    transcript: () => joinRows(emulator).trimEnd(),
    shows: (sight) =>
      until(
        () => (sees(screen(), sight) ? screen() : undefined),
        () =>
          over === undefined
            ? undefined
            : `It ended with ${over.exitCode} and never showed ${String(sight)}.`,
      ),
    type: (keys) => child.write(keys),
    resize(wide, high) {
      emulator.resize(wide, high)
      child.resize(wide, high)
    },
    bells: () => bells,
    raw: () => raw,
    kill: (signal) => child.kill(signal),
    ended: () =>
      until(
        () => over,
        () => undefined,
      ),
    [Symbol.dispose]() {
      if (over === undefined) child.kill('SIGKILL')
      emulator.dispose()
    },
  }
}

function sees(screen: string, sight: Sight): boolean {
  if (typeof sight === 'string') return screen.includes(sight)
  return typeof sight === 'function' ? sight(screen) : sight.test(screen)
}

function readRows(emulator: InstanceType<typeof headless.Terminal>, from: number): string[] {
  const { active } = emulator.buffer
  return Array.from({ length: active.length - from }, (_, row) =>
    (active.getLine(from + row)?.translateToString(true) ?? '').trimEnd(),
  )
}

function joinRows(emulator: InstanceType<typeof headless.Terminal>): string {
  const { active } = emulator.buffer
  let text = ''
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row)
    if (line === undefined) continue
    const next = active.getLine(row + 1)
    text += line.translateToString(next?.isWrapped !== true)
    if (next?.isWrapped !== true) text += '\n'
  }
  return text
}
