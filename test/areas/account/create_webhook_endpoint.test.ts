import { describe, expect, test } from 'vitest'
import { createEndpoint, HOOK } from '../../support/webhooks.ts'
import { openTestSandbox } from '../../support/world.ts'

const world = await openTestSandbox()

test('an endpoint without chosen types gets all that its account may read', async () => {
  const { types, secret } = await world.ok('create_webhook_endpoint', HOOK, { as: 'shipper' })
  expect(new Set(types.map((type) => type.split('.')[0]))).toEqual(new Set(['shipment']))
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
})

test('a type that the credential may not read is rejected with the scope that it needs', async () => {
  const input = { ...HOOK, types: ['shipment.delivered', 'ride.completed'] }
  const { code, detail } = await world.refused('create_webhook_endpoint', input, { as: 'shipper' })
  expect([code, detail]).toEqual(['insufficient_scope', 'ride.completed needs the scope rides.read.'])
})

test('an endpoint without a possible event is rejected, and the error says what the credential needs', async () => {
  const credential = { account: 'member', scopes: ['profile.read'] as const }
  const { code, hint } = await world.refused('create_webhook_endpoint', HOOK, { credential })
  expect([code, hint]).toEqual(['invalid_request', expect.stringContaining('food.read')])
})

test('an account sees its own endpoints only, and each has a secret of its own', async () => {
  const [mine, other] = [await createEndpoint(world, 'member'), await createEndpoint(world, 'member')]
  const { data } = await world.ok('list_webhook_endpoints', {}, { as: 'member' })
  expect(data.map(({ endpoint_id }) => endpoint_id)).toEqual([mine, other])
  const secretOf = async (endpoint_id: string) =>
    (await world.ok('get_webhook_endpoint', { endpoint_id }, { as: 'member' })).secret
  expect(await secretOf(mine)).not.toBe(await secretOf(other))
})

describe('an address that looks right is rejected', () => {
  test.each([
    ['ftp://shop.example/', /must begin with https/],
    ['https://user:pass@shop.example/', /name or password/],
    ['https://shop.example/#part', /after #/],
    ['https://', /https:\/\/ address/],
    ['http://shop.example/hooks', /http:\/\/ is for this machine/],
    ['http://shop.example./hooks', /http:\/\/ is for this machine/],
  ])('%s', async (url, why) => {
    const { errors } = await world.refused('create_webhook_endpoint', { url })
    expect(errors?.[0]?.detail).toMatch(why)
  })
})
