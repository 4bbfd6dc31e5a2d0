import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { currentConfig } from '../../cli/profiles.ts'
import type { Login } from '../../client/session.ts'
import { AppError } from '../../core/errors.ts'
import { connect } from './connect.ts'

export const logout = defineCommand({
  words: 'logout',
  summary: 'Log out of the profile’s server',
  description:
    'Revokes the login on the server and removes it from the keyring or file; the profile keeps its URL and other settings. ' +
    'If the server cannot be reached, the login is still removed here. A token that you set by hand stays valid on its server.',
  examples: ['dray logout', 'dray logout --profile work'],
  danger: 'write',
  answer: { fields: ['profile', 'logged_out', 'revoked'] },
  async run(cli) {
    const { settings, runtime } = cli
    const { exclusive, openLoginStore, removeLogin } = await import('../login-store.ts')
    const ended = await exclusive(runtime, settings.profile, async () => {
      const kept = await openLoginStore(runtime, settings.profile)
        .read()
        .catch((error: unknown) => error as Error)
      const revoked = kept === undefined ? false : await revoke(cli, kept)
      return { revoked, ...(await removeLogin(runtime, settings.profile)) }
    })
    if (ended.left !== undefined) await cli.say(`warning: the keyring entry was not removed: ${ended.left}`)
    if (settings.sources.token === 'environment')
      await cli.say('DRAY_TOKEN is set and stays in use: unset it in your shell.')
    await printResult(
      cli,
      { profile: settings.profile, logged_out: ended.removed, revoked: ended.revoked },
      {
        done: ended.removed
          ? 'Logged out of the profile {profile}.'
          : 'The profile {profile} has no token and no account.',
      },
    )
    return 0
  },
})

/**
 * Revokes the login at the service; returns whether it did. A failure is reported, and the local login is removed
 * anyway.
 */
async function revoke(cli: CommandContext, login: Login | Error): Promise<boolean> {
  const address = currentConfig(cli).profiles?.[cli.settings.profile]?.base_url
  if (address === undefined) return false
  try {
    if (login instanceof Error) throw login
    const { isOurs } = await import('../login-store.ts')
    if (!isOurs(login)) {
      await cli.say('The token was set by hand and stays valid: revoke it on its server.')
      return false
    }
    const { revokeLogin } = await import('../../client/oauth.ts')
    const { send, close } = await connect(cli, address)
    try {
      await revokeLogin(send, login)
      return true
    } finally {
      await close()
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await cli.say(`warning: ${error.message} The login may stay valid on the server until it expires.`)
    return false
  }
}
