import { expect, test } from 'vitest'
import { createEndpoint } from '../../support/webhooks.ts'
import { openTestSandbox } from '../../support/world.ts'

test('a new secret replaces the one before', async () => {
  const world = await openTestSandbox()
  const endpoint_id = await createEndpoint(world)
  const { secret: before } = await world.ok('get_webhook_endpoint', { endpoint_id })
  const { secret } = await world.ok('rotate_webhook_secret', { endpoint_id })
  expect(secret).not.toBe(before)
  expect((await world.ok('get_webhook_endpoint', { endpoint_id })).secret).toBe(secret)
})
