import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { createDatabase } from '../support/postgres.ts'
import { builtProgram, environment, startDray } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'
const LAUNCHER = join(import.meta.dirname, '../../bin/dray.js')

const version = (redirection: string) =>
  spawnSync('sh', ['-c', `"$0" "$1" --version ${redirection}`, process.execPath, LAUNCHER], {
    encoding: 'utf8',
  })

describe.skipIf(process.platform === 'win32')('--version', () => {
  test('prints the version', () => {
    expect(version('')).toMatchObject({ status: 0, stdout: `${packageJson.version}\n`, stderr: '' })
  })

  test.each([
    ['-V', `${packageJson.version}\n`],
    ['carrier list --version', `${packageJson.version}\n`],
    ['--version --json', `${JSON.stringify({ version: packageJson.version }, null, 2)}\n`],
  ])('is told by %s, too', (line, stdout) => {
    const ran = spawnSync(process.execPath, [LAUNCHER, ...line.split(' ')], { encoding: 'utf8' })
    expect(ran).toMatchObject({ status: 0, stdout, stderr: '' })
  })

  test('is a plain word after --', async () => {
    await builtProgram()
    const { stderr, stdout, exitCode } = await startDray(['completion', '--', '--version']).ended
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain('No completion for --version')
  })

  test('ends quietly when nobody reads it', () => {
    expect(version('| true')).toMatchObject({ status: 0, stderr: '' })
  })

  test.skipIf(!existsSync('/dev/full'))('fails without a stack trace when it cannot be written', () => {
    expect(version('> /dev/full')).toMatchObject({ status: 1, stderr: '' })
  })
})

/** Returns a Node older than 26 on this machine; else this one, reporting an older version. */
async function olderNode(): Promise<string[]> {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  for (const folder of folders) {
    const node = join(folder, 'node')
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
    if (/^v(?:1\d|2[0-5])\./.test(stdout ?? '')) return [node]
  }
  const folder = await makeTempFolder()
  const disguise = join(folder, 'disguise.cjs')
  writeFileSync(
    disguise,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`,
  )
  return [process.execPath, '--require', disguise]
}

/** Runs `dray` in its own process group, of which no process may remain. */
async function startUnder(
  node: readonly string[],
  words: readonly string[],
  env: Record<string, string> = {},
) {
  const home = await makeTempFolder()
  const [file = '', ...options] = node
  const child = spawn(file, [...options, LAUNCHER, ...words], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...environment({ DRAY_HOME: home, ...env }) } as NodeJS.ProcessEnv,
  })
  const { pid = 0 } = child
  onTestFinished(() => {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // Every process has ended.
    }
  })
  const output = new Promise<string>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()))
  })
  // Standard output closes when the last process with it ends.
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return { child, pid, output, ended }
}

/** Returns the command lines of a process group. */
function commandLines(group: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const own = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
        return own === group ? [readFileSync(`/proc/${name}/cmdline`, 'utf8')] : []
      } catch {
        // The process has just ended.
        return []
      }
    })
}

describe.skipIf(process.platform === 'win32')('under an older Node', () => {
  beforeAll(builtProgram)

  test.each([
    ['a service', ['serve', '--port', '0', '--json']],
    ['a service of two processes', ['serve', '--port', '0', '--cluster', '2', '--json']],
  ])('%s ends when the process that was started is killed', async (_, words) => {
    const { child, output, ended } = await startUnder(await olderNode(), words)
    const { url } = JSON.parse(await output) as { url: string }
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    child.kill('SIGKILL')
    await ended
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
  })

  test('a command reads its input, and its exit code is the one of the program', async () => {
    const { child, output, ended } = await startUnder(await olderNode(), [
      'api',
      'quote_rates',
      '--input',
      '-',
    ])
    child.stdin.end(
      '{"to_postal_code": "E1 6EA", "to_country_code": "GB", "weight_grams": 500, "length_mm": 300, "width_mm": 200, "height_mm": 100}',
    )
    expect(await output).toContain('next_day')
    await ended
    expect(child.exitCode).toBe(0)
    const wrong = await startUnder(await olderNode(), ['nonsense'])
    wrong.child.stdin.end()
    await wrong.ended
    expect(wrong.child.exitCode).toBe(2)
  })

  test('a signal to the first process ends the service in order', async () => {
    const { child, output, ended } = await startUnder(await olderNode(), ['serve', '--port', '0', '--json'])
    await output
    child.kill('SIGTERM')
    await ended
    expect([child.exitCode, child.signalCode]).toEqual([0, null])
  })
})

describe.runIf(existsSync('/proc/self/cmdline'))('the password of a database', () => {
  beforeAll(builtProgram)

  test.each([
    ['one process', () => [process.execPath], []],
    ['several processes', () => [process.execPath], ['--cluster', '2']],
    ['an older Node', olderNode, []],
  ])('is in no list of processes: %s', async (_, node, more) => {
    const store = await createDatabase()
    const { password } = new URL(store)
    const words = ['serve', '--port', '0', '--json', `--store=${store}`, ...more]
    const { output, pid } = await startUnder(await node(), words)
    expect(await output).toContain('http://127.0.0.1:')
    const lines = commandLines(pid)
    expect(password).not.toBe('')
    expect(lines.filter((line) => line.includes(password))).toEqual([])
    expect(lines.join('\n')).toMatch(/serve/)
  })
})
