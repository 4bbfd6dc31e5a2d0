/** Chooses where a login will be stored, and reports it before anything is written there. */
import type { CommandContext } from '../../cli/cli.ts'
import { ConfirmationDeclined } from '../../cli/declined.ts'
import { readEnvironment } from '../../cli/environment.ts'
import { currentConfig } from '../../cli/profiles.ts'
import type { Keyring } from '../../client/keyring.ts'
import type { CredentialStore } from '../login-store.ts'

/** Returns a keyring that works, else the file, after asking the person. Throws AppError('not_confirmed'). */
export async function chooseCredentialStore(
  cli: CommandContext,
  { noKeyring, withSecret = false }: { noKeyring: boolean; withSecret?: boolean },
): Promise<CredentialStore> {
  const found = await findKeyring(cli, noKeyring)
  if (typeof found === 'object') {
    await cli.say(
      `The login${withSecret ? ', with the client secret,' : ''} goes to ${KEYRINGS[process.platform] ?? 'the keyring of your session'}.`,
    )
    return { keyring: found }
  }
  if (found !== undefined) await cli.say(`No keyring is used: ${found}.`)
  await announceFile(cli, withSecret)
  return { file: cli.settings.configFile }
}

const KEYRINGS: Readonly<Record<string, string>> = {
  darwin: 'your keychain',
  win32: 'the Windows Credential Manager',
}

const TRIAL = 'a trial that is removed at once'

/**
 * Tests a keyring by writing, reading and removing an entry: it may be locked or not running. Returns the reason when
 * there is none.
 */
async function findKeyring(
  { runtime }: CommandContext,
  noKeyring: boolean,
): Promise<Keyring | string | undefined> {
  if (noKeyring || readEnvironment(runtime.env).noKeyring === true) return undefined
  try {
    const keyring = await runtime.keyring()
    const value = Buffer.from(runtime.weakRandomBytes(9)).toString('hex')
    await keyring.write(TRIAL, value)
    const read = await keyring.read(TRIAL)
    await keyring.remove(TRIAL)
    return read === value ? keyring : 'it does not give back what it was given'
  } catch (error) {
    return (error as Error).message
  }
}

/** Asks before storing in the file, unless it already stores a login of this profile. */
async function announceFile(cli: CommandContext, withSecret: boolean): Promise<void> {
  const { profile, configFile, yes } = cli.settings
  const { token, client_secret } = currentConfig(cli).profiles?.[profile] ?? {}
  const there = token !== undefined && (!withSecret || client_secret !== undefined)
  const ask = yes || there ? undefined : await cli.ask()
  if (ask === undefined)
    return cli.say(
      `The ${withSecret ? 'token and the client secret go' : 'token goes'} to the profile ${profile} in ${configFile}, in plain text, readable only by you.`,
    )
  const agreed = await ask.confirm({
    message: `Save the token${withSecret ? ' and the client secret' : ''} in ${configFile}, in plain text, readable only by you?`,
    default: true,
  })
  if (!agreed) throw new ConfirmationDeclined('Nothing was saved; nothing changed.')
}
