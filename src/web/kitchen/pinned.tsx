/**
 * The facts that stay in sight wherever the page is scrolled to: new orders that end, orders that were lost, and problems to
 * answer.
 */
import { formatLossReason, computeViewedStoreLoss, sumLosses } from '../../areas/orders/rules/losses.ts'
import {
  formatRemainingTime,
  listNewOrders,
  sumOrderTotals,
  computeMsLeftToAccept,
  URGENT_MS,
} from '../../areas/orders/rules/waiting.ts'
import { summarizeOpenProblems } from '../../areas/orders/rules/wrong-words.ts'
import { chargeOf } from '../../areas/payments/rules/payment.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import { hasScope } from '../core/session.ts'
import type { Kitchen } from './kitchen.ts'
import { dayAndTime, type Order, timeOn } from './order.ts'

type PinsProps = { kitchen: Kitchen; now: number; onAcknowledge: () => void; onAnswer: () => void }

/** All lines, above the columns. */
export function Pins({ kitchen: { orders = [], lost, problems = [] }, now, ...on }: PinsProps) {
  return (
    <div class="pins">
      <LostOrders lost={lost} now={now} onAcknowledge={on.onAcknowledge} />
      <Problems orders={problems} onAnswer={on.onAnswer} />
      <NewOrders orders={orders} now={now} />
    </div>
  )
}

/** So many orders are named, the one that ends first first. */
const NAMED = 3

/** The number of new orders, their sum, and those that end first; each name leads to its card. */
function NewOrders({ orders, now }: { orders: readonly Order[]; now: number }) {
  const waiting = listNewOrders(orders)
  const sum = sumOrderTotals(waiting.map((order) => ({ total: chargeOf(order) })))
  if (sum === undefined) return null
  const ends = waiting.flatMap((order) => {
    const left = computeMsLeftToAccept(order, now)
    return left === undefined ? [] : [{ order, left }]
  })
  const isUrgent = (ends[0]?.left ?? Infinity) <= URGENT_MS
  return (
    <section class={isUrgent ? 'pinned urgent' : 'pinned'} aria-label="New orders">
      <p>
        <strong>{waiting.length} new</strong> <span>{formatGroupedMoney(sum)}</span>
      </p>
      <ol>
        {ends.slice(0, NAMED).map(({ order: { order_id, display_number }, left }) => (
          <li key={order_id}>
            <a href={`#of-${order_id}`}>{display_number}</a>{' '}
            {left <= 0 ? 'time over' : `ends in ${formatRemainingTime(left)}`}
          </li>
        ))}
      </ol>
    </section>
  )
}

type LostProps = { lost: readonly Order[]; now: number; onAcknowledge: () => void }

/** The orders that were lost, in words and with the goods that they cost the store, until a user has seen them. */
function LostOrders({ lost, now, onAcknowledge }: LostProps) {
  const sum = sumLosses(lost)
  if (sum === undefined) return null
  return (
    <section class="lost" aria-label="Lost orders">
      <div role="alert">
        <p>
          <strong>{lost.length} lost</strong> <span>{formatGroupedMoney(sum)}</span>
        </p>
        <ul>
          {lost.map((order) => (
            <li key={order.order_id}>
              <strong>{order.display_number}</strong> {formatLossReason(order)} at{' '}
              {timeOn(order.updated_at, now)}, {formatGroupedMoney(computeViewedStoreLoss(order))}
            </li>
          ))}
        </ul>
      </div>
      <button type="button" onClick={onAcknowledge}>
        Acknowledge
      </button>
    </section>
  )
}

/** The problems that wait for an answer: how many, their sum, and which of them must be answered first. */
function Problems({ orders, onAnswer }: { orders: readonly Order[]; onAnswer: () => void }) {
  const problems = summarizeOpenProblems(orders)
  const [first] = problems?.open ?? []
  if (problems === undefined || first === undefined) return null
  const { length } = problems.open
  return (
    <section class="pinned problems" aria-label="Problems">
      <p>
        <strong>
          {length} {length === 1 ? 'problem' : 'problems'}
        </strong>{' '}
        <span>{formatGroupedMoney(problems.sum)}</span>
      </p>
      <p>
        {first.order.display_number}: answer by {dayAndTime(first.problem.answer_by)}
      </p>
      {hasScope('orders.manage') && (
        <button type="button" class="quiet small" onClick={onAnswer}>
          Answer…
        </button>
      )}
    </section>
  )
}

const ACKNOWLEDGED = 'dray kitchen acknowledged'

/** The lost orders that were acknowledged on this tab: a reload does not bring them back, another screen shows them. */
export function acknowledgedHere() {
  const ids = new Set<string>(read())
  return {
    has: (id: string): boolean => ids.has(id),
    add(more: readonly string[]): void {
      for (const id of more) ids.add(id)
      sessionStorage.setItem(ACKNOWLEDGED, JSON.stringify([...ids]))
    },
  }
}

function read(): string[] {
  return JSON.parse(sessionStorage.getItem(ACKNOWLEDGED) ?? '[]') as string[]
}
