import { confirmName } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { assertProfile, currentConfig, listProfiles } from '../../cli/profiles.ts'
import { missingInputError } from '../../cli/prompts.ts'
import { AppError } from '../../core/errors.ts'

export const profileRemove = defineCommand({
  words: 'profile remove',
  summary: 'Remove a profile and its token',
  description:
    'To log out on the server too, run `dray logout --profile NAME` first. An embedded store of the profile is not deleted. `dray profile remove default` makes the default profile the embedded sandbox again.',
  positionals: [{ name: 'name', description: 'the profile', required: true }],
  examples: ['dray profile remove work', 'dray profile remove work --confirm work'],
  danger: 'destructive',
  answer: { fields: ['name', 'removed'] },
  async run(cli, { name }) {
    if (typeof name !== 'string')
      throw missingInputError(cli.argv, [{ flag: 'NAME', description: 'the profile to remove' }])
    assertProfile(currentConfig(cli), name)
    const row = listProfiles(cli).find((profile) => profile.name === name)
    const what =
      row?.has_token === true ? `the profile ${name} and its token for ${row.address}` : `the profile ${name}`
    await confirmName(cli, name, `This removes ${what}.`)
    const [{ updateConfig }, { dropFromKeyring }] = await Promise.all([
      import('../../cli/config.ts'),
      import('../login-store.ts'),
    ])
    if (currentConfig(cli).profiles?.[name]?.keyring === true) {
      const left = await dropFromKeyring(cli.runtime, name)
      if (left !== undefined) await cli.say(`warning: the keyring entry was not removed: ${left}`)
    }
    const wasDefault = await updateConfig(cli.runtime, (config) => {
      if (config.profiles === undefined || !Object.hasOwn(config.profiles, name)) {
        throw new AppError('usage', `The profile ${name} has no settings to remove.`)
      }
      delete config.profiles[name]
      if (config.default_profile !== name) return false
      delete config.default_profile
      return true
    })
    if (wasDefault)
      await cli.say('It was the current profile; the current profile is now default, the embedded sandbox.')
    if (row?.kind === 'embedded') await cli.say(`Its store, if any, was not deleted: ${row.address}`)
    await printResult(
      cli,
      { name, removed: true },
      { done: 'Removed the profile {name}.', next: 'dray profile list' },
    )
    return 0
  },
})
