import type { ImportPrompts } from '../../tabular/import/prompts.ts'
import type { CommandContext } from '../cli.ts'

/** Reads a file at a terminal, or for a script. */
export function makeImportPrompts(cli: CommandContext): ImportPrompts {
  const { maps, defaultParcel } = cli.settings
  return {
    maps,
    defaultParcel,
    async say({ kind, text, typed = text }) {
      if (kind === 'warning') cli.warnings.push(typed)
      await cli.say(kind === 'warning' ? `warning: ${typed}` : typed)
    },
    ask: () => cli.ask(),
    answered: cli.answered,
  }
}
