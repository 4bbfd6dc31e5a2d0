import { describe, expect, test } from 'vitest'
import { openKeyring } from '../../src/client/keyring.ts'

/** Imitates the keyring package with a map in memory. */
function bindingOver(secrets: Map<string, string>, fail?: string) {
  const asked: unknown[][] = []
  class AsyncEntry {
    private readonly name: string

    constructor(service: string, name: string, options?: unknown) {
      asked.push([service, name, options])
      this.name = `${service}/${name}`
      if (fail !== undefined) throw new Error(fail)
    }

    async getPassword(): Promise<string | null> {
      return secrets.get(this.name) ?? null
    }

    async setPassword(secret: string): Promise<void> {
      secrets.set(this.name, secret)
    }

    async deletePassword(): Promise<boolean> {
      return secrets.delete(this.name)
    }
  }
  return { asked, load: () => Promise.resolve({ AsyncEntry }) }
}

describe('a keyring', () => {
  test('stores, returns and removes secrets under the name of this program', async () => {
    const secrets = new Map<string, string>()
    const keyring = await openKeyring(bindingOver(secrets).load)
    await keyring.write('work', 'secret')
    expect([...secrets]).toEqual([['dray/work', 'secret']])
    expect(await keyring.read('work')).toBe('secret')
    expect(await keyring.read('other')).toBeUndefined()
    await keyring.remove('work')
    await keyring.remove('work')
    expect(secrets.size).toBe(0)
  })

  test('survives a restart of the machine: it is never the kernel’s keyring', async () => {
    const { asked, load } = bindingOver(new Map())
    await (await openKeyring(load)).read('work')
    expect(asked).toEqual([['dray', 'work', { linux: { store: 'secret-service' } }]])
  })

  test.each([
    [
      'Platform failure: DBus error: set your DBUS_SESSION_BUS_ADDRESS',
      'no Secret Service runs in this session',
    ],
    [
      "Couldn't access platform storage: Secret Service: no result found",
      'it is locked, or has no collection to write to',
    ],
    ['The user name or passphrase is wrong.', 'The user name or passphrase is wrong'],
  ])('that says “%s” is told as “%s”', async (said, told) => {
    const keyring = await openKeyring(bindingOver(new Map(), said).load)
    await expect(keyring.read('work')).rejects.toThrow(told)
    await expect(keyring.write('work', 'secret')).rejects.toThrow(told)
  })
})
