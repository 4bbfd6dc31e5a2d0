import { expect, test } from 'vitest'
import { readRule } from '../../../src/commands/tasks/rules.ts'

test('reads a rule', () => {
  expect(readRule('shelf_photos min_count=4 geofence_radius_m=50')).toEqual({
    requirement_id: 'shelf_photos',
    min_count: 4,
    geofence_radius_m: 50,
  })
  expect(readRule('photos, min_count=2')).toEqual({ requirement_id: 'photos', min_count: 2 })
})

test.each(['', 'photos', 'min_count=2', 'photos min_count=two', 'photos max_count=2'])(
  'refuses %j',
  (typed) => {
    expect(() => readRule(typed)).toThrow('--rule must be like')
  },
)
