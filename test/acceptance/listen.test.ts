/** Events on the command line, and as a stream over HTTP. */
import { expect } from 'vitest'
import { placeOrder } from '../support/customer.ts'
import { openReceiver } from '../support/receiver.ts'
import { acceptanceTest } from '../support/story.ts'

acceptanceTest('events are forwarded to an address, signed, until Ctrl-C', async (told) => {
  const receiver = await openReceiver()
  const listening = told.start(`listen --forward-to ${receiver.url} --events business_order.*`)
  const secret = await new Promise<string>((resolve) =>
    listening.onNotice((text) => {
      const [found] = /whsec_\S+/.exec(text) ?? []
      if (found !== undefined) resolve(found)
    }),
  )
  const { order_id } = await placeOrder(told)
  await receiver.arrived(1)
  const [message] = receiver.received
  expect([message?.type, message?.data['order_id']]).toEqual(['business_order.placed', order_id])
  receiver.verify(secret, message)
  listening.kill('SIGINT')
  const ended = await listening.ended
  expect(ended.exitCode).toBe(130)
  expect(ended.stdout).toContain(`business_order.placed  ${order_id}  → 200`)
  const listed = await told.dray('listen --list --after 0 --events business_order.placed --json')
  expect(listed.json()).toMatchObject({ data: [{ resource_id: order_id }], has_more: false })
})
