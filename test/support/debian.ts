/** Programs of Debian that tests run. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Installs the package of a missing program if possible. Throws with what to do if not. */
export async function installProgram(name: string, from: string): Promise<void> {
  if (await isThere(name)) return
  if (process.getuid?.() !== 0 || !(await isThere('apt-get'))) {
    throw new Error(`The tests need ${name}: install it (for example \`apt-get install ${from}\`).`)
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const wait = ['-o', 'DPkg::Lock::Timeout=120']
  await execute('apt-get', [...wait, 'update'], { env })
  await execute('apt-get', [...wait, 'install', '-y', '--no-install-recommends', from], { env })
}

async function isThere(name: string): Promise<boolean> {
  return execute('sh', ['-c', `command -v ${name}`]).then(
    () => true,
    () => false,
  )
}
