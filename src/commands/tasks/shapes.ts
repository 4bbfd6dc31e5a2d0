/** What the task operations answer, as far as the commands read it (`contract.md` B7). */
import type { EvidenceItem, RequirementCheck } from '../../areas/tasks/rules/evidence.ts'
import type { EvidenceRequirement, TaskLine } from '../../areas/tasks/rules/task.ts'
import type { TaskStatus } from '../../areas/tasks/states.ts'
import type { Point } from '../../core/geometry.ts'
import type { Money } from '../../core/money.ts'
import type { Place } from '../../core/places/place.ts'
import type { Quote } from '../../journal/quotes.ts'

export type TaskType = {
  task_type: string
  name: string
  description: string
  requirements_schema: Record<string, unknown>
  evidence: EvidenceRequirement[]
  base_price: Money
  typical_duration_minutes: number
  staffed: { qualified_providers: number }
}

export type TaskQuote = Quote & {
  created_at: string
  expires_in_seconds: number
  task_type: string
  task_name: string
  place: Place
  window: { starts_at: string; ends_at: string }
  requirements: Record<string, unknown> | null
  evidence_rules: EvidenceRequirement[]
  lines: TaskLine[]
  tax_included: Money
  callout_fee: Money
  qualified_provider_count: number
  earliest_start_at: string
}

export type Task = {
  task_id: string
  task_name: string
  status: TaskStatus
  place: Place
  price: Money
  provider: { name: string; rating: number; vehicle_type: string } | null
  provider_location: Point | null
  eta_at: string | null
  evidence_summary: { required: number; collected: number; accepted: number; items_count: number }
  refund: { status: string; amount: Money; destination: string } | null
  result: { outcome: string; failure_reason: string | null } | null
  status_history: { status: TaskStatus; at: string; by: string; reason: string | null }[]
}

export type TaskEvidence = {
  task_id: string
  rules_satisfied: boolean
  requirements: RequirementCheck[]
  items: EvidenceItem[]
  manifest: { algorithm: string; root: string; item_count: number; generated_at: string }
}
