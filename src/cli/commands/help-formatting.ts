import { defineCommand } from '../command.ts'
import { formatting } from '../help-topics.ts'

export const helpFormatting = defineCommand({
  words: 'help formatting',
  summary: 'Tables, JSON, CSV, fields and queries',
  async run(cli) {
    await cli.io.stdout.write(formatting())
    return 0
  },
})
