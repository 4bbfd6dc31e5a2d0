/** Opens a page in the user's browser. It starts the program directly, never by a shell or from the working folder. */
import type { Runtime } from '../../cli/runtime.ts'
import { findProgram } from '../find-program.ts'

type Env = Runtime['env']
type Opener = { program: string; args: readonly string[] }

/** Opens a page; returns whether a browser was started. */
export async function openPageInBrowser(
  page: URL,
  env: Env,
  platform: string = process.platform,
): Promise<boolean> {
  const opener = findOpener(env, platform)
  if (opener === undefined) return false
  // execa would cost 80 ms of processor time, against 3 ms, and 18 packages, for one program without a wait.
  const { spawn } = await import('node:child_process')
  // The browser must not get the token in DRAY_TOKEN.
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('DRAY_')))
  return new Promise((resolve) => {
    const child = spawn(opener.program, [...opener.args, page.href], {
      detached: true,
      stdio: 'ignore',
      env: own,
    })
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false))
    child.unref()
  })
}

/** Returns the program in BROWSER, else the system's opener; undefined without a display. */
function findOpener(env: Env, platform: string): Opener | undefined {
  const wished = env['BROWSER']
  if (wished !== undefined && wished !== '') return toOpener(findProgram(wished, env), [])
  if (platform === 'win32') {
    const system = env['SystemRoot'] ?? String.raw`C:\Windows`
    return toOpener(`${system}\\System32\\rundll32.exe`, ['url.dll,FileProtocolHandler'])
  }
  if (platform === 'darwin') return env['SSH_CONNECTION'] ? undefined : toOpener('/usr/bin/open', [])
  const display = env['DISPLAY'] || env['WAYLAND_DISPLAY']
  return display ? toOpener(findProgram('xdg-open', env), []) : undefined
}

function toOpener(program: string | undefined, args: readonly string[]): Opener | undefined {
  return program === undefined ? undefined : { program, args }
}
