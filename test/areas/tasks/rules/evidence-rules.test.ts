import { expect, test } from 'vitest'
import { tightenEvidenceRules } from '../../../../src/areas/tasks/rules/evidence-rules.ts'
import { TASK_TYPES } from '../../../../src/areas/tasks/seed/task-types.ts'

const RULES = TASK_TYPES[0]?.evidence ?? []

test('without a wish the rules are those of the type', () => {
  expect(tightenEvidenceRules(RULES, [])).toEqual(RULES)
  expect(tightenEvidenceRules(RULES, [{ requirement_id: 'shelf_photos' }])).toEqual(RULES)
})

test('a wish makes a rule stricter and leaves the type as it is', () => {
  const before = JSON.stringify(RULES)
  const [photos] = tightenEvidenceRules(RULES, [
    { requirement_id: 'shelf_photos', min_count: 8, geofence_radius_m: 10 },
  ])
  expect(photos).toMatchObject({ min_count: 8, geofence_radius_m: 10 })
  expect(JSON.stringify(RULES)).toBe(before)
})

test('all faults are reported at once', () => {
  const refusal = () =>
    tightenEvidenceRules(RULES, [
      { requirement_id: 'shelf_photos', min_count: 1, geofence_radius_m: 999 },
      { requirement_id: 'nothing' },
    ])
  expect(refusal).toThrow(
    expect.objectContaining({
      code: 'evidence_rules_invalid',
      errors: [
        expect.objectContaining({ pointer: '/evidence_rules/0/min_count' }),
        expect.objectContaining({ pointer: '/evidence_rules/0/geofence_radius_m' }),
        expect.objectContaining({ pointer: '/evidence_rules/1/requirement_id' }),
      ],
    }),
  )
})
