import type { Keyring } from '../../src/client/keyring.ts'

/** Returns a keyring in memory whose secrets a test can read. */
export function memoryKeyring(broken: Partial<Keyring> = {}): Keyring & { secrets: Map<string, string> } {
  const secrets = new Map<string, string>()
  return {
    secrets,
    read: async (name) => secrets.get(name),
    write: async (name, secret) => void secrets.set(name, secret),
    remove: async (name) => void secrets.delete(name),
    ...broken,
  }
}
