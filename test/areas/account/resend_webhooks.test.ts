import { expect, test } from 'vitest'
import { createEndpoint } from '../../support/webhooks.ts'
import { openTestSandbox } from '../../support/world.ts'

test('one delivery or those of a time are sent again, and nothing without saying which', async () => {
  const world = await openTestSandbox()
  const endpoint_id = await createEndpoint(world)
  const { delivery_id } = await world.ok('test_webhook_endpoint', { endpoint_id })
  await world.advance(3_600_000)
  await world.ok('test_webhook_endpoint', { endpoint_id })
  const resent = async (input: object) =>
    (await world.ok('resend_webhooks', { endpoint_id, ...input })).resent
  expect(await resent({ delivery_id })).toBe(1)
  expect(await resent({ since: '2026-11-20T09:30:00Z' })).toBe(1)
  expect(await resent({ since: '2026-11-20', until: '2026-11-21' })).toBe(2)
  for (const wrong of [{}, { delivery_id, since: '2026-11-20' }, { until: '2026-11-20' }])
    expect((await world.refused('resend_webhooks', { endpoint_id, ...wrong })).code).toBe('invalid_request')
})
