import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { completion } from '../../src/commands/completion/completion.command.ts'
import { makeHome } from '../support/home.ts'
import { builtProgram, startDray } from '../support/program.ts'
import { runCommand } from '../support/run-command.ts'

const SHELLS = { bash: 'dray.bash', zsh: '_dray', fish: 'dray.fish', powershell: 'dray.ps1' }

test.each(Object.entries(SHELLS))('prints the script for %s as it is shipped', async (shell, file) => {
  using home = makeHome()
  const ran = await runCommand(home, completion, [shell])
  expect(ran).toMatchObject({
    code: 0,
    out: readFileSync(join(import.meta.dirname, '../../completions', file), 'utf8'),
    err: '',
  })
})

test('prints the script even if the environment requests JSON: a shell reads it', async () => {
  using home = makeHome({ DRAY_OUTPUT: 'json' })
  const ran = await runCommand(home, completion, ['bash'])
  expect(ran.out).toMatch(/^# Completion of dray for bash/)
})

test('prints one JSON document with --json', async () => {
  using home = makeHome()
  const ran = await runCommand(home, completion, ['fish', '--json'])
  expect(ran.json()).toMatchObject({
    shell: 'fish',
    script: expect.stringContaining('complete -c dray') as string,
  })
})

test.each([['tcsh'], ['toString'], ['']])('rejects "%s" and names the shells there are', async (shell) => {
  using home = makeHome()
  const ran = await runCommand(home, completion, [shell])
  expect(ran).toMatchObject({ code: 2, out: '' })
  expect(ran.error?.message).toContain('bash, zsh, fish, powershell')
})

test('prompts for the shell when none is named', async () => {
  using home = makeHome()
  const ran = await runCommand(home, completion, [])
  expect(ran.error).toMatchObject({
    code: 'usage',
    message: 'dray completion needs the name of a shell: bash, zsh, fish, powershell.',
  })
})

beforeAll(builtProgram)

test('the built program finds its scripts from anywhere', async () => {
  using home = makeHome()
  const ran = await startDray(['completion', 'zsh'], { cwd: home.cwd }).ended
  expect(ran).toMatchObject({
    exitCode: 0,
    stdout: readFileSync(join(import.meta.dirname, '../../completions/_dray'), 'utf8'),
  })
})
