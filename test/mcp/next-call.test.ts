import { expect, test } from 'vitest'
import { AppError, ERRORS } from '../../src/core/errors.ts'
import type { ErrorCode } from '../../src/core/errors.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { nextCall } from '../../src/mcp/next-call.ts'
import type { Tool } from '../../src/mcp/tools.ts'

const NAMES = new Set(TOOLS.map(({ name }) => name))
const MEMBERS = new Set(TOOLS.flatMap(({ listed }) => Object.keys(listed.inputSchema.properties)))

function suggestNextCall(code: ErrorCode, tool: string): string | undefined {
  return nextCall(new AppError(code, 'It did not work.'), TOOLS.find(({ name }) => name === tool) as Tool)
}

test('after a failure an agent gets the name of a tool, not a command', () => {
  expect(suggestNextCall('quote_expired', 'place_food_order')).toBe(
    'Call quote_food_order again, show the new price, and call place_food_order with its quote_id once it is agreed to.',
  )
  expect(suggestNextCall('quote_expired', 'request_ride')).toContain('quote_ride')
  expect(suggestNextCall('slot_unavailable', 'book_service')).toContain('get_provider_availability')
  expect(suggestNextCall('shipment_not_found', 'get_shipment')).toContain('list_shipments')
  expect(suggestNextCall('item_not_found', 'update_catalog_item')).toContain('list_catalog_items')
  expect(suggestNextCall('item_not_found', 'quote_food_order')).toContain('get_restaurant_menu')
  expect(suggestNextCall('not_cancellable', 'cancel_ride')).toContain('get_ride')
})

test('for every failure of every tool the hint names existing tools and arguments', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  for (const code of codes) {
    for (const tool of TOOLS) {
      const text = suggestNextCall(code, tool.name) ?? ''
      const unknown = (text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).filter(
        (word) => !NAMES.has(word) && !MEMBERS.has(word),
      )
      expect((text.match(/`[^`]*`/g) ?? []).filter((command) => command !== '`dray login`')).toEqual([])
      expect({ code, tool: tool.name, unknown, text }).toEqual({
        code,
        tool: tool.name,
        // Ids in responses.
        unknown: unknown.filter((word) => word.endsWith('_id')),
        text: expect.not.stringMatching(/[{}]/),
      })
    }
  }
})

test('a wait is given in seconds, and a full local disk by its own hint', () => {
  const tool = TOOLS.find(({ name }) => name === 'get_ride') as Tool
  const busy = new AppError('rate_limited', 'Too many.', { extra: { retry_after_seconds: 17 } })
  expect(nextCall(busy, tool)).toBe(
    'Wait 17 s, then call get_ride again with the same arguments: nothing is done twice.',
  )
  const full = new AppError('storage_full', 'No line.', { hint: 'Free disk space.' })
  expect(nextCall(full, tool)).toBe('Free disk space.')
})
