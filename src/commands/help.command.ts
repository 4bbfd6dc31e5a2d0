import type { CommandContext } from '../cli/cli.ts'
import type { FlagValues, Positional } from '../cli/command.ts'
import { defineCommand } from '../cli/define-command.ts'
import { writeHelpDocument } from '../cli/help-document.ts'
import { printCommandHelp, printHelpText, findHelpView } from '../cli/show-help.ts'
import { shownCommand } from '../cli/shown-command.ts'
import { reflow } from '../cli/topic-lines.ts'
import { printGroupHelp } from '../cli/unknown.ts'
import { AppError, EXIT } from '../core/errors.ts'
import { findClosestWord } from '../core/nearest.ts'
import { COMMANDS } from '../generated/commands.ts'
import { TOPICS } from './help-topics.ts'

const TOPIC = {
  name: 'topic',
  description: 'command or topic',
  choices: Object.keys(TOPICS),
  repeat: true,
} as const satisfies Positional

/** `dray help`, `dray help exit-codes`, `dray help carrier upload`. */
export const help = defineCommand({
  words: 'help',
  unshaped: true,
  summary: 'Show help on a command or topic',
  positionals: [TOPIC],
  examples: ['dray help exit-codes', 'dray help carrier upload'],
  run: printHelpTopic,
})

async function printHelpTopic(
  { io, globals, runtime }: CommandContext,
  { topic: said = [] }: FlagValues<[], [typeof TOPIC]>,
): Promise<number> {
  const words = said.join(' ')
  const json = globals.json || globals.output === 'json'
  const options = { color: globals.color, noPager: globals.noPager, json }
  const topic = Object.hasOwn(TOPICS, words) ? TOPICS[words] : undefined
  if (topic !== undefined) {
    if (json) await writeHelpDocument({ topic: words, text: topic() }, io)
    else {
      const view = findHelpView(io.stdout, io, options)
      await printHelpText(view === undefined ? topic() : reflow(topic(), view.width), io, options)
    }
    return EXIT.ok
  }
  const command = await COMMANDS[words]?.load()
  if (command !== undefined) {
    const shown = await shownCommand(command, async () => globals, runtime)
    await printCommandHelp(shown, io, options)
    return EXIT.ok
  }
  const isGroup = words === '' || Object.keys(COMMANDS).some((name) => name.startsWith(`${words} `))
  if (isGroup) return printGroupHelp({ kind: 'group', words, help: true, rest: [] }, io, false, options)
  const meant = findClosestWord(words, [...Object.keys(TOPICS), ...Object.keys(COMMANDS)])
  throw new AppError('usage', `No help topic "${words.slice(0, 60)}".`, {
    hint:
      meant === undefined
        ? `Topics: ${Object.keys(TOPICS).join(', ')}; or a command.`
        : `Did you mean \`dray help ${meant}\`?`,
  })
}
