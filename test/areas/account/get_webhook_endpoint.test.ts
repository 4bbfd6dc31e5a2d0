import { expect, test } from 'vitest'
import { createEndpoint } from '../../support/webhooks.ts'
import { openTestSandbox } from '../../support/world.ts'

test('another account cannot see an endpoint', async () => {
  const world = await openTestSandbox()
  const endpoint_id = await createEndpoint(world)
  const { code } = await world.refused('get_webhook_endpoint', { endpoint_id }, { as: 'member' })
  expect(code).toBe('webhook_endpoint_not_found')
})
