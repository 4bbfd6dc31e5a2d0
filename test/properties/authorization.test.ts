/** Permissions for every operation of the registry (docs/rules/requests.md#records-of-other-accounts-do-not-exist). */
import { beforeAll, describe, expect, test } from 'vitest'
import { findAccount, insertToken } from '../../src/areas/account/queries/accounts.ts'
import { type Scope, SCOPES } from '../../src/core/account.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { type AnyOperation, isRead } from '../../src/core/operation.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { openWithout } from '../support/account-without.ts'
import { exampleInput } from '../support/example-input.ts'
import { exampleAt, makeCaseExample, UNKNOWN } from '../support/examples.ts'
import { newKey } from '../support/food.ts'
import { MAIN_ENGINES } from '../support/stores.ts'
import { listPrivateCells, OWN_TO_EACH, strangerTo } from '../support/strangers.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../support/world.ts'

const DAY = 86_400_000
const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
const named = operations.map((operation) => [operation.name, operation] as const)

/** The response to an account without an entitlement. */
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

/** Returns path values that name no resource. */
function nobodys({ pathParameters }: AnyOperation): Record<string, unknown> {
  return Object.fromEntries(pathParameters.map((name) => [name, UNKNOWN[name]]))
}

let minted = 0

async function tokenOf(
  world: TestSandbox,
  handle: string,
  { scopes = SCOPES, expires_at = NINE_AM + DAY }: { scopes?: readonly Scope[]; expires_at?: number } = {},
): Promise<{ token: string }> {
  const token = `dray_sbx_${++minted}`
  await world.write(async (tx) => {
    const account = await findAccount(tx, handle)
    if (account === undefined) throw new Error(`no account ${handle}`)
    const row = { token_hash: sha256Hex(token), account_id: account.account_id, scopes, expires_at }
    await insertToken(tx, { ...row, created_at: NINE_AM })
  })
  return { token }
}

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeAll(async () => {
    world = await openTestSandbox({ engine })
    await world.write(openWithout)
  })

  test.each(named)('%s answers its own account', async (name, operation) => {
    const { status, text } = await world.call(name, await makeCaseExample(world, operation), {
      key: newKey(),
    })
    expect(status, `${exampleAt(operation)}: ${text}`).toBe(operation.status)
  })

  test('every operation refuses a caller without a credential, with one that is none, and with one that is over', async () => {
    const over = await tokenOf(world, 'everything', { expires_at: NINE_AM })
    const credentials = {
      none: undefined,
      guessed: { token: 'dray_sbx_guessed' },
      empty: { token: '' },
      over,
    }
    const told: Record<string, unknown> = {}
    for (const operation of operations)
      for (const [what, credential] of Object.entries(credentials)) {
        const { status, body } = await world.call(operation.name, exampleInput(operation), { credential })
        told[`${operation.name}, ${what}`] = [status, body['code']]
      }
    const code = (cell: string) => (cell.endsWith(', none') ? 'missing_token' : 'invalid_token')
    expect(told).toEqual(Object.fromEntries(Object.keys(told).map((cell) => [cell, [401, code(cell)]])))
  })

  test('every operation takes its one scope and no other', async () => {
    const told: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const scope of SCOPES) {
      const credential = await tokenOf(world, 'everything', { scopes: [scope] })
      const rest = await tokenOf(world, 'everything', { scopes: SCOPES.filter((other) => other !== scope) })
      for (const operation of operations) {
        const { name, scope: own } = operation
        // The scope is checked first: only the operation's own scope needs an existing resource.
        const input = scope === own ? await makeCaseExample(world, operation) : exampleInput(operation)
        const { status, body } = await world.call(name, input, { credential, key: newKey() })
        told[`${name} with ${scope}`] =
          body['code'] === 'insufficient_scope' ? [status, body['required_scope']] : 'taken'
        expected[`${name} with ${scope}`] = scope === own ? 'taken' : [403, own]
        if (scope !== own) continue
        told[`${name} with all others`] = (
          await world.call(name, exampleInput(operation), { credential: rest })
        ).status
        expected[`${name} with all others`] = 403
      }
    }
    expect(told).toEqual(expected)
  })

  test('every operation gives a token no more than its account may', async () => {
    const credential = await tokenOf(world, 'owner')
    const own = (await world.db.read((tx) => findAccount(tx, 'owner')))?.scopes ?? []
    const told: [string, boolean][] = []
    for (const operation of operations) {
      const { body } = await world.call(operation.name, exampleInput(operation), { credential })
      told.push([operation.name, body['code'] === 'insufficient_scope'])
    }
    expect(told).toEqual(operations.map(({ name, scope }) => [name, !own.includes(scope)]))
  })

  test('every operation needs its entitlement, and tells which', async () => {
    const told: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const operation of operations) {
      const input = exampleInput(operation)
      const { status, body } = await world.call(operation.name, input, { as: 'without', key: newKey() })
      told[operation.name] = { ...body, status }
      // An operation without an entitlement is not rejected for one; its example may name no resource.
      const otherwise = { status: status === 404 ? 404 : operation.status }
      expected[operation.name] = REFUSED[operation.entitlement] ?? otherwise
    }
    expect(told).toMatchObject(expected)
  })

  test.each(
    named.filter(([, operation]) =>
      listPrivateCells([operation]).some(({ member }) => member !== 'quote_id'),
    ),
  )('%s tells of what somebody else has what it tells of what is not there', async (name, operation) => {
    const other = strangerTo(operation)
    const input = await makeCaseExample(world, operation, other)
    const unknown = { ...input, ...nobodys(operation) }
    const ask = (given: Record<string, unknown>) => world.call(name, given, { key: newKey() })
    const [theirs, missing] = [await ask(input), await ask(unknown)]
    expect(theirs.status).toBe(404)
    const hide = (text: string, given: Record<string, unknown>) =>
      operation.pathParameters.reduce((all, parameter) => all.replaceAll(String(given[parameter]), '…'), text)
    expect(hide(theirs.text, input)).toBe(hide(missing.text, unknown))
    const { status } = await world.call(name, input, { as: other, key: newKey() })
    expect(status, exampleAt(operation)).toBe(operation.status)
  })

  test('every path parameter has a value that is nobody’s', () => {
    const names = new Set(operations.flatMap(({ pathParameters }) => pathParameters))
    const known = (name: string): boolean => UNKNOWN[name] !== undefined || OWN_TO_EACH.includes(name)
    expect([...names].filter((name) => !known(name))).toEqual([])
  })

  test('without a membership what exists can still be read and called off', async () => {
    const lapsed = await openTestSandbox({ engine })
    const inputs = new Map<string, Record<string, unknown>>()
    for (const operation of operations) inputs.set(operation.name, await makeCaseExample(lapsed, operation))
    await lapsed.db.write((tx) =>
      tx.run(`update accounts set membership_status = 'expired', membership_end = $1`, NINE_AM - DAY),
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

  test.each([
    ['carrier_agreement_status', 'get_shipment'],
    ['business_agreement_status', 'get_business_order'],
  ] as const)(
    'an agreement that ended opens nothing any more, not even what was its own (%s)',
    async (column, name) => {
      const ended = await openTestSandbox({ engine })
      const input = await makeCaseExample(ended, await OPERATIONS[name]())
      await ended.db.write((tx) =>
        tx.run(`update accounts set ${column} = 'ended' where ${column} = 'active'`),
      )
      expect((await ended.refused(name, input)).code).toBe('agreement_required')
    },
  )
})
