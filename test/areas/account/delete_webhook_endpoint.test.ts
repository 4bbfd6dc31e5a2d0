import { expect, test } from 'vitest'
import { createEndpoint } from '../../support/webhooks.ts'
import { openTestSandbox } from '../../support/world.ts'

test('a deleted endpoint is gone with its log', async () => {
  const world = await openTestSandbox()
  const endpoint_id = await createEndpoint(world)
  await world.ok('test_webhook_endpoint', { endpoint_id })
  await world.ok('delete_webhook_endpoint', { endpoint_id })
  expect((await world.refused('list_webhook_deliveries', { endpoint_id })).code).toBe(
    'webhook_endpoint_not_found',
  )
})
