import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, idParam } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { OWN_TASK } from './access.ts'
import { listEvidence } from './queries/tasks.ts'
import { checkEvidenceRules, isEvidenceSatisfied, computeEvidenceManifest } from './rules/evidence.ts'
import { evidenceKind, taskEvidence, taskId } from './schema.ts'

export const getTaskEvidence = defineOperation({
  name: 'get_task_evidence',
  area: 'tasks',
  summary: 'Show a task’s evidence: photos, hashes, locations, answers',
  description: 'Each item has its capture time, its distance from the place and its status.',
  details:
    'It also has the SHA-256 of its bytes, the capture location and the time of receipt. manifest.root is the SHA-256 over the canonical JSON (RFC 8785) of [[evidence_id, hash], …] of the items given, in the order of their ids; each hash is the SHA-256 of the canonical JSON of the item without its status. rules_satisfied is about all items, even if the call selects some.',
  method: 'GET',
  path: '/v1/tasks/{task_id}/evidence',
  scope: 'tasks.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    task_id: taskId,
    requirement_id: Type.Optional(idParam('Evidence requirement')),
    kind: Type.Optional(evidenceKind),
  }),
  output: taskEvidence,
  errors: ['task_not_found'],
  example: (done) => ({ task_id: done['create_task'].task_id }),
  cli: {
    command: 'tasks evidence',
    danger: 'read',
    columns: ['task_id', 'rules_satisfied', 'items', 'manifest.root'],
  },
  touches: ({ task_id }) => ({ resource: task_id }),
  async run(context, { task_id, requirement_id, kind }) {
    const { task_id: id, doc } = await OWN_TASK.load(context, task_id)
    const all = (await listEvidence(context.tx, id)).map(({ item }) => item)
    const checks = checkEvidenceRules(doc.evidence_rules, all)
    const wanted = (each: { requirement_id: string; kind: string }): boolean =>
      (requirement_id ?? each.requirement_id) === each.requirement_id && (kind ?? each.kind) === each.kind
    const items = all.filter(wanted)
    return {
      task_id: id,
      rules_satisfied: isEvidenceSatisfied(checks),
      requirements: checks.filter(wanted),
      items,
      manifest: { ...computeEvidenceManifest(items), generated_at: toTimestamp(context.now) },
    }
  },
})
