/** Prices a task (docs/rules/tasks.md#how-a-task-is-priced). Pure; amounts in minor units, tax included. */
import { MARKET_TAX_BPS } from '../../../core/market.ts'
import { type Money, mulBps, computeIncludedTax } from '../../../core/money.ts'
import type { EvidenceRequirement, TaskPriceLine, Urgency } from './task.ts'

/** The sandbox's tariff. */
const FREE_TRAVEL_M = 2000
const PER_KM = 60
const PER_EXTRA_MINUTE = 35
const EXPRESS_BPS = 3000
const PER_EXTRA_PHOTO = 50
const PER_EXTRA_QUESTION = 25
/** Basis points of the base price; kept, with the travel, when a task fails (docs/rules/tasks.md#a-failed-task-keeps-the-call-out). */
const CALLOUT_BPS = 2500

export type TaskPrice = {
  /** Zero amounts have no line, except the base price. */
  lines: TaskPriceLine[]
  total: Money
  tax_included: Money
  /** The amount that is kept when the task cannot be done. */
  callout_fee: Money
}

export type TaskPriceInput = {
  base_price: Money
  included_photos: number
  typical_duration_minutes: number
  /** The number of questions that the type itself has. */
  questions: number
  rules: readonly EvidenceRequirement[]
  urgency: Urgency
  estimated_minutes: number | null
  /** By road, from the nearest qualified tasker. */
  road_distance_m: number
}

export function priceTask(task: TaskPriceInput): TaskPrice {
  const { amount: base, currency } = task.base_price
  const minutes = Math.max(0, (task.estimated_minutes ?? 0) - task.typical_duration_minutes)
  const photos = Math.max(0, countPhotos(task.rules) - task.included_photos)
  const questions = Math.max(0, countQuestions(task.rules) - task.questions)
  const travel = Math.round((Math.max(0, task.road_distance_m - FREE_TRAVEL_M) * PER_KM) / 1000)
  const amounts: Readonly<Record<TaskPriceLine['type'], number>> = {
    base,
    travel,
    duration: minutes * PER_EXTRA_MINUTE,
    express: task.urgency === 'express' ? mulBps(base, EXPRESS_BPS) : 0,
    extra_evidence: photos * PER_EXTRA_PHOTO + questions * PER_EXTRA_QUESTION,
  }
  const lines = (Object.keys(amounts) as TaskPriceLine['type'][])
    .filter((type) => type === 'base' || amounts[type] > 0)
    .map((type) => ({ type, amount: { amount: amounts[type], currency } }))
  const total = { amount: lines.reduce((sum, line) => sum + line.amount.amount, 0), currency }
  return {
    lines,
    total,
    tax_included: computeIncludedTax(total, MARKET_TAX_BPS),
    callout_fee: { amount: Math.min(total.amount, travel + mulBps(base, CALLOUT_BPS)), currency },
  }
}

/** Counts the photos that the requirements demand, without pictures that answer questions. */
export function countPhotos(rules: readonly EvidenceRequirement[]): number {
  return rules.reduce((sum, { kind, min_count }) => sum + (kind === 'photo' ? min_count : 0), 0)
}

export function countQuestions(rules: readonly EvidenceRequirement[]): number {
  return rules.reduce((sum, { checklist }) => sum + checklist.length, 0)
}
