import type { Cli } from '../cli/cli.ts'
import type { Given, Positional } from '../cli/command.ts'
import { defineCommand } from '../cli/define-command.ts'
import { writeDocument } from '../cli/help-document.ts'
import { showCommand, showHelp as show, viewOf } from '../cli/show-help.ts'
import { shownCommand } from '../cli/shown-command.ts'
import { reflow } from '../cli/topic-lines.ts'
import { showGroup } from '../cli/unknown.ts'
import { AppError, EXIT } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
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
  { io, globals, runtime }: Cli,
  { topic: said = [] }: Given<[], [typeof TOPIC]>,
): Promise<number> {
  const words = said.join(' ')
  const json = globals.json || globals.output === 'json'
  const options = { color: globals.color, noPager: globals.noPager, json }
  const topic = Object.hasOwn(TOPICS, words) ? TOPICS[words] : undefined
  if (topic !== undefined) {
    if (json) await writeDocument({ topic: words, text: topic() }, io)
    else {
      const view = viewOf(io.stdout, io, options)
      await show(view === undefined ? topic() : reflow(topic(), view.width), io, options)
    }
    return EXIT.ok
  }
  const command = await COMMANDS[words]?.load()
  if (command !== undefined) {
    const shown = await shownCommand(command, async () => globals, runtime)
    await showCommand(shown, io, options)
    return EXIT.ok
  }
  const isGroup = words === '' || Object.keys(COMMANDS).some((name) => name.startsWith(`${words} `))
  if (isGroup) return showGroup({ kind: 'group', words, help: true, rest: [] }, io, false, options)
  const meant = nearest(words, [...Object.keys(TOPICS), ...Object.keys(COMMANDS)])
  throw new AppError('usage', `No help topic "${words.slice(0, 60)}".`, {
    hint:
      meant === undefined
        ? `Topics: ${Object.keys(TOPICS).join(', ')}; or a command.`
        : `Did you mean \`dray help ${meant}\`?`,
  })
}
