import { defineCommand } from '../command.ts'
import { sandbox } from '../help-topics.ts'

export const helpSandbox = defineCommand({
  words: 'help sandbox',
  summary: 'The simulated world and its clock',
  async run(cli) {
    await cli.io.stdout.write(sandbox())
    return 0
  },
})
