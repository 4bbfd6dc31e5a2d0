/** Shows text that is longer than the screen in the user's pager, as git does. */
import { spawn } from 'node:child_process'
import type { Io } from '../io.ts'

/** Options of `less` for users without their own: end at once when it all fits, show colours, leave the text there. */
const LESS = 'FRX'

type Screen = Pick<Io, 'stdout' | 'stderr' | 'stdin' | 'env'>

/** Returns whether the text needs more rows than the screen has. Nothing else than a terminal has a pager. */
export function needsPager(text: string, { stdout, stdin, env }: Screen): boolean {
  const { rows, columns = 80 } = stdout
  if (!stdout.isTTY || !stdin.isTTY || rows === undefined || env['TERM'] === 'dumb') return false
  if (pagerOf(env) === undefined) return false
  let needed = 0
  for (const line of text.split('\n')) {
    // oxlint-disable-next-line no-control-regex -- styles take no columns
    needed += Math.max(1, Math.ceil(line.replaceAll(/\x1b\[\d+m/g, '').length / columns))
    if (needed > rows) return true
  }
  return false
}

/** Shows the text until the user leaves the pager. Writes it to the terminal when the pager cannot be started. */
export async function printInPager(text: string, io: Screen): Promise<void> {
  const command = pagerOf(io.env)
  if (command === undefined || !(await run(command, text, io.env))) await io.stdout.write(text)
}

function pagerOf(env: Screen['env']): string | undefined {
  const command = (env['PAGER'] ?? 'less').trim()
  return command === '' || command === 'cat' ? undefined : command
}

/** Returns false when the program does not exist. */
function run(command: string, text: string, env: Screen['env']): Promise<boolean> {
  // Ctrl-C in a pager belongs to the pager.
  const ignore = (): void => undefined
  process.on('SIGINT', ignore)
  return new Promise<boolean>((resolve) => {
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      // less takes UTF-8 for bytes in the C locale, which containers and cron have.
      env: { LESS, LESSCHARSET: 'utf-8', LV: '-c', ...env },
    })
    // The user left before the end of the text.
    child.stdin.on('error', ignore)
    child.on('error', () => resolve(false))
    // A shell's answer to a program that it does not find, or may not start.
    child.on('exit', (code) => resolve(code !== 126 && code !== 127))
    child.stdin.end(text)
  }).finally(() => void process.off('SIGINT', ignore))
}
