import type { Client, Target } from '../../src/client/client.ts'
import { openEmbedded } from '../../src/host/embedded.ts'
import type { Home } from './home.ts'

/** Nine in the morning of a Friday in London: what the machine's clock shows in these tests. */
const MACHINE_TIME = Date.parse('2026-11-20T09:00:00Z')

/** The service itself, in this process, over the store that a command of this home would open. */
export function embeddedIn(home: Home): (target: Target) => Promise<Client> {
  let drawn = 0
  return (target) => {
    if (target.kind !== 'embedded') throw new Error('there is no service to reach')
    return openEmbedded(target, {
      now: () => MACHINE_TIME,
      random: (count) => new Uint8Array(count).fill(++drawn),
      weakRandomBytes: (count) => new Uint8Array(count).fill(++drawn),
      env: home.env,
      firstRun() {},
      debug() {},
    })
  }
}
