/** The keyring of the user's system: Keychain, Credential Manager, or a Secret Service. Loaded only when it is used. */
import type { AsyncEntry } from '@napi-rs/keyring'

/** Secrets by name. Each call throws an Error with the reason of a failure. */
export type Keyring = {
  read(name: string): Promise<string | undefined>
  write(name: string, secret: string): Promise<void>
  /** Removes a secret; does nothing when there is none. */
  remove(name: string): Promise<void>
}

/** The used part of the package that accesses the system's keyring. */
type KeyringPackage = { AsyncEntry: new (...parts: ConstructorParameters<typeof AsyncEntry>) => KeyringEntry }
type KeyringEntry = Pick<AsyncEntry, 'getPassword' | 'setPassword' | 'deletePassword'>

const SERVICE = 'dray'
/** The timeout. It is long, because a person may have to unlock the keyring first. */
const TIMEOUT_MS = 60_000

/** Opens the system's keyring. Throws an Error with the reason when there is none. */
export async function openKeyring(load: () => Promise<KeyringPackage> = loadBinding): Promise<Keyring> {
  const { AsyncEntry: KeyringEntry } = await load()
  // The package's default on Linux is the kernel's keyring, which a restart of the machine clears.
  const entry = (name: string): KeyringEntry =>
    new KeyringEntry(SERVICE, name, { linux: { store: 'secret-service' } })
  return {
    read: (name) => asked(async () => (await entry(name).getPassword()) ?? undefined),
    write: (name, secret) => asked(() => entry(name).setPassword(secret)),
    remove: (name) => asked(async () => void (await entry(name).deletePassword())),
  }
}

async function loadBinding(): Promise<KeyringPackage> {
  try {
    return await import('@napi-rs/keyring')
  } catch {
    throw new Error('the part that speaks to it is not installed here')
  }
}

/** Waits for the keyring, with a timeout. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  let timer
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`it did not respond within ${TIMEOUT_MS / 1000} s`)),
      TIMEOUT_MS,
    )
  })
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the reason of an error, in clearer words than the system's where there are some. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (/DBus|D-Bus|ServiceUnknown|zbus/i.test(message)) return 'no Secret Service runs in this session'
  if (/no result found|locked|prompt|dismissed/i.test(message))
    return 'it is locked, or has no collection to write to'
  return message.replace(/\.$/, '')
}
