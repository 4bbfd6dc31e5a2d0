import { defineCommand } from '../command.ts'
import { environment } from '../help-topics.ts'

export const helpEnvironment = defineCommand({
  words: 'help environment',
  summary: 'Every variable that is read',
  async run(cli) {
    await cli.io.stdout.write(environment())
    return 0
  },
})
