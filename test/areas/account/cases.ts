import { lockEndpoint, updateEndpoint } from '../../../src/areas/account/queries/webhooks.ts'
import { defineCases } from '../../support/cases.ts'
import { createEndpoint } from '../../support/webhooks.ts'
import type { TestSandbox } from '../../support/world.ts'

/** Makes an endpoint that any credential of the account may use: it gets tests alone. */
async function made(world: TestSandbox, as: string): Promise<string> {
  const endpoint_id = await createEndpoint(world, as)
  await world.db.write(async (tx) => {
    const found = await lockEndpoint(tx, endpoint_id)
    if (found !== undefined) await updateEndpoint(tx, { ...found, types: [], scopes: ['profile.read'] })
  })
  return endpoint_id
}

/** Sends a test to a new endpoint. */
async function tested(world: TestSandbox, as: string): Promise<{ endpoint_id: string; delivery_id: string }> {
  const endpoint_id = await made(world, as)
  const { delivery_id } = await world.ok('test_webhook_endpoint', { endpoint_id }, { as })
  return { endpoint_id, delivery_id }
}

async function disabled(world: TestSandbox): Promise<{ endpoint_id: string }> {
  const endpoint_id = await createEndpoint(world)
  await world.ok('update_webhook_endpoint', { endpoint_id, enabled: false })
  return { endpoint_id }
}

export const cases = defineCases({
  stranger: 'member',
  ids: {
    endpoint_id: {
      nobodys: 'whe_01m7vkystgf7vtyybg4s0p9p1s',
      missing: 'webhook_endpoint_not_found',
      make: async (world, as) => ({ endpoint_id: await made(world, as) }),
    },
  },
  operations: {
    get_membership_status: { tool: 'reads' },
    create_webhook_endpoint: {
      tool: 'writes',
      rules: { 'an address is one that can be delivered to': /^\/url out_of_range$/ },
      secondInput: { url: 'https://shop.example/others' },
      refusals: {
        invalid_state: async ({ world, example }) => {
          for (let made = 0; made < 16; made++) await createEndpoint(world)
          return example()
        },
      },
    },
    list_account_events: {
      tool: 'reads',
      input: async () => ({ after: '0' }),
      refusals: { position_gone: { after: '999999999' } },
    },
    list_webhook_endpoints: { tool: 'reads', input: async () => ({}) },
    get_webhook_endpoint: { tool: 'reads' },
    update_webhook_endpoint: {
      tool: 'writes',
      rules: { 'an address is one that can be delivered to': /^\/url out_of_range$/ },
      secondInput: { description: 'Another till' },
    },
    rotate_webhook_secret: {
      tool: 'writes',
      secondInput: { reason: 'other' },
      afterEntitlementEnds: 'invalid_request',
    },
    test_webhook_endpoint: {
      tool: 'writes',
      secondInput: { reason: 'other' },
      afterEntitlementEnds: 'invalid_request',
      refusals: { invalid_state: ({ world }) => disabled(world) },
    },
    list_webhook_deliveries: { tool: 'reads' },
    get_webhook_delivery: {
      tool: 'reads',
      needs: tested,
      refusals: {
        webhook_delivery_not_found: async ({ example }) => ({
          ...(await example()),
          delivery_id: 'whd_01m7vkystgf7vtyybg4s0p9p1s',
        }),
      },
    },
    resend_webhooks: {
      tool: 'writes',
      secondInput: { reason: 'other' },
      afterEntitlementEnds: 'invalid_request',
      needs: tested,
      refusals: {
        webhook_delivery_not_found: async ({ example }) => ({
          ...(await example()),
          delivery_id: 'whd_01m7vkystgf7vtyybg4s0p9p1s',
        }),
        invalid_state: async ({ world }) => ({ ...(await disabled(world)), since: '2026-11-20' }),
      },
    },
    delete_webhook_endpoint: {
      tool: 'removes',
      secondInput: { reason: 'other' },
      afterEntitlementEnds: 'invalid_request',
    },
  },
})
