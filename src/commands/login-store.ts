/** Stores the login of a profile: in the keyring of the system, or in config.json. */
import { type Config, configPath, type Profile, readConfig } from '../cli/config-file.ts'
import { readEnvironment } from '../cli/environment.ts'
import type { Runtime } from '../cli/runtime.ts'
import type { Keyring } from '../client/keyring.ts'
import type { Login, LoginStore } from '../client/session.ts'
import { AppError } from '../core/errors.ts'

type LoginStoreDeps = Pick<Runtime, 'env' | 'paths' | 'lock' | 'exclusive' | 'keyring'>

/** The store of a login: a keyring that was tested, or a file. */
export type CredentialStore = { keyring: Keyring } | { file: string }

/** Opens the login of a profile, for calls that use and renew it. Throws AppError('not_logged_in' | 'config_error'). */
export function openLoginStore(deps: LoginStoreDeps, profile: string): LoginStore {
  return {
    async read() {
      const found = findProfile(deps, profile)
      return found?.keyring === true ? readFromKeyring(deps, profile, found) : found && fromProfile(found)
    },
    async write(login) {
      const found = findProfile(deps, profile)
      if (found?.keyring === true)
        return writeToKeyring(await openFor(deps, profile), deps, { name: profile, profile: found }, login)
      const { updateConfig } = await import('../cli/config.ts')
      await updateConfig(deps, (config) => {
        const kept = config.profiles?.[profile]
        if (kept !== undefined) Object.assign(kept, toProfile(login))
      })
    },
    exclusive: (work) => exclusive(deps, profile, work),
  }
}

/** Runs a function while no other process renews, replaces or removes the profile's login. */
export async function exclusive<T>(
  deps: LoginStoreDeps,
  profile: string,
  work: () => Promise<T>,
): Promise<T> {
  const { createConfigFolder } = await import('../cli/config.ts')
  createConfigFolder(deps.paths.config)
  return deps.exclusive(`${deps.paths.config}/login-${profile}.lock`, work)
}

/** Stores a new login and returns the previous one. Throws AppError. */
export async function replaceLogin(
  deps: LoginStoreDeps,
  profile: string,
  {
    login,
    place,
    settings,
  }: { login: Login; place: CredentialStore; settings: Profile & { base_url: string } },
): Promise<Login | undefined> {
  return exclusive(deps, profile, async () => {
    const before = findProfile(deps, profile)
    // A previous login that cannot be read is replaced without an error.
    const replaced = await openLoginStore(deps, profile)
      .read()
      .catch(() => undefined)
    const inKeyring = 'keyring' in place
    if (inKeyring) await writeToKeyring(place.keyring, deps, { name: profile, profile: settings }, login)
    const { updateConfig } = await import('../cli/config.ts')
    await updateConfig(deps, (config) => {
      config.profiles ??= {}
      const kept = (config.profiles[profile] ??= {})
      deleteLogin(kept)
      Object.assign(kept, settings, inKeyring ? { keyring: true } : toProfile(login))
      if (login.account !== undefined) kept.account = login.account
    })
    if (before?.keyring === true && !inKeyring) await dropFromKeyring(deps, profile)
    return replaced
  })
}

/** Returns whether this program obtained the login and may end it; another may be in use elsewhere. */
export function isOurs({ refreshToken, client, account }: Login): boolean {
  return refreshToken !== undefined || client !== undefined || account !== undefined
}

/** Removes the login; returns false when there was none. Returns the reason when the keyring does not answer. */
export async function removeLogin(
  deps: LoginStoreDeps,
  profile: string,
): Promise<{ removed: boolean; left: string | undefined }> {
  const before = findProfile(deps, profile)
  const left = before?.keyring === true ? await dropFromKeyring(deps, profile) : undefined
  const { updateConfig } = await import('../cli/config.ts')
  const removed = await updateConfig(deps, ({ profiles = {} }) => {
    const kept = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
    return kept !== undefined && deleteLogin(kept)
  })
  return { removed, left }
}

const LOGIN_KEYS = [
  'token',
  'refresh_token',
  'client_id',
  'client_secret',
  'scope',
  'keyring',
  'account',
] as const

/** Removes all fields of a login from a profile; returns whether there were any. */
export function deleteLogin(profile: Profile): boolean {
  const held = LOGIN_KEYS.filter((key) => profile[key] !== undefined)
  for (const key of held) delete profile[key]
  return held.length > 0
}

function findProfile({ paths }: LoginStoreDeps, name: string): Profile | undefined {
  const { profiles = {} }: Config = readConfig(paths.config, () => undefined)
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined
}

function fromProfile({
  token,
  refresh_token,
  client_id,
  client_secret,
  scope,
  account,
}: Profile): Login | undefined {
  if (token === undefined) return undefined
  return {
    token,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(client_id !== undefined &&
      client_secret !== undefined && {
        client: { id: client_id, secret: client_secret, ...(scope !== undefined && { scope }) },
      }),
    ...(account !== undefined && { account }),
  }
}

function toProfile({ token, refreshToken, client }: Login): Profile {
  return {
    token,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(client !== undefined && {
      client_id: client.id,
      client_secret: client.secret,
      ...(client.scope !== undefined && { scope: client.scope }),
    }),
  }
}

/** Returns the key in the keyring, without a secret in it. Two configurations of one user have different keys. */
function nameOf({ paths }: LoginStoreDeps, profile: string): string {
  return `${profile} in ${configPath(paths.config)}`
}

async function openFor(deps: LoginStoreDeps, profile: string): Promise<Keyring> {
  if (readEnvironment(deps.env).noKeyring === true)
    throw noAnswer(
      profile,
      'DRAY_NO_KEYRING is set',
      'Unset DRAY_NO_KEYRING, or run `dray login` to store the login elsewhere.',
    )
  return deps.keyring().catch((error: Error) => {
    throw noAnswer(profile, error.message)
  })
}

async function readFromKeyring(
  deps: LoginStoreDeps,
  profile: string,
  { base_url, account }: Profile,
): Promise<Login | undefined> {
  const keyring = await openFor(deps, profile)
  const text = await keyring.read(nameOf(deps, profile)).catch((error: Error) => {
    throw noAnswer(profile, error.message)
  })
  if (text === undefined) throw noAnswer(profile, 'it is not there any more', 'Run `dray login` again.')
  const kept = parse(text)
  // A changed address in the file must not receive the token of the previous one.
  if (kept === undefined || kept.base_url !== base_url)
    throw noAnswer(
      profile,
      `it is for an address other than ${base_url ?? 'this'}`,
      'Run `dray login` again.',
    )
  return fromProfile({ ...kept, ...(account !== undefined && { account }) })
}

function parse(text: string): Profile | undefined {
  try {
    return JSON.parse(text) as Profile
  } catch {
    return undefined
  }
}

async function writeToKeyring(
  keyring: Keyring,
  deps: LoginStoreDeps,
  { name: profile, profile: { base_url } }: { name: string; profile: Profile },
  login: Login,
): Promise<void> {
  await keyring
    .write(nameOf(deps, profile), JSON.stringify({ base_url, ...toProfile(login) }))
    .catch((error: Error) => {
      throw noAnswer(profile, error.message, 'Run `dray login --no-keyring` to store the login in a file.')
    })
}

/** Removes the login from the keyring; returns the reason when that fails. */
export async function dropFromKeyring(deps: LoginStoreDeps, profile: string): Promise<string | undefined> {
  try {
    const keyring = await openFor(deps, profile)
    await keyring.remove(nameOf(deps, profile))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Returns the error of an unreadable login. A hint with `dray login` gets this profile's name. */
function noAnswer(
  profile: string,
  why: string,
  hint = 'Unlock the keyring, or run `dray login --no-keyring`.',
): AppError {
  const named =
    profile === 'default' ? hint : hint.replace('`dray login', `\`dray login --profile ${profile}`)
  return new AppError(
    'not_logged_in',
    `Cannot read the login of the profile ${profile} from the keyring: ${why}.`,
    {
      hint: named,
    },
  )
}
