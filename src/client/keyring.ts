/** The keyring of the user's system: Keychain, Credential Manager, or a Secret Service. Loaded where one is used only. */
import type { AsyncEntry } from '@napi-rs/keyring'

/** Secrets by name. Each call throws an Error that says why the keyring did not do it. */
export type Keyring = {
  read(name: string): Promise<string | undefined>
  write(name: string, secret: string): Promise<void>
  /** Nothing where there is no such secret. */
  remove(name: string): Promise<void>
}

/** What this uses of the package that speaks to the system. */
type Binding = { AsyncEntry: new (...parts: ConstructorParameters<typeof AsyncEntry>) => Entry }
type Entry = Pick<AsyncEntry, 'getPassword' | 'setPassword' | 'deletePassword'>

const SERVICE = 'dray'
/** A person may have to unlock it first. */
const PATIENCE_MS = 60_000

/** Throws an Error that says why there is none. */
export async function openKeyring(load: () => Promise<Binding> = loadBinding): Promise<Keyring> {
  const { AsyncEntry: Entry } = await load()
  // Left to itself it would take the kernel's keys on Linux, which a restart of the machine forgets.
  const entry = (name: string): Entry => new Entry(SERVICE, name, { linux: { store: 'secret-service' } })
  return {
    read: (name) => asked(async () => (await entry(name).getPassword()) ?? undefined),
    write: (name, secret) => asked(() => entry(name).setPassword(secret)),
    remove: (name) => asked(async () => void (await entry(name).deletePassword())),
  }
}

async function loadBinding(): Promise<Binding> {
  try {
    return await import('@napi-rs/keyring')
  } catch {
    throw new Error('the part that speaks to it is not installed here')
  }
}

/** Waits for a keyring, but not for one that never answers. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  let timer
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`it did not answer within ${PATIENCE_MS / 1000} s`)),
      PATIENCE_MS,
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

/** The system's words, where people know better ones. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (/DBus|D-Bus|ServiceUnknown|zbus/i.test(message)) return 'no Secret Service runs in this session'
  if (/no result found|locked|prompt|dismissed/i.test(message))
    return 'it is locked, or has no collection to write to'
  return message.replace(/\.$/, '')
}
