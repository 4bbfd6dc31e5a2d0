/** The address of a ticket printer: a port of the network, a device file, or a command that takes its bytes. */
import { resolve } from 'node:path'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import { AppError } from '../../../core/errors.ts'

/** `name` is the address in its one form: two processes with the same name are at the same printer. */
export type PrinterAddress =
  | { kind: 'tcp'; name: string; host: string; port: number }
  | { kind: 'device'; name: string; path: string }
  | { kind: 'exec'; name: string; command: string }

/** The port on which printers of all makers listen. */
const USUAL_PORT = 9100

/** Parses `tcp://kitchen.local:9100`, `/dev/usb/lp0` or `exec:lp -d kitchen -o raw`. Throws AppError('usage'). */
export function parsePrinterAddress(given: string, cwd: () => string): PrinterAddress {
  const command = /^exec:(.*)$/s.exec(given)?.[1]?.trim()
  if (command !== undefined && command !== '') return { kind: 'exec', name: `exec:${command}`, command }
  if (/^tcp:\/\//i.test(given)) return parseTcpAddress(given)
  if (command === undefined && /[/\\]/.test(given) && !/^[a-z][a-z0-9+.-]+:\/\//i.test(given)) {
    const path = resolve(cwd(), given)
    return { kind: 'device', name: path, path }
  }
  throw unknownAddress(given)
}

function parseTcpAddress(given: string): PrinterAddress {
  const url = URL.parse(given.replace(/^tcp:/i, 'tcp:'))
  const isBare =
    url !== null &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname + url.search + url.hash) &&
    url.username === ''
  if (!isBare) throw unknownAddress(given)
  const host = url.hostname.toLowerCase()
  const port = url.port === '' ? USUAL_PORT : Number(url.port)
  if (port === 0) throw unknownAddress(given)
  return { kind: 'tcp', name: `tcp://${host}:${port}`, host: host.replace(/^\[|\]$/g, ''), port }
}

function unknownAddress(given: string): AppError {
  return new AppError(
    'usage',
    `--printer must be tcp://HOST:9100, a device file such as /dev/usb/lp0, or exec:COMMAND, not ${JSON.stringify(sanitizeForTerminal(given.slice(0, 80)))}.`,
  )
}
