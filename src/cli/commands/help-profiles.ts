import { defineCommand } from '../command.ts'
import { profiles } from '../help-topics.ts'

export const helpProfiles = defineCommand({
  words: 'help profiles',
  summary: 'Named settings: which service, which account',
  async run(cli) {
    await cli.io.stdout.write(profiles())
    return 0
  },
})
