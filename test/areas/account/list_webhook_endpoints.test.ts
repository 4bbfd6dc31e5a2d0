import { expect, test } from 'vitest'
import { createEndpoint } from '../../support/webhooks.ts'
import { openWorld } from '../../support/world.ts'

test('a list shows no secret', async () => {
  const world = await openWorld()
  await createEndpoint(world)
  const { data } = await world.ok('list_webhook_endpoints')
  expect(JSON.stringify(data)).not.toContain('whsec_')
  expect(data).toHaveLength(1)
})
