/** Replacements that a customer is asked about. Callers have locked the order's row; questions end once it is ready. */
import { newIds } from '../../../db/counters.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { unscheduleEvents } from '../../../db/timeline.ts'
import { returnStock } from '../../catalog/lifecycle/stock.ts'
import { lockMerchant } from '../../merchants/queries.ts'
import type { OrderRecord } from '../queries/orders.ts'
import { type Adjustment, refundFor, type SubstitutionQuestion, unitsLeft } from '../rules/adjust.ts'
import { withoutBack } from '../rules/substitution.ts'
import { applyAdjustment } from './adjust.ts'
import { scheduleExtraEvents, writeOrder } from './write.ts'

/** The time that a customer has to answer. */
const ANSWER_MS = 5 * 60_000
const QUESTION_EVENT = 'question_over'

/** Puts a replacement to the customer. */
export async function askCustomer(
  scene: ChangeContext,
  order: OrderRecord,
  draft: Omit<SubstitutionQuestion, 'adjustment_id' | 'at' | 'answer_by'>,
): Promise<void> {
  const { at } = scene
  const [adjustment_id = ''] = await newIds(scene, 'adj')
  const answer_by = at + ANSWER_MS
  order.doc.questions = [...(order.doc.questions ?? []), { ...draft, adjustment_id, at, answer_by }]
  await scheduleExtraEvents(scene, order, [
    { event: QUESTION_EVENT, due_at: answer_by, payload: { adjustment_id } },
  ])
  await writeOrder(scene, order, {
    told: 'substitution_asked',
    by: 'store',
    data: { adjustment_id, amount: draft.amount, answer_by: new Date(answer_by).toISOString() },
  })
}

type SubstitutionAnswer = Omit<NonNullable<Adjustment['answer']>, 'at'>

/**
 * Closes questions: their lines are replaced after a yes, and else removed. Returns false, and stops, where nothing would be left
 * of the order.
 */
export async function closeQuestions(
  scene: ChangeContext,
  order: OrderRecord,
  questions: readonly SubstitutionQuestion[],
  answer: SubstitutionAnswer,
): Promise<boolean> {
  // The store comes before the rows that an adjustment takes.
  await release(scene, order, answer.accept ? [] : questions)
  for (const question of questions) if (!(await closeQuestion(scene, order, question, answer))) return false
  return true
}

async function closeQuestion(
  scene: ChangeContext,
  order: OrderRecord,
  { answer_by, reserved, ...asked }: SubstitutionQuestion,
  answer: SubstitutionAnswer,
): Promise<boolean> {
  const { doc } = order
  const { accept, by } = answer
  doc.questions = doc.questions?.filter(({ adjustment_id }) => adjustment_id !== asked.adjustment_id) ?? []
  if (doc.questions.length === 0) await unscheduleEvents(scene.tx, order.order_id, [QUESTION_EVENT])
  if (accept) doc.reserved = addReservedStock(doc.reserved, reserved)
  const lines = accept ? asked.lines : asked.lines.map(withoutBack)
  if (!accept && unitsLeft(doc, lines) === 0) return false
  await applyAdjustment(scene, order, {
    ...asked,
    by,
    kind: accept ? 'replaced' : 'removed',
    lines,
    amount: refundFor(doc, lines),
    borne_by: 'store',
    answer_by,
    answer: { at: scene.at, ...answer },
  })
  return true
}

/** Drops the questions of an order that ends, and gives back the stock that they hold. */
export async function dropQuestions(scene: ChangeContext, order: OrderRecord): Promise<void> {
  const { questions = [] } = order.doc
  if (questions.length === 0) return
  order.doc.questions = []
  await unscheduleEvents(scene.tx, order.order_id, [QUESTION_EVENT])
  await release(scene, order, questions)
}

type QuestionStock = SubstitutionQuestion['reserved']

/** Returns the stock that an order holds, with more. */
export function addReservedStock(held: QuestionStock = {}, more: QuestionStock): QuestionStock {
  const all = { ...held }
  for (const [id, quantity] of Object.entries(more)) all[id] = (all[id] ?? 0) + quantity
  return all
}

async function release(
  scene: ChangeContext,
  { merchant_id }: OrderRecord,
  questions: readonly SubstitutionQuestion[],
): Promise<void> {
  const all = questions.reduce<QuestionStock>((sum, { reserved }) => addReservedStock(sum, reserved), {})
  if (Object.keys(all).length === 0) return
  await lockMerchant(scene.tx, merchant_id)
  await returnStock(scene, merchant_id, all)
}
