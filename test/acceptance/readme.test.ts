import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtProgram, LAUNCHER, readUrl, start } from '../support/program.ts'

const root = join(import.meta.dirname, '../..')

test('the tour of the README prints what the README says', async () => {
  await builtProgram()
  const [, tour = ''] = /```console\n([^]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  const commands = [...tour.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command)
  expect(commands.length).toBeGreaterThan(5)

  // A clone of its own: the tour writes beside the example.
  const clone = mkdtempSync(join(tmpdir(), 'dray-tour-'))
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }))
  for (const name of ['bin', 'package.json']) cpSync(join(root, name), join(clone, name), { recursive: true })
  for (const name of ['manifest.csv', 'menu.csv', 'scenarios'])
    cpSync(join(root, 'examples', name), join(clone, 'examples', name), { recursive: true })
  for (const name of ['dist', 'node_modules']) symlinkSync(join(root, name), join(clone, name))

  const script = commands.map((command) => `printf '%s\\n' ${quote(`$ ${command}`)}\n${command}`).join('\n')
  const printed = execFileSync('bash', ['-c', `shopt -s expand_aliases\nexec 2>&1\n${script}`], {
    cwd: clone,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: clone, LANG: 'C.UTF-8' },
  })
  expect(printed.trim()).toBe(tour.trim())
})

test('a program gets its token as the README says', async () => {
  await builtProgram()
  const [, line = ''] = /^CLIENT=\$\((dray .*)\)$/m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  expect(line).toContain('account client')
  const home = mkdtempSync(join(tmpdir(), 'dray-readme-'))
  const env = { HOME: home, DRAY_HOME: home }
  const server = start(['serve', '--port', '0', '--json', '--quiet'], { env })
  onTestFinished(async () => {
    server.kill('SIGTERM')
    await server.ended
    rmSync(home, { recursive: true, force: true })
  })
  const url = await readUrl(server)
  const client = execFileSync(
    'bash',
    ['-c', `dray() { '${process.execPath}' '${LAUNCHER}' "$@"; }; ${line}`],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...env },
    },
  )
  // What `curl -u` sends.
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(client.trim()).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  expect(await answer.json()).toMatchObject({ token_type: 'Bearer', scope: 'shipments.read' })
})

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
