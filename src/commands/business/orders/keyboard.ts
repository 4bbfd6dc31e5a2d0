/** Single keys from a terminal: raw while a listener is set, as it was afterwards. */
import type { Io } from '../../../cli/io.ts'

// oxlint-disable-next-line no-control-regex -- keys are control characters and escapes
const KEYS = /\x1b(?:\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|O[\x40-\x7e])|[^]/gu

const NAMES: Readonly<Record<string, string>> = {
  '\x1b[A': 'up',
  '\x1bOA': 'up',
  '\x1b[B': 'down',
  '\x1bOB': 'down',
  '\x1b[H': 'home',
  '\x1bOH': 'home',
  '\x1b[1~': 'home',
  '\x1b[F': 'end',
  '\x1bOF': 'end',
  '\x1b[4~': 'end',
  '\x1b[5~': 'page-up',
  '\x1b[6~': 'page-down',
  '\x1b': 'escape',
  '\r': 'enter',
  '\n': 'enter',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x03': 'ctrl-c',
  '\x04': 'ctrl-d',
  '\f': 'ctrl-l',
}

/** The keys in what a terminal sent: names for those that have one, else the character. */
export function keysOf(sent: string): string[] {
  return (sent.match(KEYS) ?? []).map((key) => NAMES[key] ?? key)
}

/** Calls back for each key, and with `closed` when the terminal is gone; gives what ends it. */
export function listenToKeys(io: Io, onKey: (key: string) => void): () => void {
  const { input } = io.terminal()
  const raw = input as Partial<NodeJS.ReadStream>
  const onData = (chunk: Buffer | string) => {
    for (const key of keysOf(chunk.toString())) onKey(key)
  }
  const onEnd = () => onKey('closed')
  input.setEncoding('utf8')
  raw.setRawMode?.(true)
  input.on('data', onData).once('end', onEnd).once('close', onEnd).resume()
  return () => {
    input.off('data', onData).off('end', onEnd).off('close', onEnd)
    raw.setRawMode?.(false)
    input.pause()
  }
}
