import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Command } from '../../../src/cli/define-command.ts'
import { sandboxApprove } from '../../../src/commands/sandbox/approve.command.ts'
import { loadOperation } from '../../../src/generated/commands.ts'
import { openService } from '../../../src/host/embedded.ts'
import { openLogins } from '../../../src/host/hosting.ts'
import { GRANT_TYPES, type Logins } from '../../../src/oauth/service.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'

const sandboxAccountClient = await loadOperation('create_client')

const FROZEN = { DRAY_NOW: '2026-11-20T09:00:00Z' }

const run = (home: Home, command: Command, ...argv: string[]) =>
  runCommand(home, command, argv, { openClient: embeddedIn(home) })

/** Opens the logins of a store, as a server does. */
async function withLogins<T>(home: Home, work: (logins: Logins) => Promise<T>): Promise<T> {
  const parts = { now: () => 0, random: randomBytes, weakRandomBytes: randomBytes }
  const service = await openService(
    { store: `${home.paths.data}/default/dray.db` },
    { ...parts, env: home.env, firstRun() {}, debug() {} },
  )
  try {
    return await work(openLogins(service, parts))
  } finally {
    await service.db.close()
  }
}

const NOTHING = {
  clientId: 'dray-cli',
  secret: undefined,
  deviceCode: undefined,
  refreshToken: undefined,
  scope: undefined,
}

const start = (home: Home) =>
  withLogins(home, (logins) => logins.startDevice({ ...NOTHING, scope: 'food.read', device: 'A kiosk' }))
const poll = (home: Home, deviceCode: string) =>
  withLogins(home, (logins) => logins.exchange({ ...NOTHING, grantType: GRANT_TYPES.device, deviceCode }))

test('the login of a device is approved by its code, for an account or for that of the profile', async () => {
  using home = makeHome(FROZEN)
  const one = await start(home)
  const ran = await run(home, sandboxApprove, one.userCode.toLowerCase(), '--account', 'member')
  expect(ran.code).toBe(0)
  expect(ran.err).toMatch(/^A kiosk can log in as member\.$/m)
  expect(ran.out).toContain(`user_code\t${one.userCode}\nstatus\tapproved\n`)
  expect((await poll(home, one.deviceCode)).tokens.scope).toBe('food.read')

  const other = await start(home)
  const own = await run(home, sandboxApprove, other.userCode, '--as', 'guest', '--json')
  expect(own.json()).toMatchObject({ handle: 'guest', status: 'approved', scopes: ['food.read'] })
  const again = await run(home, sandboxApprove, other.userCode)
  expect(again.error).toMatchObject({ code: 'invalid_state', exitCode: 7 })
})

test('the login of a device is denied', async () => {
  using home = makeHome(FROZEN)
  const { deviceCode, userCode } = await start(home)
  const ran = await run(home, sandboxApprove, userCode, '--deny')
  expect(ran.err).toMatch(/^A kiosk was denied access\.$/m)
  await expect(poll(home, deviceCode)).rejects.toMatchObject({ code: 'access_denied' })
  const both = await run(home, sandboxApprove, userCode, '--deny', '--account', 'member')
  expect(both.error?.message).toContain('leave out --account')
})

test('a code that no device shows is rejected, and the error says what to compare', async () => {
  using home = makeHome(FROZEN)
  const ran = await run(home, sandboxApprove, 'BBBB-BBBB')
  expect(ran.error).toMatchObject({ code: 'invalid_request', exitCode: 6 })
  expect(ran.error?.hint).toContain('on the device')
})

test('an account gets a program, and its secret is shown this once', async () => {
  using home = makeHome(FROZEN)
  const made = await run(home, sandboxAccountClient, 'shipper', '--scope', 'shipments.read', '--json')
  const { client_id: clientId, client_secret: secret } = made.json() as Record<string, string>
  const { tokens } = await withLogins(home, (logins) =>
    logins.exchange({ ...NOTHING, clientId, secret, grantType: GRANT_TYPES.client }),
  )
  expect(tokens.scope).toBe('shipments.read')
  const shown = await run(home, sandboxAccountClient, 'owner')
  expect(shown.err).toContain('Save the secret now')
  expect(shown.out).toMatch(/client_secret\s+dray_sec_[\w-]{43}\n/)
})
