/** The log of a service as people read it at a terminal. */
import type { Paint } from '../../cli/output/colour.ts'
import { sanitizeForTerminal, pad } from '../../cli/output/text.ts'
import type { LogEntry, LogLine } from '../../server/log.ts'

/** The longest usual operation name, so that durations stand below each other. */
const NAME_WIDTH = 26

/** Returns one line: local time, status, method, what was requested, how long it took, and the code of an error. */
export function toLine(line: LogLine, style: Paint): string {
  const time = style.dim(new Date(line.time).toTimeString().slice(0, 8))
  if ('where' in line) {
    const { where, message, error } = line
    const said = sanitizeForTerminal(message ?? error ?? '', { multiline: true })
    return `${time}  ${error === undefined ? where : style.red(where)}  ${said}`
  }
  const { status, method, operation, path, duration_ms: took, code, account_id: account } = line
  const words = [
    time,
    statusColour(line, style)(String(status)),
    pad(sanitizeForTerminal(method ?? '-'), 4),
    pad(sanitizeForTerminal(operation ?? path ?? 'no such path'), NAME_WIDTH),
    pad(`${took.toFixed(1)} ms`, 9, 'right'),
    ...(code === null ? [] : [style.red(code)]),
    ...(account === null ? [] : [style.dim(account)]),
  ]
  return words.join('  ').trimEnd()
}

function statusColour({ status }: LogEntry, style: Paint): (text: string) => string {
  if (status >= 500) return style.red
  return status >= 400 ? style.yellow : style.green
}
