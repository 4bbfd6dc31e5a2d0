import { expect, test } from 'vitest'
import { createEndpoint } from '../../support/webhooks.ts'
import { openTestSandbox } from '../../support/world.ts'

test('pages of deliveries hold each of them once, the newest first', async () => {
  const world = await openTestSandbox()
  const endpoint_id = await createEndpoint(world)
  const ids: string[] = []
  for (let made = 0; made < 5; made++)
    ids.unshift((await world.ok('test_webhook_endpoint', { endpoint_id })).delivery_id)
  const listed: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await world.ok('list_webhook_deliveries', {
      endpoint_id,
      limit: 2,
      ...(cursor && { cursor }),
    })
    listed.push(...page.data.map(({ delivery_id }) => delivery_id))
    cursor = page.next_cursor
  }
  expect(listed).toEqual(ids)
  expect((await world.ok('list_webhook_deliveries', { endpoint_id, status: 'failed' })).data).toEqual([])
})
