/** The shells with completions: their scripts, and the file by which each loads them. */
import { basename } from 'node:path'
import type { Runtime } from '../../cli/runtime.ts'
import { AppError } from '../../core/errors.ts'

export const SCRIPTS = { bash: 'dray.bash', zsh: '_dray', fish: 'dray.fish', powershell: 'dray.ps1' } as const

export type Shell = keyof typeof SCRIPTS

export const SHELLS = Object.keys(SCRIPTS)

export function isShell(text: string | undefined): text is Shell {
  return text !== undefined && Object.hasOwn(SCRIPTS, text)
}

type ShellDeps = Pick<Runtime, 'env' | 'root'>

/** Returns the shell that is named, or the one that the user works in. Throws AppError('usage'), naming the command. */
export function chooseShell(given: string | undefined, { env }: ShellDeps, command: string): Shell {
  const name = given ?? basename(env['SHELL'] ?? '').replace(/\.exe$/, '')
  const shell = name === 'pwsh' || (name === '' && process.platform === 'win32') ? 'powershell' : name
  if (isShell(shell)) return shell
  const what = given === undefined ? 'Cannot detect the shell' : `No completion for ${given.slice(0, 60)}`
  throw new AppError('usage', `${what}: give one of ${SHELLS.join(', ')}.`, {
    hint: `For example: dray ${command} bash`,
  })
}

/** The file that a shell reads when it starts, and the lines that load the script there. */
export type StartupFile = {
  shell: Shell
  path: string
  lines: string[]
  /** True if the file is only ours, as fish has one for each command. */
  isOwnFile: boolean
}

/** Returns the place of a shell. Its lines load the script of the program, so that an update needs no new install. */
export function locateStartupFile(shell: Shell, deps: ShellDeps): StartupFile {
  const home = homeOf(deps)
  const script = `${deps.root}/completions/${SCRIPTS[shell]}`
  const config = absolute(deps.env['XDG_CONFIG_HOME']) ?? `${home}/.config`
  switch (shell) {
    case 'bash':
      return makeStartupFile(shell, `${home}/.bashrc`, [`[ -r ${posix(script)} ] && . ${posix(script)}`])
    case 'zsh':
      return makeStartupFile(shell, `${absolute(deps.env['ZDOTDIR']) ?? home}/.zshrc`, [
        '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }',
        `[[ -r ${posix(script)} ]] && source ${posix(script)}`,
      ])
    case 'fish': {
      const quoted = `'${script.replaceAll(/[\\']/g, String.raw`\$&`)}'`
      const lines = [`test -r ${quoted}; and source ${quoted}`]
      return { ...makeStartupFile(shell, `${config}/fish/completions/dray.fish`, lines), isOwnFile: true }
    }
    case 'powershell': {
      const folder = process.platform === 'win32' ? `${home}/Documents/PowerShell` : `${config}/powershell`
      const quoted = `'${script.replaceAll("'", "''")}'`
      return makeStartupFile(shell, `${folder}/Microsoft.PowerShell_profile.ps1`, [
        `if (Test-Path ${quoted}) { Get-Content -Raw ${quoted} | Invoke-Expression }`,
      ])
    }
  }
}

function makeStartupFile(shell: Shell, path: string, lines: string[]): StartupFile {
  return { shell, path, lines, isOwnFile: false }
}

function homeOf({ env }: ShellDeps): string {
  const home = absolute(env['HOME']) ?? absolute(env['USERPROFILE'])
  if (home !== undefined) return home
  throw new AppError('usage', 'No home folder: HOME is not set.')
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && /^(?:\/|\\\\|[a-z]:)/i.test(path) ? path : undefined
}

function posix(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`
}
