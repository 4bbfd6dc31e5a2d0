import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { assertProfile, listProfiles, PROFILE_FIELDS } from '../../cli/profiles.ts'
import { missingInputError } from '../../cli/prompts.ts'
import { AppError } from '../../core/errors.ts'

export const profileUse = defineCommand({
  words: 'profile use',
  summary: 'Use a profile by default',
  description:
    'The profile is used unless a flag, variable or .dray.json sets another. `dray profile use default` returns to the embedded sandbox.',
  positionals: [{ name: 'name', description: 'the profile', required: true }],
  examples: ['dray profile use work'],
  danger: 'write',
  answer: { fields: PROFILE_FIELDS },
  async run(cli, { name }) {
    if (typeof name !== 'string')
      throw missingInputError(cli.argv, [{ flag: 'NAME', description: 'the profile to use' }])
    const { updateConfig } = await import('../../cli/config.ts')
    await updateConfig(cli.runtime, (config) => {
      assertProfile(config, name)
      if (name === 'default') delete config.default_profile
      else config.default_profile = name
    })
    const row = listProfiles(cli).find((profile) => profile.name === name)
    if (row === undefined)
      throw new AppError('config_error', `The profile ${name} was removed by another command.`)
    const { profile, sources } = cli.settings
    if (profile !== name && sources.profile !== 'config' && sources.profile !== 'default') {
      await cli.say(
        `In this folder or shell ${profile} is still used: it comes from the ${sources.profile === 'flag' ? 'flag --profile' : sources.profile}.`,
      )
    }
    await printResult(
      cli,
      { ...row, in_use: true },
      {
        columns: [
          { field: 'name' },
          { field: 'address', label: row.kind === 'remote' ? 'Service' : 'Store' },
          { field: 'account' },
        ],
        done: 'The current profile is now {name}.',
        next: 'dray whoami',
      },
    )
    return 0
  },
})
