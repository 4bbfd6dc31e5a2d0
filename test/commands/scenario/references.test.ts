import { describe, expect, test } from 'vitest'
import { findReferences, LostReference, resolve } from '../../../src/commands/scenario/references.ts'

const known = {
  answers: new Map<string, unknown>([
    [
      'order',
      { order_id: 'ord_1', total: { amount: 900, currency: 'GBP' }, items: [{ name: 'Soup' }], note: null },
    ],
    ['var', { pay: 'card', count: 3 }],
  ]),
  now: Date.parse('2026-11-20T12:00:00Z'),
}

describe('a reference', () => {
  test.each([
    ['${order.order_id}', 'ord_1'],
    ['${order.total}', { amount: 900, currency: 'GBP' }],
    ['${order.items[0].name}', 'Soup'],
    ['${order.note}', null],
    ['for ${order.order_id} by ${var.pay}, ${var.count} times', 'for ord_1 by card, 3 times'],
    ['${now}', '2026-11-20T12:00:00.000Z'],
    ['${now+2h}', '2026-11-20T14:00:00.000Z'],
    ['${now-30m}', '2026-11-20T11:30:00.000Z'],
    ['$${order.order_id}', '${order.order_id}'],
    ['a $ and { and }', 'a $ and { and }'],
  ])('%j is %j', (text, value) => {
    expect(resolve(text, known)).toEqual(value)
    expect(resolve({ deep: [text] }, known)).toEqual({ deep: [value] })
  })

  test.each([
    ['${order.none}', 'there is no none among order_id, total, items, note'],
    ['${order.items[1].name}', 'there is no 1'],
    ['${order.constructor}', 'there is no constructor'],
    ['${order.__proto__.x}', 'there is no __proto__'],
    ['${order.order_id.length}', 'there is no length'],
    ['${later.order_id}', 'the step later gave no answer'],
    ['x ${order.total}', 'is no text'],
  ])('%j leads nowhere', (text, problem) => {
    expect(() => resolve(text, known)).toThrow(LostReference)
    expect(() => resolve(text, known)).toThrow(problem)
  })

  test('is found wherever it is', () => {
    expect(findReferences({ a: ['${x.y}', { b: 'and ${z} but not $${w}' }], c: 3 })).toEqual(['x.y', 'z'])
  })
})
