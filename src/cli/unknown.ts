import { AppError, EXIT } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { COMMANDS } from '../generated/commands.ts'
import { GLOBAL_FLAGS } from './globals.ts'
import { renderGroupHelp } from './help.ts'
import type { Io } from './io.ts'
import type { Route } from './route.ts'

/** Returns the error for unknown words: the unknown part, the likely command, and where to look. */
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

/**
 * Shows a group without a command: help on stdout when requested, otherwise on stderr as a usage error; for JSON only
 * the error.
 */
export async function showGroup(
  { words, help, rest }: Extract<Route, { kind: 'group' }>,
  io: Io,
  json: boolean,
): Promise<number> {
  const wrong = rest.find((token) => !help && isUnknownFlag(token))
  if (wrong !== undefined || (json && !help)) {
    const whole = words === '' ? 'dray' : `dray ${words}`
    throw new AppError(
      'usage',
      wrong === undefined ? `${whole} needs a command.` : `Unknown option '${wrong.slice(0, 60)}'.`,
      { hint: `\`${whole} --help\` lists the commands.` },
    )
  }
  if (words === '') {
    const { ROOT_HELP } = await import('../generated/root-help.ts')
    await io.stdout.write(ROOT_HELP)
    return EXIT.ok
  }
  const commands = Object.entries(COMMANDS)
    .filter(([name]) => name.startsWith(`${words} `))
    .map(([name, { summary }]) => ({ words: name, summary }))
  await (help ? io.stdout : io.stderr).write(renderGroupHelp(words, commands))
  return help ? EXIT.ok : EXIT.usage
}

function isUnknownFlag(token: string): boolean {
  const [name = ''] = token.split('=', 1)
  return (
    token.startsWith('-') &&
    !GLOBAL_FLAGS.some(({ flag, short }) => [`--${flag}`, `--no-${flag}`, `-${short}`].includes(name))
  )
}
