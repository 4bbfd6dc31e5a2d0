import { defineCommand } from '../command.ts'
import { printResult } from '../print.ts'
import { assertNoDryRun } from '../profiles.ts'

export const logout = defineCommand({
  words: 'logout',
  summary: 'Remove the token, or the account, from the profile',
  description:
    'The address and everything else in the profile stay. The service still knows the token until it expires.',
  examples: ['dray logout', 'dray logout --profile work'],
  danger: 'write',
  async run(cli) {
    assertNoDryRun(cli)
    const { profile: name, sources } = cli.settings
    const { updateConfig } = await import('../config.ts')
    const removed = await updateConfig(cli.runtime, ({ profiles = {} }) => {
      const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
      if (profile?.token === undefined && profile?.account === undefined) return false
      delete profile.token
      delete profile.account
      return true
    })
    if (sources.token === 'environment')
      await cli.say('DRAY_TOKEN is set and stays in use: unset it in your shell.')
    await printResult(
      cli,
      { profile: name, logged_out: removed },
      {
        done: removed
          ? 'Logged out of the profile {profile}.'
          : 'The profile {profile} held no token and no account.',
      },
    )
    return 0
  },
})
