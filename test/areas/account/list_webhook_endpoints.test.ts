import { expect, test } from 'vitest'
import { createEndpoint } from '../../support/webhooks.ts'
import { openTestSandbox } from '../../support/world.ts'

test('a list shows no secret', async () => {
  const world = await openTestSandbox()
  await createEndpoint(world)
  const { data } = await world.ok('list_webhook_endpoints')
  expect(JSON.stringify(data)).not.toContain('whsec_')
  expect(data).toHaveLength(1)
})

test('a credential sees an endpoint only if it may read its events, as when it reads one', async () => {
  const world = await openTestSandbox()
  const rides = await createEndpoint(world, 'everything', { types: ['ride.completed'] })
  await createEndpoint(world, 'everything', { types: ['ride.completed', 'food_order.placed'] })
  const credential = { account: 'everything', scopes: ['profile.read', 'rides.read'] as const }
  const { data } = await world.ok('list_webhook_endpoints', {}, { credential })
  expect(data.map(({ endpoint_id }) => endpoint_id)).toEqual([rides])
})
