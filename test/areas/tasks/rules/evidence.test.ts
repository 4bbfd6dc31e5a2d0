import { describe, expect, test } from 'vitest'
import {
  checkEvidenceRules,
  type EvidenceItem,
  isEvidenceSatisfied,
  judgeItem,
  computeEvidenceManifest,
  type WorkConstraints,
} from '../../../../src/areas/tasks/rules/evidence.ts'
import type { EvidenceRequirement } from '../../../../src/areas/tasks/rules/task.ts'

const RULE: EvidenceRequirement = {
  requirement_id: 'photos',
  kind: 'photo',
  label: 'The shelf',
  min_count: 1,
  max_count: 3,
  gps_required: true,
  geofence_radius_m: 150,
  max_accuracy_m: 100,
  device_timestamp_required: true,
  within_window: true,
  checklist: [],
}
const TARGET = { latitude: 51.5, longitude: -0.1 }
const HOUR = 3_600_000
const NOON = Date.parse('2026-11-20T12:00:00.000Z')
const WORK: WorkConstraints = {
  target: TARGET,
  started_at: NOON,
  window: { starts_at: NOON - HOUR, ends_at: NOON + HOUR },
}

function makeItem(over: Partial<EvidenceItem> = {}, media: Record<string, unknown> = {}): EvidenceItem {
  return {
    evidence_id: 'evd_1',
    requirement_id: 'photos',
    kind: 'photo',
    media: {
      media_id: 'med_1',
      content_type: 'image/png',
      byte_size: 3,
      sha256: 'a'.repeat(64),
      url: '/media/med_1',
      captured_at: '2026-11-20T12:01:00.000Z',
      received_at: '2026-11-20T12:01:05.000Z',
      capture_location: { ...TARGET, accuracy_m: 5 },
      device: { device_id_hash: 'd', platform: 'ios', clock_offset_ms: 0 },
      provenance: { kind: 'none' },
      integrity: { hash_verified: true, within_geofence: true, distance_to_target_m: 0, clock_skew_ok: true },
      ...media,
    },
    answers: [],
    captured_at: '2026-11-20T12:01:00.000Z',
    received_at: '2026-11-20T12:01:05.000Z',
    capture_location: { ...TARGET, accuracy_m: 5 },
    submitted_by: { provider_id: 'prv_1' },
    status: 'accepted',
    rejection_reason: null,
    ...over,
  }
}

const sound = { hash_verified: true, within_geofence: true, distance_to_target_m: 0, clock_skew_ok: true }
/** 0.0014 degrees of latitude are 156 m. */
const OUTSIDE = { latitude: 51.5014, longitude: -0.1, accuracy_m: 5 }
const EDGE = { latitude: 51.50134, longitude: -0.1, accuracy_m: 5 }

describe('an item', () => {
  test.each([
    ['is good', makeItem(), {}, null],
    [
      'arrived as other bytes',
      makeItem({}, { integrity: { ...sound, hash_verified: false } }),
      {},
      'hash_mismatch',
    ],
    ['has a wrong clock', makeItem({}, { integrity: { ...sound, clock_skew_ok: false } }), {}, 'clock_skew'],
    [
      'has a wrong clock where none is asked for',
      makeItem({}, { integrity: { ...sound, clock_skew_ok: false } }),
      { device_timestamp_required: false },
      null,
    ],
    ['is older than the work', makeItem({ captured_at: '2026-11-20T11:59:59.999Z' }), {}, 'outside_window'],
    [
      'is older by a clock that says so itself',
      makeItem(
        { captured_at: '2026-11-20T11:59:59.000Z' },
        { device: { device_id_hash: 'd', platform: 'ios', clock_offset_ms: 2000 } },
      ),
      {},
      null,
    ],
    [
      'is later than the window',
      makeItem({ captured_at: '2026-11-20T13:00:00.000Z', received_at: '2026-11-20T13:00:01.000Z' }),
      {},
      'outside_window',
    ],
    [
      'is later than a window that does not matter',
      makeItem({ captured_at: '2026-11-20T13:00:00.000Z', received_at: '2026-11-20T13:00:01.000Z' }),
      { within_window: false },
      null,
    ],
    ['is from elsewhere', makeItem({ capture_location: OUTSIDE }), {}, 'outside_geofence'],
    ['is from the edge of the fence', makeItem({ capture_location: EDGE }), {}, null],
    [
      'is from elsewhere, where that does not matter',
      makeItem({ capture_location: OUTSIDE }),
      { gps_required: false },
      null,
    ],
    [
      'does not know where it is',
      makeItem({ capture_location: { ...TARGET, accuracy_m: 101 } }),
      {},
      'outside_geofence',
    ],
  ] as const)('that %s', (_, item, over, reason) => {
    expect(judgeItem(item, { ...RULE, ...over }, WORK, null)).toBe(reason)
  })

  test('that is sound is still blurry to the eye, and one that is not is worse than blurry', () => {
    expect(judgeItem(makeItem(), RULE, WORK, 'blurry')).toBe('blurry')
    expect(judgeItem(makeItem({ capture_location: OUTSIDE }), RULE, WORK, 'blurry')).toBe('outside_geofence')
  })
})

describe('the rules', () => {
  const QUESTIONS: EvidenceRequirement = {
    ...RULE,
    requirement_id: 'check',
    kind: 'checklist',
    checklist: [
      {
        question_id: 'open',
        prompt: 'Open?',
        answer_type: 'boolean',
        required: true,
        photo_required_if: false,
      },
      { question_id: 'remark', prompt: 'Else?', answer_type: 'text', required: false },
    ],
  }
  const answer = (value: boolean) => ({
    question_id: 'open',
    answer_type: 'boolean' as const,
    value,
    answered_at: '2026-11-20T12:01:00.000Z',
  })
  const check = (over: Partial<EvidenceItem>) =>
    checkEvidenceRules([QUESTIONS], [makeItem({ requirement_id: 'check', kind: 'checklist', ...over })])

  test('count accepted items, and list rejected ones', () => {
    const items = [
      makeItem(),
      makeItem({ evidence_id: 'evd_2', status: 'rejected', rejection_reason: 'blurry' }),
    ]
    expect(checkEvidenceRules([{ ...RULE, min_count: 2 }], items)).toEqual([
      {
        requirement_id: 'photos',
        kind: 'photo',
        required: 2,
        collected: 1,
        satisfied: false,
        problems: ['evd_2 was rejected: blurry'],
      },
    ])
    expect(isEvidenceSatisfied(checkEvidenceRules([RULE], items))).toBe(true)
    expect(isEvidenceSatisfied(checkEvidenceRules([RULE], [makeItem({ status: 'pending_review' })]))).toBe(
      false,
    )
  })

  test('need the required answers, and the picture that an answer demands', () => {
    expect(check({ answers: [answer(true)], media: null })).toMatchObject([{ satisfied: true, problems: [] }])
    expect(check({ answers: [] })).toMatchObject([
      { satisfied: false, problems: ['evd_1 does not answer open'] },
    ])
    expect(check({ answers: [answer(false)], media: null })).toMatchObject([
      { satisfied: false, problems: ['evd_1 does not show open'] },
    ])
    expect(check({ answers: [answer(false)] })).toMatchObject([{ satisfied: true }])
  })
})

describe('the manifest', () => {
  const [one, two] = [makeItem(), makeItem({ evidence_id: 'evd_2' })]

  test('does not depend on the order, nor on the verdict', () => {
    expect(computeEvidenceManifest([two, one])).toEqual(computeEvidenceManifest([one, two]))
    expect(computeEvidenceManifest([{ ...one, status: 'pending_review' }, two])).toEqual(
      computeEvidenceManifest([one, two]),
    )
  })

  test('is another one for anything else that differs', () => {
    const roots = [
      computeEvidenceManifest([one, two]),
      computeEvidenceManifest([one]),
      computeEvidenceManifest([]),
      computeEvidenceManifest([{ ...one, captured_at: '2026-11-20T12:01:00.001Z' }, two]),
      computeEvidenceManifest([makeItem({}, { sha256: 'b'.repeat(64) }), two]),
    ].map(({ root }) => root)
    expect(new Set(roots).size).toBe(roots.length)
  })

  test('is a value that stays', () => {
    expect(computeEvidenceManifest([]).root).toBe(
      '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    )
  })
})
