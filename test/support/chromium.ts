/** The browser of the tests: Debian's Chromium, installed when it is missing. */
import { existsSync } from 'node:fs'
import { execa } from 'execa'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

/** The one without windows comes first: it costs a third less. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const INSTALL = ['install', '-y', '--no-install-recommends', 'chromium-headless-shell']

/** Flags that prevent outgoing connections, because the test machines have a closed network. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Returns the path of Chromium. Throws with the command to run when it cannot be installed. */
export async function ensureChromium(): Promise<string> {
  const given = process.env['CHROME_PATH']
  if (given !== undefined && given !== '') return given
  const found = findChromium()
  if (found !== undefined) return found
  const why = await install()
  const installed = findChromium()
  if (installed !== undefined) return installed
  throw new Error(
    `There is no Chromium for the tests in test/browser, and it could not be installed. Run \`apt-get ${INSTALL.join(' ')}\` as root, or set CHROME_PATH to a Chromium of this machine.\n${why}`,
  )
}

function findChromium(): string | undefined {
  return PLACES.find((path) => existsSync(path))
}

/**
 * Installs Chromium. It fetches the package lists only if the present ones do not suffice. Returns the error output
 * of apt.
 */
async function install(): Promise<string> {
  const first = await apt(INSTALL)
  if (!first.failed) return ''
  const update = await apt(['update'])
  const second = await apt(INSTALL)
  return [first, update, second].map(({ all }) => all ?? '').join('\n')
}

function apt(words: readonly string[]) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  // It waits for another installation on this machine.
  const command = [...sudo, 'apt-get', '-o', 'DPkg::Lock::Timeout=120', ...words]
  return execa(command[0] ?? '', command.slice(1), {
    all: true,
    reject: false,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  })
}

/** Starts the browser at a path; the caller closes it. */
export function startBrowser(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: FLAGS, timeout: 120_000 })
}
