import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { EXIT } from '../../core/errors.ts'

/** `dray skill`: prints the page that tells an agent how to use dray well. */
export const skill = defineCommand({
  words: 'skill',
  unshaped: true,
  summary: 'Print the skill file for agents: how to use dray, on one page',
  description:
    'Markdown with a name and a description, for the skills folder of an agent. A running `dray serve` has the same page at /llms.txt.',
  examples: ['dray skill', 'dray skill > SKILL.md'],
  async run(cli) {
    const { SKILL } = await import('../../generated/guide.ts')
    if (cli.settings.format === 'table') await cli.io.stdout.write(SKILL)
    else await printResult(cli, { skill: SKILL })
    return EXIT.ok
  },
})
