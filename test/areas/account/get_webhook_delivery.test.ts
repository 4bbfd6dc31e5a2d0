import { expect, test } from 'vitest'
import { createEndpoint } from '../../support/webhooks.ts'
import { openTestSandbox } from '../../support/world.ts'

test('a delivery shows the message as it is sent', async () => {
  const world = await openTestSandbox()
  const endpoint_id = await createEndpoint(world)
  const { delivery_id } = await world.ok('test_webhook_endpoint', { endpoint_id })
  const { body } = await world.ok('get_webhook_delivery', { endpoint_id, delivery_id })
  expect(JSON.parse(body)).toEqual({
    type: 'webhook.test',
    timestamp: '2026-11-20T09:00:00.000Z',
    data: { endpoint_id },
  })
  const other = await createEndpoint(world)
  const { code } = await world.refused('get_webhook_delivery', { endpoint_id: other, delivery_id })
  expect(code).toBe('webhook_delivery_not_found')
})
