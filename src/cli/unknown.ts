import { AppError, EXIT } from '../core/errors.ts'
import { findClosestWord } from '../core/nearest.ts'
import { COMMANDS } from '../generated/commands.ts'
import { RESOURCES } from '../generated/resources.ts'
import { GLOBAL_FLAGS } from './globals.ts'
import { renderGroupHelp, renderRootHelp, type CommandSummary } from './help.ts'
import type { Io } from './io.ts'
import { type CommandRoute, takesValue } from './route.ts'
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
  intents: ['pending list'],
  'food orders': ['food list'],
  'services search': ['services providers'],
  'delivery list': ['recent'],
  'services list': ['recent'],
  'tasks list': ['recent'],
  'delivery proof': ['delivery show'],
  'carrier count': ['carrier list --count'],
  'carrier manifest': ['carrier handover --manifest'],
  'profile set': ['profile add --update'],
  'profile edit': ['profile add --update'],
  'profile update': ['profile add --update'],
  'profile rm': ['profile remove'],
  'profile delete': ['profile remove'],
  'webhooks show': ['webhooks list'],
  'webhooks rotate': ['webhooks update --rotate'],
  'webhooks test': ['webhooks resend --test'],
  'webhooks delivery': ['webhooks deliveries'],
  'webhooks events': ['listen --list'],
}

/** Returns the error for unknown words: the unknown part, the likely commands, and where to look. */
export function unknownCommand(words: string, token: string, argv: readonly string[]): AppError {
  const prefix = words === '' ? '' : `${words} `
  const meant = likelyCommands(prefix, token, argv[argv.indexOf(token) + 1] ?? '')
  return new AppError('usage', `Unknown command "dray ${prefix}${token.slice(0, 60)}".`, {
    hint:
      meant.length > 0
        ? `Did you mean ${listed(meant, 'disjunction')}?`
        : `${
            words === ''
              ? ''
              : `There is ${listed(
                  ownWords(prefix).map((word) => prefix + word),
                  'conjunction',
                )}. `
          }\`dray ${prefix}--help\` lists the commands.`,
  })
}

function listed(names: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat('en', { type }).format(names.map((name) => `\`dray ${name}\``))
}

/**
 * Returns the commands that are meant: one of this group with a slip, or the one of another group for the thing that is
 * typed, or, without a group, all of this name.
 */
function likelyCommands(prefix: string, token: string, typed: string): readonly string[] {
  const whole = prefix + token
  if (Object.hasOwn(ELSEWHERE, whole)) return forThing(ELSEWHERE[whole] ?? [], typed)
  const names = Object.keys(COMMANDS)
  const same = forThing(namesakes(names, token), typed)
  if (same.length > 0 && (prefix === '' || same[0]?.endsWith(` ${typed}`))) return same
  const slip = findClosestWord(token, ownWords(prefix))
  if (slip !== undefined) return [`${prefix}${slip}`]
  const verb = prefix === '' ? findClosestWord(token, [...new Set(names.map(lastWord))]) : undefined
  return verb === undefined ? [] : forThing(namesakes(names, verb), typed)
}

/** The words that follow those of a group. */
function ownWords(prefix: string): string[] {
  const heads = Object.keys(COMMANDS)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length).split(' ')[0] ?? '')
  return [...new Set(heads)]
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
export async function printGroupHelp(
  { words, help, rest }: Extract<CommandRoute, { kind: 'group' }>,
  io: Io,
  json: boolean,
  options: HelpOptions = {},
): Promise<number> {
  const whole = words === '' ? 'dray' : `dray ${words}`
  const fault = help ? undefined : (flagFault(rest) ?? (json ? `${whole} needs a command.` : undefined))
  if (fault !== undefined)
    throw new AppError('usage', fault, { hint: `\`${whole} --help\` lists the commands.` })
  if (help && options.json) {
    const { groupDocument, writeHelpDocument } = await import('./help-document.ts')
    await writeHelpDocument(groupDocument(words, commandsOf(words)), io)
    return EXIT.ok
  }
  if (words === '') {
    await printRootHelp(io, options)
    return EXIT.ok
  }
  const commands = commandsOf(words)
  const { printHelpText, findHelpView } = await import('./show-help.ts')
  if (help)
    await printHelpText(renderGroupHelp(words, commands, findHelpView(io.stdout, io, options)), io, options)
  else await io.stderr.write(renderGroupHelp(words, commands, findHelpView(io.stderr, io, options)))
  return help ? EXIT.ok : EXIT.usage
}

/** Shows the root's help. For a pipe it was made at build time. */
async function printRootHelp(io: Io, options: HelpOptions): Promise<void> {
  if (!io.stdout.isTTY && options.color !== 'always') {
    const { ROOT_HELP } = await import('../generated/root-help.ts')
    return io.stdout.write(ROOT_HELP)
  }
  const { printHelpText, findHelpView } = await import('./show-help.ts')
  await printHelpText(renderRootHelp(commandsOf(''), findHelpView(io.stdout, io, options)), io, options)
}

/** Returns the commands of a group; all of them for no words. */
function commandsOf(group: string): CommandSummary[] {
  return Object.entries(COMMANDS)
    .filter(([words]) => group === '' || words.startsWith(`${group} `))
    .map(([words, { summary }]) => ({ words, summary }))
}

/** Returns the fault in the flags of a line without a command. */
function flagFault(rest: readonly string[]): string | undefined {
  for (let at = 0; at < rest.length; at++) {
    const token = rest[at] ?? ''
    if (isUnknownFlag(token)) return `Unknown option '${token.slice(0, 60)}'.`
    if (takesValue(token) && (rest[++at] ?? '-').startsWith('-')) return `${token} needs a value.`
  }
  return undefined
}

function isUnknownFlag(token: string): boolean {
  const [name = ''] = token.split('=', 1)
  return (
    token.startsWith('-') &&
    !GLOBAL_FLAGS.some(({ flag, short }) => [`--${flag}`, `--no-${flag}`, `-${short}`].includes(name))
  )
}
