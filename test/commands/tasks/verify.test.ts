import { expect, test } from 'vitest'
import { type EvidenceItem, computeEvidenceManifest } from '../../../src/areas/tasks/rules/evidence.ts'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { verifyEvidence } from '../../../src/commands/tasks/verify.ts'
import { sha256Hex } from '../../../src/core/hash.ts'

type TaskEvidence = OperationOutput<'get_task_evidence'>

const BYTES = new TextEncoder().encode('a picture')
const FETCHED = new Map([['med_1', BYTES]])

function makeItem(media: Record<string, unknown> = {}, over: Partial<EvidenceItem> = {}): EvidenceItem {
  return {
    evidence_id: 'evd_1',
    requirement_id: 'photos',
    media: {
      media_id: 'med_1',
      sha256: sha256Hex(BYTES),
      byte_size: BYTES.length,
      provenance: { kind: 'none', claim_sha256: sha256Hex(BYTES) },
      ...media,
    },
    status: 'accepted',
    ...over,
  } as EvidenceItem
}

function makeEvidence(items: EvidenceItem[], over: Partial<TaskEvidence> = {}): TaskEvidence {
  return {
    task_id: 'tsk_1',
    rules_satisfied: true,
    requirements: [
      { requirement_id: 'photos', kind: 'photo', required: 1, collected: 1, satisfied: true, problems: [] },
    ],
    items,
    manifest: { ...computeEvidenceManifest(items), generated_at: '2026-11-20T09:00:00.000Z' },
    ...over,
  }
}

test('true evidence is verified', () => {
  const found = verifyEvidence(makeEvidence([makeItem()]), FETCHED)
  expect(found).toMatchObject({ verified: true, problems: [], manifest: { matches: true } })
  expect(found.items).toEqual([
    {
      evidence_id: 'evd_1',
      requirement_id: 'photos',
      sha256: sha256Hex(BYTES),
      recomputed: sha256Hex(BYTES),
      matches: true,
    },
  ])
})

test('answers without a picture have nothing to hash but themselves', () => {
  expect(verifyEvidence(makeEvidence([makeItem({}, { media: null })]), new Map())).toMatchObject({
    verified: true,
  })
})

const HASH = 'f'.repeat(64)
type Case = readonly [string, TaskEvidence, ReadonlyMap<string, Uint8Array>, string]
const good = makeEvidence([makeItem()])

test.each([
  [
    'a picture that is another one',
    makeEvidence([makeItem({ sha256: HASH })]),
    FETCHED,
    'evd_1: the picture has the hash',
  ],
  ['a picture of another size', makeEvidence([makeItem({ byte_size: 1 })]), FETCHED, '9 bytes, not 1'],
  ['a picture that is gone', good, new Map(), 'is not there'],
  [
    'a picture that is not the one announced, and yet accepted',
    makeEvidence([makeItem({ provenance: { kind: 'none', claim_sha256: HASH } })]),
    FETCHED,
    'had announced the hash',
  ],
  [
    'another root',
    { ...good, manifest: { ...good.manifest, root: HASH } },
    FETCHED,
    'The manifest says the root',
  ],
  [
    'another count',
    { ...good, manifest: { ...good.manifest, item_count: 2 } },
    FETCHED,
    'counts 2 items; there are 1',
  ],
  [
    'an item changed after the manifest was made',
    { ...good, items: [makeItem({}, { captured_at: '2026-11-20T09:00:00.000Z' })] },
    FETCHED,
    'The manifest says the root',
  ],
  ['an item twice', makeEvidence([makeItem(), makeItem()]), FETCHED, 'evd_1 is there twice'],
  [
    'rules satisfied by nothing that was accepted',
    makeEvidence([makeItem({}, { status: 'rejected' })]),
    FETCHED,
    'photos is said to be satisfied with 0 of 1',
  ],
] as readonly Case[])('finds %s', (_, evidence, fetched, words) => {
  const { verified, problems } = verifyEvidence(evidence, fetched)
  expect(verified).toBe(false)
  expect(problems.join('\n')).toContain(words)
})

test('a rejected picture that is not the one announced is as it was judged', () => {
  const rejected = makeItem({ provenance: { kind: 'none', claim_sha256: HASH } }, { status: 'rejected' })
  expect(verifyEvidence(makeEvidence([rejected], { requirements: [] }), FETCHED).verified).toBe(true)
})
