/** Webhook endpoints in a test's world, and a sender over it. */
import { MAX_ENDPOINTS } from '../../src/areas/account/rules/webhooks.ts'
import type { Scope } from '../../src/core/account.ts'
import { hasDueEvents } from '../../src/db/timeline.ts'
import { makeGateway } from '../../src/gateway/gateway.ts'
import { load } from '../../src/generated/registry.ts'
import { makeWebhookSender, type SenderDeps } from '../../src/host/webhooks/sender.ts'
import { runDueEvents } from '../../src/sandbox/due-events.ts'
import type { TestSandbox } from './world.ts'

export const HOOK = { url: 'https://shop.example/hooks' }

/** Makes an endpoint of an account; with `scopes` by a credential of these alone. The oldest one makes room for it. */
export async function createEndpoint(
  world: TestSandbox,
  as = 'everything',
  { scopes, ...input }: { scopes?: readonly Scope[]; url?: string; types?: string[] } = {},
): Promise<string> {
  const { data } = await world.ok('list_webhook_endpoints', {}, { as })
  const [oldest] = data
  if (oldest !== undefined && data.length === MAX_ENDPOINTS)
    await world.ok('delete_webhook_endpoint', { endpoint_id: oldest.endpoint_id }, { as })
  const options = scopes === undefined ? { as } : { credential: { account: as, scopes } }
  return (await world.ok('create_webhook_endpoint', { ...HOOK, ...input }, options)).endpoint_id
}

/** Returns a sender over a world, and `run`, which sends until nothing is left to do now. */
export function openSender(world: TestSandbox, given: Partial<SenderDeps> = {}) {
  const notes: string[] = []
  const clock = { now: Date.now() }
  const gateway = makeGateway({
    db: world.db,
    now: () => 0,
    weakRandomBytes: (count) => new Uint8Array(count),
    load,
    hasDue: hasDueEvents,
    drain: runDueEvents,
    onBug(error) {
      throw error
    },
  })
  const errors: unknown[] = []
  const sender = makeWebhookSender({
    db: world.db,
    gateway,
    now: () => clock.now,
    holder: 'one',
    allowPrivate: true,
    note: (what) => notes.push(what),
    onError: (error) => errors.push(error),
    ...given,
  })
  return {
    ...sender,
    notes,
    errors,
    clock,
    async run() {
      while (await sender.turn());
      await sender.settled()
    },
  }
}
