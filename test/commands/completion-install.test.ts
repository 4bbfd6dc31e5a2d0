/** `dray completion install` and `uninstall`: lines in the files that shells read when they start. */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completionInstall } from '../../src/commands/completion/install.command.ts'
import { completionUninstall } from '../../src/commands/completion/uninstall.command.ts'
import { type Home, makeHome } from '../support/home.ts'
import { memoryIo } from '../support/memory-io.ts'
import { type InlineCommandResult, runCommand } from '../support/run-command.ts'

const FILES = {
  bash: '.bashrc',
  zsh: '.zshrc',
  fish: '.config/fish/completions/dray.fish',
  powershell: '.config/powershell/Microsoft.PowerShell_profile.ps1',
}

const homeOf = (more: Record<string, string> = {}): Home => {
  const home = makeHome(more)
  home.env['HOME'] = home.cwd
  return home
}

const action = async (home: Home, command: typeof completionInstall, ...argv: string[]): Promise<unknown> =>
  ((await runCommand(home, command, [...argv, '--json'])).json() as { action: string }).action

test.each(Object.entries(FILES))(
  '%s loads the completions after it, once, and not after uninstall',
  async (shell, file) => {
    using home = homeOf()
    const path = `${home.cwd}/${file}`
    expect(await action(home, completionInstall, shell, '--dry-run')).toBe('would be written')
    expect(existsSync(path)).toBe(false)
    expect(await action(home, completionInstall, shell)).toBe('written')
    const written = readFileSync(path, 'utf8')
    expect(written).toContain('/completions/')
    expect(await action(home, completionInstall, shell)).toBe('unchanged')
    expect(readFileSync(path, 'utf8')).toBe(written)
    expect(await action(home, completionUninstall, shell)).toBe('removed')
    expect(existsSync(path)).toBe(false)
    expect(await action(home, completionUninstall, shell)).toBe('unchanged')
  },
)

test('leaves everything else in the file, also behind a link, and renews lines of an older program', async () => {
  using home = homeOf({ SHELL: '/usr/bin/bash' })
  mkdirSync(`${home.cwd}/dotfiles`)
  const real = `${home.cwd}/dotfiles/bashrc`
  const mine = 'alias ll="ls -l"\n'
  writeFileSync(real, mine)
  symlinkSync(real, `${home.cwd}/.bashrc`)
  const ran = await runCommand(home, completionInstall, [])
  expect(ran.err).toContain('Completion now works in every new bash.')
  expect(lstatSync(`${home.cwd}/.bashrc`).isSymbolicLink()).toBe(true)
  expect(readFileSync(real, 'utf8').startsWith(mine)).toBe(true)
  const known = execFileSync('bash', ['--norc', '-c', '. ~/.bashrc; complete -p dray'], {
    env: { HOME: home.cwd, PATH: process.env['PATH'] },
  })
  expect(known.toString()).toBe('complete -F _dray dray\n')

  writeFileSync(real, `${readFileSync(real, 'utf8').replaceAll('/completions/', '/older/')}export LATER=1\n`)
  expect(await action(home, completionInstall)).toBe('updated')
  expect(readFileSync(real, 'utf8')).not.toContain('/older/')
  await runCommand(home, completionUninstall, [])
  expect(readFileSync(real, 'utf8')).toBe(`${mine}\nexport LATER=1\n`)
})

test.each([
  [
    'a line of dray without its end',
    '# >>> dray completion >>> old\nmine=1\n',
    'has only some of the lines of dray',
  ],
  ['an end without its begin', 'mine=1\n# <<< dray completion <<<\n', 'has only some of the lines of dray'],
  ['bytes that are not UTF-8', Buffer.from('name=Jos\xe9\n', 'latin1'), 'is not UTF-8'],
])('leaves a file alone with %s', async (_what, before, message) => {
  using home = homeOf({ SHELL: '/usr/bin/bash' })
  const path = `${home.cwd}/.bashrc`
  writeFileSync(path, before)
  for (const command of [completionInstall, completionUninstall]) {
    const { code, error } = await runCommand(home, command, [])
    expect([code, error?.message]).toEqual([2, expect.stringContaining(message)])
  }
  expect(readFileSync(path)).toEqual(Buffer.from(before))
})

test('removes no line between an older block and its own', async () => {
  using home = homeOf({ SHELL: '/usr/bin/bash' })
  const path = `${home.cwd}/.bashrc`
  await runCommand(home, completionInstall, [])
  const block = readFileSync(path, 'utf8')
  writeFileSync(path, `first=1\n${block}mine=1\n${block}`)
  expect(await action(home, completionUninstall)).toBe('removed')
  expect(readFileSync(path, 'utf8').match(/^\w+=1$/gm)).toEqual(['first=1', 'mine=1'])
})

test('keeps the line ends of the file', async () => {
  using home = homeOf({ SHELL: '/usr/bin/pwsh' })
  const path = `${home.cwd}/${FILES.powershell}`
  mkdirSync(`${home.cwd}/.config/powershell`, { recursive: true })
  writeFileSync(path, '$mine = 1\r\n')
  await runCommand(home, completionInstall, [])
  expect(readFileSync(path, 'utf8').replaceAll('\r\n', '')).not.toContain('\n')
  expect(await action(home, completionInstall)).toBe('unchanged')
  expect(await action(home, completionUninstall)).toBe('removed')
  expect(readFileSync(path, 'utf8')).toBe('$mine = 1\r\n')
})

test('prompts for the shell where it cannot be seen', async () => {
  using home = homeOf({ SHELL: '/bin/tcsh' })
  const ran = await runCommand(home, completionInstall, [])
  expect(ran).toMatchObject({ code: 2, error: { hint: 'For example: dray completion install bash' } })
  const uninstalled = await runCommand(home, completionUninstall, [])
  expect(uninstalled.error?.hint).toBe('For example: dray completion uninstall bash')
})

test('shows a person the lines and asks before the file changes', async () => {
  using home = homeOf({ SHELL: '/usr/bin/bash' })
  const file = `${home.cwd}/.bashrc`
  const answer = (
    command: typeof completionInstall,
    key: string,
    ...argv: string[]
  ): Promise<InlineCommandResult> => {
    const io = memoryIo({ tty: true, env: { ...home.env, TERM: 'dumb' } })
    io.type(`${key}\n`)
    return runCommand(home, command, argv, { io })
  }
  const refused = await answer(completionInstall, 'n')
  expect(refused).toMatchObject({ code: 3, out: '' })
  expect(refused.err).toMatch(/^.*\.bashrc\n\+ .*dray\.bash/)
  expect(existsSync(file)).toBe(false)
  const agreed = await answer(completionInstall, 'y')
  expect(agreed).toMatchObject({ code: 0, out: '' })
  expect(agreed.err).toContain('Completion now works in every new bash.')
  const kept = await answer(completionUninstall, 'n')
  expect(kept.err).toMatch(/^.*\.bashrc\n- .*dray\.bash/)
  expect(existsSync(file)).toBe(true)
  await answer(completionUninstall, '', '--yes')
  expect(existsSync(file)).toBe(false)
})
