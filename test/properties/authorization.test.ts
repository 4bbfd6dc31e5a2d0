/** P1 and P18: who may do what, for every operation of the registry. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Scope, SCOPES } from '../../src/domain/account.ts'
import { sha256Hex } from '../../src/domain/hash.ts'
import { type AnyOperation, isRead } from '../../src/operation.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import { openAccount } from '../../src/simulation/fixture/accounts.ts'
import { findAccount, insertToken } from '../../src/store/accounts.ts'
import { makeParcel } from '../support/parcel.ts'
import { ENGINES } from '../support/stores.ts'
import { NINE, openWorld, type TestWorld } from '../support/world.ts'

const DAY = 86_400_000
const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
const named = operations.map((operation) => [operation.name, operation] as const)

/** How somebody comes to have what a path parameter names. A new kind of parameter needs a line here. */
const MAKERS: Readonly<Record<string, (world: TestWorld, as: string) => Promise<string>>> = {
  tracking_number: async (world, as) =>
    (await world.ok('create_shipment', makeParcel({}), { as })).tracking_number,
}
/** Well formed, and nobody's. */
const UNKNOWN: Readonly<Record<string, string>> = { tracking_number: 'ZC473124829GB' }

/** What an account hears that lacks an entitlement. */
const REFUSED: Readonly<Record<string, object>> = {
  service_one: {
    status: 403,
    code: 'membership_required',
    retryable: true,
    required_entitlement: 'service_one',
  },
  carrier_agreement: {
    status: 403,
    code: 'agreement_required',
    retryable: true,
    required_entitlement: 'carrier_agreement',
  },
  business_agreement: {
    status: 403,
    code: 'agreement_required',
    retryable: true,
    required_entitlement: 'business_agreement',
  },
}

let minted = 0

async function tokenOf(
  world: TestWorld,
  handle: string,
  { scopes = SCOPES, expires_at = NINE + DAY }: { scopes?: readonly Scope[]; expires_at?: number } = {},
): Promise<{ token: string }> {
  const token = `dray_sbx_${++minted}`
  await world.write(async (tx) => {
    const account = await findAccount(tx, handle)
    if (account === undefined) throw new Error(`no account ${handle}`)
    const row = { token_hash: sha256Hex(token), account_id: account.account_id, scopes, expires_at }
    await insertToken(tx, { ...row, created_at: NINE })
  })
  return { token }
}

/** The example of an operation, on an object that `owner` really has. */
async function exampleOf(world: TestWorld, { example, pathParameters }: AnyOperation, owner = 'everything') {
  const input = { ...example }
  for (const name of pathParameters) input[name] = await MAKERS[name]?.(world, owner)
  return input
}

describe.each(ENGINES)('on $name', (engine) => {
  let world: TestWorld

  beforeAll(async () => {
    world = await openWorld({ engine })
    const terms = {
      name: 'Without',
      scopes: SCOPES,
      membership: 'none',
      carrier: false,
      business: false,
    } as const
    await world.write(async (tx, { world: settings }, now) => {
      await openAccount(tx, settings, now, { ...terms, handle: 'without' })
    })
  })

  describe.each(named)('%s', (_, operation) => {
    const call = (input: Record<string, unknown>, options: Parameters<TestWorld['call']>[2]) =>
      world.call(operation.name, input, options)

    test('answers its own account', async () => {
      const { status, text } = await call(await exampleOf(world, operation), {})
      expect(status, text).toBe(operation.status)
    })

    test('refuses a caller without a credential, with one that is none, and with one that is over', async () => {
      const over = await tokenOf(world, 'everything', { expires_at: NINE })
      for (const [credential, code] of [
        [undefined, 'missing_token'],
        [{ token: 'dray_sbx_guessed' }, 'invalid_token'],
        [{ token: '' }, 'invalid_token'],
        [over, 'invalid_token'],
      ] as const) {
        const { status, body } = await call(operation.example, { credential })
        expect({ status, code: body['code'] }).toEqual({ status: 401, code })
      }
    })

    test('takes its one scope and no other', async () => {
      const answers: Record<string, unknown> = {}
      for (const scope of SCOPES) {
        const credential = await tokenOf(world, 'everything', { scopes: [scope] })
        const { status, body } = await call(await exampleOf(world, operation), { credential })
        answers[scope] = body['code'] === 'insufficient_scope' ? [status, body['required_scope']] : 'taken'
      }
      const expected = SCOPES.map((scope) => [
        scope,
        scope === operation.scope ? 'taken' : [403, operation.scope],
      ])
      expect(answers).toEqual(Object.fromEntries(expected))
    })

    test('refuses a token with every scope but its own', async () => {
      const scopes = SCOPES.filter((scope) => scope !== operation.scope)
      const { status } = await call(operation.example, {
        credential: await tokenOf(world, 'everything', { scopes }),
      })
      expect(status).toBe(403)
    })

    test('gives a token no more than its account may', async () => {
      const owner = await tokenOf(world, 'owner')
      const own = (await world.db.read((tx) => findAccount(tx, 'owner')))?.scopes ?? []
      const { body } = await call(operation.example, { credential: owner })
      expect(body['code'] === 'insufficient_scope').toBe(!own.includes(operation.scope))
    })

    test('needs its entitlement, and tells which', async () => {
      const { status, body } = await call(operation.example, { as: 'without' })
      expect({ ...body, status }).toMatchObject(
        REFUSED[operation.entitlement] ?? { status: operation.status },
      )
    })
  })

  test.each(named.filter(([, { pathParameters }]) => pathParameters.length > 0))(
    '%s tells of what somebody else has what it tells of what is not there',
    async (name, operation) => {
      const input = await exampleOf(world, operation, 'shipper')
      const unknown = { ...input, ...UNKNOWN }
      const [theirs, nobodys] = [await world.call(name, input), await world.call(name, unknown)]
      expect(theirs.status).toBe(404)
      const hide = (text: string, given: Record<string, unknown>) =>
        operation.pathParameters.reduce(
          (all, parameter) => all.replaceAll(String(given[parameter]), '…'),
          text,
        )
      expect(hide(theirs.text, input)).toBe(hide(nobodys.text, unknown))
      expect((await world.call(name, input, { as: 'shipper' })).status).toBe(operation.status)
    },
  )

  test('every path parameter has a maker', () => {
    const names = new Set(operations.flatMap(({ pathParameters }) => pathParameters))
    expect([...names].filter((name) => MAKERS[name] === undefined || UNKNOWN[name] === undefined)).toEqual([])
  })

  test('P18: without a membership what exists can still be read and called off', async () => {
    const lapsed = await openWorld({ engine })
    const inputs = new Map<string, Record<string, unknown>>()
    for (const operation of operations) inputs.set(operation.name, await exampleOf(lapsed, operation))
    await lapsed.db.write((tx) =>
      tx.run(`update accounts set membership_status = 'expired', membership_end = $1`, NINE - DAY),
    )
    const mayStill = operations.filter(
      (operation) => isRead(operation) || operation.name.startsWith('cancel_'),
    )
    for (const { name } of mayStill) {
      const { status, text } = await lapsed.call(name, inputs.get(name))
      expect(status, `${name}: ${text}`).toBe(200)
    }
    expect((await lapsed.ok('get_membership_status')).active).toBe(false)
  })

  test('an agreement that ended opens nothing any more, not even what was its own', async () => {
    const ended = await openWorld({ engine })
    const input = await exampleOf(ended, await OPERATIONS.get_shipment())
    await ended.db.write((tx) =>
      tx.run(
        `update accounts set carrier_agreement_status = 'ended' where carrier_agreement_status = 'active'`,
      ),
    )
    expect((await ended.refused('get_shipment', input)).code).toBe('agreement_required')
  })
})
