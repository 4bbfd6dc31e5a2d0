import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtProgram } from '../support/program.ts'

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

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
