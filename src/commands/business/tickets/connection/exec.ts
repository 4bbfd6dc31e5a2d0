/** A printer behind a command that takes its bytes on standard input, such as `lp -d kitchen -o raw`. */
import { spawn } from 'node:child_process'
import type { PrinterAddress } from '../printer-address.ts'
import type { PaperSending, PrintResult } from './print-result.ts'

/** The exit codes of a shell that could not start the command. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127])
const MAX_TOLD_LENGTH = 200

/** Runs the command. Its exit code 0 says that the paper is printed. */
export async function printByCommand(
  { command }: Extract<PrinterAddress, { kind: 'exec' }>,
  bytes: Uint8Array,
  { limits, onSend }: PaperSending,
): Promise<PrintResult> {
  // A command is a paper each time: what it would say of its printer is not asked.
  if (bytes.length === 0) return { outcome: 'printed' }
  onSend()
  const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'pipe'], windowsHide: true })
  let told = ''
  child.stderr.on('data', (chunk: Buffer) => (told = (told + chunk.toString()).slice(0, MAX_TOLD_LENGTH)))
  // A command that reads nothing more ends the pipe. Its exit code says what that means.
  child.stdin.on('error', () => undefined)
  child.stdin.end(bytes)
  const ended = await new Promise<number | 'late' | Error | null>((resolve) => {
    const timer = setTimeout(() => resolve('late'), limits.printMs)
    child.once('error', (error) => (clearTimeout(timer), resolve(error)))
    child.once('close', (code) => (clearTimeout(timer), resolve(code)))
  })
  if (ended === 0) return { outcome: 'printed' }
  if (ended instanceof Error) return { outcome: 'absent', why: ended.message }
  if (ended === 'late') {
    child.kill()
    return { outcome: 'unknown', why: 'the command does not end' }
  }
  const why = told.trim().split('\n')[0] ?? ''
  return {
    outcome: NOT_STARTED.has(ended) ? 'absent' : 'unknown',
    why: why === '' ? `the command ended with ${ended ?? 'a signal'}` : why,
  }
}
