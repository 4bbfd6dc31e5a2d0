import { expect, test } from 'vitest'
import { deleteSandboxState } from '../../../src/commands/sandbox/forget-world.ts'
import {
  isPurchaseApproved,
  listPendingApprovals,
  writeApproval,
} from '../../../src/local-state/approvals.ts'
import { parseSpendLimit } from '../../../src/mcp/spend.ts'
import { findBasket, quoteFood } from '../../support/agent-shopping.ts'
import { guardOptions, openHome, startAgent } from '../../support/agent.ts'
import { purchaseOf } from '../../support/purchases.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')

test('what an agent bought and spent in a world is forgotten with it: the same names mean something new', async () => {
  const { home, service } = await openHome()
  const { actor } = guardOptions(home)
  const limits = [parseSpendLimit('20GBP')]
  const purse = { service: actor.service, account: 'everything' }
  const agent = await startAgent(home, { service, gate: true, limits, purse })
  const first = await quoteFood(agent, await findBasket(service))
  const { quote_id } = first.quote
  const purchase = purchaseOf(first.quote, first.confirm, actor)
  writeApproval(home, purchase)
  expect((await agent.call('place_food_order', first.confirm)).problem).toBeUndefined()

  await service.control('reset', {})
  writeApproval(home, purchase)
  const target = { kind: 'embedded', store: actor.service, account: 'everything' } as const
  await deleteSandboxState({ runtime: home, settings: { target } } as unknown as Parameters<
    typeof deleteSandboxState
  >[0])

  expect(isPurchaseApproved(home, purchase, NOON)).toBe(false)
  expect(listPendingApprovals(home, NOON)).toEqual([])
  const second = await quoteFood(agent, await findBasket(service))
  expect(second.quote.quote_id).toBe(quote_id)
  const { problem } = await agent.call('place_food_order', second.confirm)
  expect(problem?.['code']).toBe('approval_required')
  writeApproval(home, purchase)
  expect((await agent.call('place_food_order', second.confirm)).problem).toBeUndefined()
})
