/** From a quote to a task that is paid for, all in one transaction. */
import type { Account } from '../../../core/account.ts'
import type { Contact } from '../../../core/address.ts'
import { canonicalJson } from '../../../core/canonical-json.ts'
import { AppError } from '../../../core/errors.ts'
import { sandboxId } from '../../../core/ids.ts'
import type { Money } from '../../../core/money.ts'
import { withoutNulls } from '../../../core/nulls.ts'
import { hasScenario } from '../../../core/scenario.ts'
import { nextOrdinal, nextSeq } from '../../../db/counters.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { lockClock } from '../../../db/world.ts'
import { lockAccount } from '../../account/queries/accounts.ts'
import { assertPaymentMethodAccepted, capturePayment } from '../../payments/lifecycle/payment.ts'
import { PAYMENT_METHODS_BY_KIND, type PaymentMethod } from '../../payments/rules/payment.ts'
import { assertExpectedTotal, lockOpenQuote } from '../../quotes/lifecycle.ts'
import { markQuoteUsed } from '../../quotes/queries.ts'
import type { TaskTypeRecord } from '../queries/taskers.ts'
import { insertTask, type TaskDoc, type TaskQuoteDoc, type TaskRecord } from '../queries/tasks.ts'
import { type EvidenceRuleChange, tightenEvidenceRules } from '../rules/evidence-rules.ts'
import { countPhotos, countQuestions } from '../rules/price.ts'
import { askedMinutes, type EvidenceRequirement } from '../rules/task.ts'
import { assertStaffed, busy, loadTaskType } from './quote.ts'
import { seekTasker, TASK_LIFECYCLE } from './task.ts'

export type TaskConfirmation = {
  quoteId: string
  requirements: Record<string, unknown> | undefined
  evidenceRules: EvidenceRuleChange[] | undefined
  instructions: string | null
  contact: Contact | null
  method: PaymentMethod
  token: string | undefined
  /** The total that was shown. */
  expectedTotal: Money | undefined
  scenario: TaskDoc['scenario']
  /** Throws `requirements_invalid` for what the type's schema does not take. */
  assertRequirements(type: TaskTypeRecord, requirements: unknown): Promise<void>
}

/**
 * Confirms a quote of an account: checks again what a quote does not hold, takes the money, writes the task and has
 * somebody looked for. Whatever refuses leaves the quote open. Locks in one order: quote, account, world.
 */
export async function createTaskFromQuote(
  asked: ChangeContext,
  account: Account,
  confirmation: TaskConfirmation,
): Promise<TaskRecord> {
  const { tx, world } = asked
  const quote = await lockOpenQuote<TaskQuoteDoc>(asked, account.account_id, 'task', confirmation.quoteId)
  const { doc: quoted } = quote
  assertExpectedTotal(quoted.total, confirmation.expectedTotal)
  const { method } = confirmation
  assertPaymentMethodAccepted(method, PAYMENT_METHODS_BY_KIND.task, 'A task')
  const type = await loadTaskType(tx, quoted.task_type)
  const requirements = await chooseRequirements(type, quoted, confirmation)
  const rules = chooseRules(type, quoted, confirmation)
  const minutes = chooseMinutes(type, quoted, requirements)
  const { window, urgency } = quoted
  await assertStaffed(asked, type, { point: quoted.place.location, window, rules, minutes, urgency })

  // A task refers to its account: whoever moves a membership on holds that first and the world second, too.
  await lockAccount(tx, account.account_id)
  const at = await lockClock(tx, asked.at)
  const seq = await nextSeq(tx, at)
  const ordinal = await nextOrdinal(tx, 'task')
  const task_id = sandboxId('tsk', { seed: world.seed, ordinal, at })
  await capturePayment(tx, world, at, {
    kind: 'task',
    resourceId: task_id,
    accountId: account.account_id,
    merchantId: null,
    counterpartyId: null,
    method,
    token: confirmation.token,
    amount: quoted.total,
  })
  const task: TaskRecord = {
    task_id,
    seq,
    ordinal,
    account_id: account.account_id,
    quote_id: quote.quote_id,
    status: 'created',
    task_type: type.task_type,
    tasker_id: null,
    created_at: at,
    updated_at: at,
    doc: toDoc(quoted, confirmation, { at, requirements, rules, minutes }),
  }
  const scene = { tx, world, at }
  await seekTasker(scene, task)
  if (task.doc.reserved === null && !hasScenario(task, 'no_provider')) throw busy(type)
  await insertTask(tx, task)
  await markQuoteUsed(tx, quote.quote_id, task_id)
  const data = { task_type: type.task_type, quote_id: quote.quote_id, total: quoted.total }
  await TASK_LIFECYCLE.emit(scene, task, { from: null, by: 'customer', data })
  await TASK_LIFECYCLE.scheduleNext(scene, task)
  return task
}

async function chooseRequirements(
  type: TaskTypeRecord,
  { requirements: quoted }: TaskQuoteDoc,
  { requirements: wanted, assertRequirements }: TaskConfirmation,
): Promise<Record<string, unknown>> {
  const given = withoutNulls(type.doc.requirements_schema, wanted)
  if (quoted === null) {
    if (given === undefined) {
      throw new AppError('requirements_invalid', 'requirements are required: the quote has none.', {
        errors: [{ pointer: '/requirements', code: 'required', detail: 'requirements is required' }],
      })
    }
    await assertRequirements(type, given)
    return given
  }
  if (given === undefined || canonicalJson(given) === canonicalJson(quoted)) return quoted
  throw new AppError('quote_mismatch', 'requirements differ from the quoted ones.', {
    errors: [
      {
        pointer: '/requirements',
        code: 'mutually_exclusive',
        detail: 'requirements must equal those of the quote',
      },
    ],
    hint: 'Leave requirements out, or quote again with the new ones.',
  })
}

/** The minutes of work; 0 where none were requested. Throws `quote_mismatch` for more than was priced. */
function chooseMinutes(
  { doc }: TaskTypeRecord,
  { estimated_minutes: quoted }: TaskQuoteDoc,
  requirements: Record<string, unknown>,
): number {
  const minutes = askedMinutes(requirements, quoted) ?? 0
  const priced = Math.max(quoted ?? 0, doc.typical_duration_minutes)
  if (minutes <= priced) return minutes
  const detail = `requirements ask for ${minutes} minutes; ${priced} were quoted`
  throw new AppError('quote_mismatch', `${detail}.`, {
    errors: [{ pointer: '/requirements', code: 'out_of_range', detail }],
    hint: 'Quote again with these requirements.',
  })
}

/** The rules of the confirm in the place of the quote's: as tight as they like, for no more work than was priced. */
function chooseRules(
  type: TaskTypeRecord,
  { evidence_rules: quoted }: TaskQuoteDoc,
  { evidenceRules }: TaskConfirmation,
): EvidenceRequirement[] {
  if (evidenceRules === undefined) return quoted
  const rules = tightenEvidenceRules(type.doc.evidence, evidenceRules)
  for (const [what, count] of [
    ['photos', countPhotos],
    ['questions', countQuestions],
    ['items', countItems],
  ] as const) {
    if (count(rules) <= count(quoted)) continue
    throw new AppError(
      'quote_mismatch',
      `evidence_rules ask for ${count(rules)} ${what}; ${count(quoted)} were quoted.`,
      { hint: 'Quote again with these evidence_rules.' },
    )
  }
  return rules
}

function countItems(rules: readonly EvidenceRequirement[]): number {
  return rules.reduce((sum, { min_count }) => sum + min_count, 0)
}

function toDoc(
  quoted: TaskQuoteDoc,
  { instructions, contact, scenario }: TaskConfirmation,
  {
    at,
    requirements,
    rules,
    minutes,
  }: { at: number; requirements: Record<string, unknown>; rules: EvidenceRequirement[]; minutes: number },
): TaskDoc {
  return {
    task_name: quoted.task_name,
    place: quoted.place,
    window: quoted.window,
    urgency: quoted.urgency,
    tax_included: quoted.tax_included,
    callout_fee: quoted.callout_fee,
    requirements,
    work_minutes: minutes,
    evidence_rules: rules,
    instructions,
    contact,
    price: quoted.total,
    lines: quoted.lines,
    provider: null,
    leg: null,
    eta_at: null,
    drops: 0,
    pass: 1,
    sequence: 0,
    spoilt: 0,
    todo: [],
    assigned_at: null,
    started_at: null,
    completed_at: null,
    result: null,
    cancellation: null,
    history: [{ status: 'created', at, by: 'customer', reason: null }],
    scenario,
  }
}
