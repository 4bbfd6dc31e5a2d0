import { AppError, EXIT } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { COMMANDS } from '../generated/commands.ts'
import { RESOURCES } from '../generated/resources.ts'
import { GLOBAL_FLAGS } from './globals.ts'
import { renderGroupHelp, renderRootHelp } from './help.ts'
import type { Io } from './io.ts'
import type { Route } from './route.ts'
import type { HelpOptions } from './show-help.ts'

/** Words that people know from other programs, with the commands that do it here. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  version: ['--version'],
  orders: ['food list', 'business orders list'],
  order: ['food order', 'business orders list'],
  parcels: ['carrier list'],
  shipments: ['carrier list'],
  logs: ['sandbox log'],
  clock: ['sandbox clock show'],
  snapshot: ['sandbox snapshot save'],
  catalog: ['business catalog list'],
  config: ['profile show --explain'],
  init: ['status'],
  'profile set': ['profile add --update'],
  'profile edit': ['profile add --update'],
  'profile update': ['profile add --update'],
  'profile rm': ['profile remove'],
  'profile delete': ['profile remove'],
}

/** Returns the error for unknown words: the unknown part, the likely commands, and where to look. */
export function unknownCommand(words: string, token: string, argv: readonly string[]): AppError {
  const prefix = words === '' ? '' : `${words} `
  const likely = likelyCommands(prefix, token)
  const meant = forThing(likely, argv[argv.indexOf(token) + 1] ?? '').map((name) => `\`dray ${name}\``)
  return new AppError('usage', `There is no command "dray ${prefix}${token.slice(0, 60)}".`, {
    hint:
      meant.length === 0
        ? `\`dray ${prefix}--help\` lists the commands.`
        : `Did you mean ${new Intl.ListFormat('en', { type: 'disjunction' }).format(meant)}?`,
  })
}

/** Returns the commands that are meant: one of this group with a slip, or those of other groups with this name. */
function likelyCommands(prefix: string, token: string): string[] {
  const names = Object.keys(COMMANDS)
  const heads = names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length).split(' ')[0] ?? '')
  const slip = nearest(token, [...new Set(heads)])
  const whole = prefix + token
  const elsewhere = Object.hasOwn(ELSEWHERE, whole) ? ELSEWHERE[whole] : undefined
  const others = [...(elsewhere ?? namesakes(names, token))]
  if (others.length > 0) return others
  if (slip !== undefined) return [`${prefix}${slip}`]
  const verb = nearest(token, [...new Set(names.map(lastWord))])
  return verb === undefined ? [] : namesakes(names, verb)
}

/** Picks the command for this thing among those of the same name, and adds it: the prefix of an id says its kind. */
function forThing(likely: readonly string[], typed: string): readonly string[] {
  const { area } =
    Object.values(RESOURCES).find(({ prefix, id }) =>
      prefix === undefined
        ? id === 'tracking_number' && /^[a-z]{2}\d{9}[a-z]{2}$/i.test(typed)
        : typed.startsWith(`${prefix}_`),
    ) ?? {}
  const one = likely.find((name) => name.startsWith(`${area} `))
  // A word that a shell would take otherwise is not one of these.
  return one === undefined || !/^\w+$/.test(typed) ? likely : [`${one} ${typed}`]
}

function namesakes(names: readonly string[], verb: string): string[] {
  return names.filter((name) => name.includes(' ') && lastWord(name) === verb)
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(' ') + 1)
}

/**
 * Shows a group without a command: help on stdout when requested, otherwise on stderr as a usage error; for JSON only
 * the error.
 */
export async function showGroup(
  { words, help, rest }: Extract<Route, { kind: 'group' }>,
  io: Io,
  json: boolean,
  options: HelpOptions = {},
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
    await showRoot(io, options)
    return EXIT.ok
  }
  const commands = Object.entries(COMMANDS)
    .filter(([name]) => name.startsWith(`${words} `))
    .map(([name, { summary }]) => ({ words: name, summary }))
  const { showHelp, viewOf } = await import('./show-help.ts')
  if (help) await showHelp(renderGroupHelp(words, commands, viewOf(io.stdout, io, options)), io, options)
  else await io.stderr.write(renderGroupHelp(words, commands, viewOf(io.stderr, io, options)))
  return help ? EXIT.ok : EXIT.usage
}

/** Shows the root's help. For a pipe it was made at build time. */
async function showRoot(io: Io, options: HelpOptions): Promise<void> {
  if (!io.stdout.isTTY && options.color !== 'always') {
    const { ROOT_HELP } = await import('../generated/root-help.ts')
    return io.stdout.write(ROOT_HELP)
  }
  const { showHelp, viewOf } = await import('./show-help.ts')
  const commands = Object.entries(COMMANDS).map(([words, { summary }]) => ({ words, summary }))
  await showHelp(renderRootHelp(commands, viewOf(io.stdout, io, options)), io, options)
}

function isUnknownFlag(token: string): boolean {
  const [name = ''] = token.split('=', 1)
  return (
    token.startsWith('-') &&
    !GLOBAL_FLAGS.some(({ flag, short }) => [`--${flag}`, `--no-${flag}`, `-${short}`].includes(name))
  )
}
