/** Events reach a receiver in another process than the service. */
import { expect } from 'vitest'
import { placeOrder } from '../support/customer.ts'
import { openReceiver } from '../support/receiver.ts'
import { servedAcceptanceTest } from '../support/story.ts'

servedAcceptanceTest('a store is called back about its orders, and sees what was sent', async (told) => {
  const receiver = await openReceiver()
  const types = '--types business_order.placed,business_order.accepted'
  const made = (await told.dray(`webhooks create ${receiver.url} ${types} --json`)).json<{
    endpoint_id: string
    secret: string
  }>()
  const { order_id } = await placeOrder(told)
  await receiver.arrived(1)
  await told.dray(`business orders accept ${order_id} --json`)
  await receiver.arrived(2)
  expect(receiver.received.map(({ type, data }) => [type, data['order_id'], data['status']])).toEqual([
    ['business_order.placed', order_id, 'placed'],
    ['business_order.accepted', order_id, 'accepted'],
  ])
  for (const message of receiver.received) receiver.verify(made.secret, message)
  await told.dray(`webhooks delete ${made.endpoint_id} --confirm ${made.endpoint_id} --json`)
  expect((await told.dray('webhooks list --json')).json<{ data: unknown[] }>().data).toEqual([])
})
