import { describe, expect, test } from 'vitest'
import { compareEvents, compareFields } from '../../../src/commands/scenario/compare.ts'

const ANSWER = {
  status: 'placed',
  total: { amount: 900, currency: 'GBP' },
  items: [{ name: 'Soup' }, { name: 'Tea' }],
  note: null,
}

describe('a field', () => {
  test.each<[string, unknown]>([
    ['status', 'placed'],
    ['total', { currency: 'GBP', amount: 900 }],
    ['items[].name', ['Soup', 'Tea']],
    ['length(items)', 2],
    ['none', null],
    ['total.amount', { above: 899, at_most: 900 }],
    ['total.amount', { at_least: 900, below: 901 }],
    ['status', { one_of: ['placed', 'accepted'], not: 'rejected', matches: '^pl' }],
    ['items[].name', { contains: 'Tea', length: 2 }],
    ['status', { contains: 'lac', present: true }],
    ['note', { present: false }],
    ['total', { equals: { amount: 900, currency: 'GBP' } }],
  ])('%s is as %j says', (field, wanted) => {
    expect(compareFields(ANSWER, { [field]: wanted })).toEqual([])
  })

  test.each<[string, unknown, string]>([
    ['status', 'accepted', '"placed"'],
    ['total.amount', { above: 900 }, '900'],
    ['total.amount', { above: '1' }, '900'],
    ['status', { at_least: 3 }, '"placed"'],
    ['note', { present: true }, 'null'],
    ['items', { length: 3 }, '[{"name":"Soup"},{"name":"Tea"}]'],
    ['length(note)', 3, 'nothing: '],
    ['constructor', { present: true }, 'null'],
  ])('%s is not as %j says', (field, wanted, actual) => {
    const failures = compareFields(ANSWER, { [field]: wanted })
    expect(failures).toHaveLength(1)
    expect(failures[0]?.where).toBe(field)
    expect(failures[0]?.actual).toContain(actual)
  })
})

describe('events', () => {
  const seen = ['a.one', 'b.two', 'a.three'].map((type, index) => ({
    type,
    resource_id: `r${index}`,
    from: index === 0 ? null : 'x',
    to: type.slice(2),
    by: 'system',
  }))

  test.each([
    [['a.one', 'a.three']],
    [[{ type: 'b.two', resource: 'r1', from: 'x' }]],
    [['a.one', 'b.two', 'a.three']],
  ])('%j came in that order', (wanted) => expect(compareEvents(seen, wanted)).toEqual([]))

  test.each([[['a.three', 'a.one']], [['a.one', 'a.one']], [[{ type: 'b.two', resource: 'r2' }]], [[]]])(
    '%j did not',
    (wanted) => expect(compareEvents(seen, wanted)[0]?.actual).toBe('a.one, b.two, a.three'),
  )

  test('none came, as was wanted', () => expect(compareEvents([], [])).toEqual([]))
})
