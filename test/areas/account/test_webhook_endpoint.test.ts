import { expect, test } from 'vitest'
import { createEndpoint } from '../../support/webhooks.ts'
import { openTestSandbox } from '../../support/world.ts'

test('a test waits in the log until a service sends it', async () => {
  const world = await openTestSandbox()
  const endpoint_id = await createEndpoint(world)
  const sent = await world.ok('test_webhook_endpoint', { endpoint_id })
  expect([sent.type, sent.status, sent.attempt_count]).toEqual(['webhook.test', 'pending', 0])
})
