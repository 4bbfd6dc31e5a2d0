import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installProgram } from './debian.ts'

/** The completions at the end of a line: the names, and the text that the shell shows beside them. */
export type ShellCompletions = { names: string[]; text: string }

type CompletionRun = { script: string; lines: readonly string[]; cwd: string; env: NodeJS.ProcessEnv }

const execute = promisify(execFile)

/** The shells whose completion can be tested here, each with its own method. */
export const TESTED_SHELLS = {
  bash: { file: 'dray.bash', offers: askBash },
  zsh: { file: '_dray', offers: askZsh },
  fish: { file: 'dray.fish', offers: askFish },
} as const

/** Installs a missing shell if possible. No test skips it silently. */
export async function installShell(name: keyof typeof TESTED_SHELLS): Promise<void> {
  await installProgram(name, name)
}

/** Returns bash's completions. Bash splits the line into words, also at = and :. */
async function askBash({ script, lines, cwd, env }: CompletionRun): Promise<ShellCompletions[]> {
  const program = `
    set -u
    source "$1"
    for line in "\${@:2}"; do
      echo "== $line"
      spaced=\${line//=/ = } spaced=\${spaced//:/ : }
      read -ra COMP_WORDS <<<"$spaced"
      [[ $spaced == *' ' && $line != *= ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=\${#line}
      _dray
      (( \${#COMPREPLY[@]} )) && printf '%s\\n' "\${COMPREPLY[@]}"
    done
    true`
  return parse(
    await run('bash', ['--norc', '--noprofile', '-c', program, 'bash', script, ...lines], cwd, env),
  )
}

async function askZsh({ script, lines, cwd, env }: CompletionRun): Promise<ShellCompletions[]> {
  return parse(
    await run('zsh', ['-f', join(import.meta.dirname, 'complete.zsh'), script, ...lines], cwd, env),
  )
}

async function askFish({ script, lines, cwd, env }: CompletionRun): Promise<ShellCompletions[]> {
  const program = 'source $argv[1]; for line in $argv[2..-1]; echo "== $line"; complete -C $line; end'
  return parse(await run('fish', ['--no-config', '-c', program, script, ...lines], cwd, env))
}

async function run(shell: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout, stderr } = await execute(shell, args, { cwd, env, timeout: 200_000 })
  if (stderr !== '') throw new Error(`${shell} complained: ${stderr}`)
  return stdout
}

/** Parses the output. `== line` begins the completions of a line; text follows after a tab (fish) or ` -- ` (zsh). */
function parse(output: string): ShellCompletions[] {
  return output
    .split(/^== .*\n/m)
    .slice(1)
    .map((part) => {
      const names = part
        .split('\n')
        .map((line) => line.replace(/\t.*|(?:^|\s+)-- .*/, '').trim())
        .filter((name) => name !== '')
      return { names: [...new Set(names)], text: part }
    })
}
