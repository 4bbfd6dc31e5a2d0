import type { CommandSpec } from '../cli/command.ts'
import { bashScript } from './shells/bash.ts'
import { fishScript } from './shells/fish.ts'
import { globalFlags, toNodes } from './shells/nodes.ts'
import { powershellScript } from './shells/powershell.ts'
import { zshScript } from './shells/zsh.ts'

/** Returns the completion scripts by path. They contain all words; a shell starts dray for values of this machine only. */
export function completionScripts(commands: readonly CommandSpec[]): Record<string, string> {
  const nodes = toNodes(commands)
  const globals = globalFlags()
  return {
    'completions/dray.bash': bashScript(nodes, globals),
    'completions/_dray': zshScript(nodes, globals),
    'completions/dray.fish': fishScript(nodes, globals),
    'completions/dray.ps1': powershellScript(nodes, globals),
  }
}
