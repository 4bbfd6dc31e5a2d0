import { AppError, EXIT } from '../errors.ts'
import { COMMANDS } from '../generated/commands.ts'
import { renderGroupHelp } from './help.ts'
import type { Io } from './io.ts'
import { nearest } from './nearest.ts'

/** What `dray wrong words` deserves: what was not understood, what was probably meant, where to look. */
export function unknownCommand(words: string, token: string): AppError {
  const prefix = words === '' ? '' : `${words} `
  const names = Object.keys(COMMANDS)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length).split(' ')[0] ?? '')
  const meant = nearest(token, [...new Set(names)])
  return new AppError('usage', `There is no command "dray ${prefix}${token.slice(0, 60)}".`, {
    hint:
      meant === undefined
        ? `\`dray ${prefix}--help\` lists the commands.`
        : `Did you mean \`dray ${prefix}${meant}\`?`,
  })
}

/** A group without a command: help on stdout when asked for, else on stderr as a usage error. */
export async function showGroup(words: string, asked: boolean, io: Io): Promise<number> {
  const out = asked ? io.stdout : io.stderr
  if (words === '') {
    const { ROOT_HELP } = await import('../generated/root-help.ts')
    await io.stdout.write(ROOT_HELP)
    return EXIT.ok
  }
  const commands = Object.entries(COMMANDS)
    .filter(([name]) => name.startsWith(`${words} `))
    .map(([name, { summary }]) => ({ words: name, summary }))
  await out.write(renderGroupHelp(words, commands))
  return asked ? EXIT.ok : EXIT.usage
}
