import { expect, test } from 'vitest'
import { load, NAMES } from '../../src/generated/registry.ts'
import { createEmbeddedClient } from '../../src/host/embedded.ts'
import { sendValidResponse, startFaults } from '../support/faults.ts'
import { openTestRemote } from '../support/remote-client.ts'
import { NOON_MS, serveStore } from '../support/served.ts'

const served = await serveStore({ registry: { NAMES, load } })
const embedded = createEmbeddedClient(served.service, 'everything', {
  now: () => NOON_MS,
  random: (count) => new Uint8Array(count),
  weakRandomBytes: (count) => new Uint8Array(count),
  env: {},
  firstRun() {},
  debug() {},
})

test('a token has the same account and scopes in this process and over HTTP', async () => {
  const token = await served.token('everything', { scopes: ['food.read', 'rides.read'] })
  const { client } = await openTestRemote(served.url, { target: { token } })
  const told = await client.whoAmI()
  expect(told).toMatchObject({ account: 'everything', accountId: expect.stringMatching(/^cus_/) })
  expect(told.scopes).toEqual(['food.read', 'rides.read'])
  expect(await embedded.whoAmI(token)).toEqual(told)
  // Without a token the caller is the account itself, with all its scopes.
  expect(await embedded.whoAmI()).toMatchObject({ accountId: told.accountId, scopes: { length: 19 } })
})

test('an expired or unknown token is rejected in both', async () => {
  const over = await served.token('everything', { expiresAt: NOON_MS })
  for (const token of [over, 'dray_sbx_guess']) {
    const { client } = await openTestRemote(served.url, { target: { token } })
    await expect(client.whoAmI()).rejects.toMatchObject({ code: 'invalid_token' })
    await expect(embedded.whoAmI(token)).rejects.toMatchObject({ code: 'invalid_token' })
  }
})

test('a service without introspection reports nothing, and that is no failure', async () => {
  const problem = {
    type: 'about:blank',
    status: 404,
    code: 'route_not_found',
    detail: 'No.',
    retryable: false,
    errors: [],
  }
  const faults = await startFaults((response) => sendValidResponse(response, 404, problem))
  const { client } = await openTestRemote(faults.url)
  expect(await client.whoAmI()).toEqual({ accountId: undefined, account: undefined, scopes: undefined })
  expect(faults.asked).toMatchObject([{ method: 'POST', url: '/oauth/introspect' }])
})
