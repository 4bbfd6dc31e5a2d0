import { expect, test } from 'vitest'
import type { AppError } from '../../src/core/errors.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { TOOLSETS } from '../../src/generated/toolsets.ts'
import type { Tool } from '../../src/mcp/tools.ts'
import { chooseTools, filterToolsByScopes } from '../../src/mcp/toolsets.ts'
import type { ToolFilter } from '../../src/mcp/toolsets.ts'
import INTERFACE from '../operations.json' with { type: 'json' }

const choose = (choice: Partial<ToolFilter>, all: readonly Tool[] = TOOLS): string[] =>
  chooseTools(all, { readOnly: false, toolsets: [], tools: [], exclude: [], ...choice }).map(
    ({ name }) => name,
  )

function refusal(choice: Partial<ToolFilter>): { code: string; detail: string; hint: string | undefined } {
  try {
    choose(choice)
  } catch (error) {
    const { code, message, hint } = error as AppError
    return { code, detail: message, hint }
  }
  throw new Error('it was not refused')
}

test('the tools of the interface are there by default, additional ones only by name', () => {
  expect(choose({})).toEqual(INTERFACE.map(({ operation }) => operation))
  const [tool] = TOOLS
  const all = [
    ...TOOLS,
    { ...(tool as Tool), name: 'refund_part', area: 'business' as const, toolset: 'order-help', read: false },
  ]
  const named = (choice: Partial<ToolFilter>): string[] =>
    choose(choice, all).filter((name) => name === 'refund_part')
  expect(named({})).toEqual([])
  expect(named({ exclude: ['get_ride'] })).toEqual([])
  expect(named({ toolsets: ['business'] })).toEqual([])
  expect(named({ tools: ['refund_part'] })).toEqual(['refund_part'])
  expect(choose({ toolsets: ['order-help', 'delivery'], exclude: ['get_delivery'] }, all)).toEqual([
    'quote_delivery',
    'request_delivery',
    'adjust_business_order',
    'answer_substitution',
    'report_order_problem',
    'answer_order_problem',
    'appeal_order_problem',
    'cancel_booking',
    'move_booking',
    'report_ride_problem',
    'report_delivery_problem',
    'report_booking_problem',
    'refund_part',
  ])
  expect(() => choose({ toolsets: ['order-help'], readOnly: true }, all)).toThrow('leaves no tool')
})

test('a toolset is an area, and tools named in addition are there too', () => {
  const rides = INTERFACE.filter(({ area }) => area === 'rides').map(({ operation }) => operation)
  expect(choose({ toolsets: ['rides'] })).toEqual(rides)
  expect(choose({ toolsets: ['delivery'], tools: ['get_membership_status'] })).toEqual([
    'get_membership_status',
    'quote_delivery',
    'request_delivery',
    'get_delivery',
  ])
  expect(choose({ tools: ['list_rides'] })).toEqual(['list_rides'])
})

test('what is excluded is not there, whatever else names it', () => {
  expect(
    choose({ toolsets: ['delivery'], tools: ['list_rides'], exclude: ['request_delivery', 'list_rides'] }),
  ).toEqual(['quote_delivery', 'get_delivery'])
})

test('read-only leaves the tools that read and price', () => {
  const left = choose({ readOnly: true })
  const reads = INTERFACE.filter(({ idempotency }) => idempotency === 'none')
  expect(left).toEqual(reads.map(({ operation }) => operation))
  expect(
    left.filter((name) => /^(?:place|request|book|create|cancel|accept|import|update)/.test(name)),
  ).toEqual([])
  expect(left).toContain('quote_ride')
})

test('an unknown name is rejected with those that are known', () => {
  expect(refusal({ toolsets: ['food', 'foods'] })).toEqual({
    code: 'usage',
    detail: '--toolsets: unknown "foods".',
    hint: `Did you mean food? Also available: ${TOOLSETS.filter((name) => name !== 'food').join(', ')}.`,
  })
  expect(refusal({ tools: ['order_food'] }).detail).toBe('--tools: unknown "order_food".')
  expect(refusal({ exclude: ['nothing'] }).hint).toMatch(/^Available: .*place_food_order/)
  expect(refusal({ exclude: ['GET_RIDE'] }).hint).toMatch(/^Did you mean get_ride\? Also available: /)
})

test('a choice that leaves nothing is rejected', () => {
  expect(refusal({ tools: ['request_ride'], readOnly: true })).toMatchObject({
    code: 'usage',
    detail: 'The choice leaves no tools.',
  })
})

test('a caller has the tools of its scopes; all tools when they are unknown', () => {
  const left = filterToolsByScopes(TOOLS, ['food.read', 'profile.read']).map(({ name }) => name)
  expect(left.filter((name) => !name.includes('webhook'))).toEqual([
    'get_membership_status',
    'search_restaurants',
    'get_restaurant_menu',
    'quote_food_order',
    'get_food_order',
    'list_food_orders',
    'cancel_food_order',
    'answer_substitution',
    'report_order_problem',
    'appeal_order_problem',
    'list_account_events',
  ])
  expect(filterToolsByScopes(TOOLS, undefined)).toEqual(TOOLS)
  expect(filterToolsByScopes(TOOLS, [])).toEqual([])
})
