/** The login service over a test's world, with a machine's clock that the test moves. */
import { randomBytes } from 'node:crypto'
import type { Scope } from '../../src/core/account.ts'
import { decideDevice, type DeviceDecision } from '../../src/oauth/device.ts'
import { GRANT_TYPES, type Logins, makeLogins, type TokenRequest } from '../../src/oauth/service.ts'
import type { Tokens } from '../../src/oauth/token.ts'
import { callTestControl } from './control.ts'
import type { TestSandbox } from './world.ts'

export type TestLogins = Logins & {
  /** The machine's clock, in milliseconds. */
  machine: { now: number }
  /** Starts a device; returns its device code and its user code. */
  codes(scope?: string): Promise<{ deviceCode: string; userCode: string }>
  decide(decision: DeviceDecision): Promise<unknown>
  /** Polls for the tokens of a device. */
  poll(deviceCode: string): Promise<Tokens>
  refresh(refreshToken: string | undefined, scope?: string): Promise<Tokens>
  /** Approves a device for an account and returns its tokens. */
  login(account: string, scope?: string): Promise<Tokens>
  /** Creates a program of an account. */
  client(account: string, scopes?: readonly Scope[]): Promise<{ clientId: string; secret: string }>
  /** Sends a token request with only these parameters. */
  ask(request: Partial<TokenRequest>): Promise<Tokens>
  /** Calls an operation with this access token. Returns its status, and the error code of a refusal. */
  probe(token: string, operation?: string): Promise<[number, unknown]>
}

const PUBLIC = { clientId: 'dray-cli', secret: undefined }

export function loginsOver(world: TestSandbox): TestLogins {
  const machine = { now: 0 }
  const logins = makeLogins(world.db, { now: () => machine.now, random: randomBytes })
  let clients = 0

  const ask: TestLogins['ask'] = async (request) => {
    const { tokens } = await logins.exchange({
      ...PUBLIC,
      grantType: undefined,
      deviceCode: undefined,
      refreshToken: undefined,
      scope: undefined,
      ...request,
    })
    return tokens
  }
  const codes: TestLogins['codes'] = (scope) => logins.startDevice({ ...PUBLIC, scope, device: 'A laptop' })
  const decide: TestLogins['decide'] = (decision) =>
    world.write((tx, _stored, now) => decideDevice(tx, decision, now))
  const poll: TestLogins['poll'] = (deviceCode) => ask({ grantType: GRANT_TYPES.device, deviceCode })

  return {
    ...logins,
    machine,
    ask,
    codes,
    decide,
    poll,
    refresh: (refreshToken, scope) => ask({ grantType: GRANT_TYPES.refresh, refreshToken, scope }),
    async login(account, scope) {
      const { deviceCode, userCode } = await codes(scope)
      await decide({ userCode, approve: true, accountId: account })
      return poll(deviceCode)
    },
    async client(account, scopes) {
      const made = await callTestControl(
        world,
        'create_client',
        { account, ...(scopes !== undefined && { scopes }) },
        // A test's random numbers repeat, so each client gets its own seed.
        { seedOfChance: ++clients },
      )
      return { clientId: made.client_id, secret: made.client_secret }
    },
    async probe(token, operation = 'get_membership_status') {
      const { status, body } = await world.call(operation, {}, { credential: { token } })
      return [status, body['code']]
    },
  }
}
