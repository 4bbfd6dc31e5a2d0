import { expect, test } from 'vitest'
import { createEndpoint } from '../../support/webhooks.ts'
import { openTestSandbox } from '../../support/world.ts'

test('an endpoint is disabled and enabled again, and keeps what the call leaves out', async () => {
  const world = await openTestSandbox()
  const endpoint_id = await createEndpoint(world, 'everything', { types: ['ride.completed'] })
  const off = await world.ok('update_webhook_endpoint', { endpoint_id, enabled: false })
  expect([off.status, off.disabled_reason, off.types]).toEqual(['disabled', 'by_owner', ['ride.completed']])
  const on = await world.ok('update_webhook_endpoint', { endpoint_id, enabled: true, description: 'Till' })
  expect([on.status, on.disabled_reason, on.description]).toEqual(['enabled', null, 'Till'])
  expect((await world.refused('update_webhook_endpoint', { endpoint_id })).detail).toMatch(
    /^Nothing to change/,
  )
})

test('a credential that may not read what an endpoint gets cannot send it elsewhere', async () => {
  const world = await openTestSandbox()
  const endpoint_id = await createEndpoint(world, 'member')
  const credential = { account: 'member', scopes: ['profile.read'] as const }
  const { code } = await world.refused(
    'update_webhook_endpoint',
    { endpoint_id, url: 'https://elsewhere.example' },
    { credential },
  )
  expect(code).toBe('insufficient_scope')
  expect((await world.refused('get_webhook_endpoint', { endpoint_id }, { credential })).code).toBe(
    'insufficient_scope',
  )
})
