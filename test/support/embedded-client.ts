import { existsSync } from 'node:fs'
import { type AnyCall, type Client, type Target, withOperationTypes } from '../../src/client/client.ts'
import { openEmbedded } from '../../src/host/embedded.ts'
import { seedOptions } from '../../src/sandbox/seed.ts'
import type { Home } from './home.ts'
import { copySeeded } from './originals.ts'
import { ENGINES } from './stores.ts'

const [SQLITE] = ENGINES

/** The machine's time in these tests: a Friday in London, nine in the morning. */
const MACHINE_TIME = Date.parse('2026-11-20T09:00:00Z')

/** Returns a function that opens the service in this process, over the store that a command of this home would open. */
export function embeddedIn(home: Home): (target: Target) => Promise<Client> {
  let drawn = 0
  return async (target) => {
    if (target.kind !== 'embedded') throw new Error('there is no service to reach')
    const deps = {
      now: () => MACHINE_TIME,
      random: (count: number) => new Uint8Array(count).fill(++drawn),
      weakRandomBytes: (count: number) => new Uint8Array(count).fill(++drawn),
      env: home.env,
      firstRun() {},
      debug() {},
    }
    const { store } = target
    if (SQLITE !== undefined && store.startsWith('/') && !existsSync(store))
      await copySeeded(SQLITE, seedOptions(deps), store)
    return openEmbedded(target, deps)
  }
}

/** Returns a function that opens that service for calls which go through another one: `around` makes it of the real one. */
export function embeddedThrough(
  home: Home,
  around: (call: AnyCall) => AnyCall,
): (target: Target) => Promise<Client> {
  return async (target) => {
    const client = await embeddedIn(home)(target)
    return { ...client, call: withOperationTypes(around(client.call)) }
  }
}
