import { defineCommand } from '../command.ts'
import { exitCodes } from '../help-topics.ts'

export const helpExitCodes = defineCommand({
  words: 'help exit-codes',
  summary: 'What each exit code means',
  async run(cli) {
    await cli.io.stdout.write(exitCodes())
    return 0
  },
})
