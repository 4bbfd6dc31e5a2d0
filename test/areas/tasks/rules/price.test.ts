import { expect, test } from 'vitest'
import {
  countPhotos,
  countQuestions,
  priceTask,
  type TaskPriceInput,
} from '../../../../src/areas/tasks/rules/price.ts'
import { TASK_TYPES } from '../../../../src/areas/tasks/seed/task-types.ts'
import { gbp } from '../../../support/money.ts'

const AUDIT = TASK_TYPES[0]
if (AUDIT === undefined) throw new Error('there is a first type')

const JOB: TaskPriceInput = {
  base_price: gbp(1200),
  included_photos: 2,
  typical_duration_minutes: 20,
  questions: 4,
  rules: AUDIT.evidence,
  urgency: 'standard',
  estimated_minutes: null,
  road_distance_m: 2000,
}

test('options that are not requested cost nothing and have no line', () => {
  expect(priceTask(JOB)).toEqual({
    lines: [{ type: 'base', amount: gbp(1200) }],
    total: gbp(1200),
    tax_included: gbp(200),
    callout_fee: gbp(300),
  })
  expect(priceTask({ ...JOB, estimated_minutes: 5 }).total).toEqual(gbp(1200))
})

test('travel beyond two kilometres is charged, to the nearest penny', () => {
  const travel = (road_distance_m: number) => priceTask({ ...JOB, road_distance_m }).total.amount - 1200
  expect([2008, 2009, 3000, 7500].map(travel)).toEqual([0, 1, 60, 330])
})

test('photos beyond those included and questions beyond the type’s own cost', () => {
  const [photos, check] = AUDIT.evidence
  if (photos === undefined || check === undefined) throw new Error('the audit has two requirements')
  const [question] = check.checklist
  if (question === undefined) throw new Error('the check has questions')
  const rules = [
    { ...photos, min_count: 4 },
    { ...check, checklist: [...check.checklist, { ...question, question_id: 'more' }] },
  ]
  expect([countPhotos(rules), countQuestions(rules)]).toEqual([4, 5])
  expect(priceTask({ ...JOB, rules }).lines).toContainEqual({ type: 'extra_evidence', amount: gbp(125) })
})

test('the call-out is never more than the price', () => {
  const free = priceTask({ ...JOB, base_price: gbp(0), road_distance_m: 12_000 })
  expect(free.callout_fee).toEqual(free.total)
})
