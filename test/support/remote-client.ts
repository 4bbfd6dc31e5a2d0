/** The HTTP client of commands, with a clock that only its own waits advance. */
import type { Client, Target } from '../../src/client/client.ts'
import { openRemote } from '../../src/client/remote.ts'
import type { LoginStore } from '../../src/client/session.ts'
import { afterFile } from './after-file.ts'
import type { Home } from './home.ts'

export type RemoteOptions = {
  target?: Partial<Extract<Target, { kind: 'remote' }>>
  env?: Record<string, string>
  /** The place where its login is kept; without it the token is not renewed. */
  kept?: LoginStore
}

export type TestRemote = {
  client: Client
  /** The duration of each wait. */
  waits: number[]
  warnings: string[]
  /** Advances its clock. */
  pass(ms: number): void
}

/** Opens a client whose waits take no time; closed after the tests of the file. */
export async function openTestRemote(
  baseUrl: string,
  { target = {}, env = {}, kept }: RemoteOptions = {},
): Promise<TestRemote> {
  const waits: number[] = []
  const warnings: string[] = []
  let clock = 0
  const client = await openRemote(
    {
      kind: 'remote',
      baseUrl,
      token: 'dray_sbx_test',
      controlToken: 'dray_ctl_test',
      timeoutMs: undefined,
      ...target,
    },
    {
      env,
      paths: { config: '/nowhere', data: '/nowhere', state: '/nowhere' },
      now: () => Date.UTC(2026, 10, 20, 12),
      elapsed: () => clock,
      random: (count) => new Uint8Array(count).fill(0x80),
      weakRandomBytes: (count) => new Uint8Array(count).fill(0x80),
      sleep: async (ms) => {
        waits.push(ms)
        clock += ms
      },
      debug() {},
      warn: (line) => warnings.push(line),
      kept,
    },
  )
  afterFile(() => client.close())
  return { client, waits, warnings, pass: (ms) => void (clock += ms) }
}

/** Returns a function that opens the service that a command of this home would reach over HTTP. */
export function remoteIn(home: Home): (target: Target) => Promise<Client> {
  let drawn = 0
  return async (target) => {
    if (target.kind !== 'remote') throw new Error('the service was to be reached over HTTP')
    return openRemote(target, {
      env: home.env,
      paths: home.paths,
      now: () => Date.UTC(2026, 10, 20, 12),
      elapsed: () => performance.now(),
      random: (count) => new Uint8Array(count).fill(++drawn),
      weakRandomBytes: (count) => new Uint8Array(count).fill(++drawn),
      sleep: () => Promise.resolve(),
      debug() {},
    })
  }
}
