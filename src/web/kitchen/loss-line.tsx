/** One line for the orders that were lost and the problems to answer, above the wall. */
import { formatLossReason, computeViewedStoreLoss, sumLosses } from '../../areas/orders/rules/losses.ts'
import { summarizeOpenProblems } from '../../areas/orders/rules/wrong-words.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import { Dialog } from '../core/dialog.tsx'
import { hasScope } from '../core/session.ts'
import type { Kitchen } from './kitchen.ts'
import { type Order, shortTimeOn, timeOn } from './order.ts'

type LineProps = {
  kitchen: Kitchen
  now: number
  onLost: () => void
  onSeen: () => void
  onAnswer: () => void
}

/** Both parts; nothing without any. */
export function LossLine({ kitchen: { lost, problems = [] }, now, onLost, onSeen, onAnswer }: LineProps) {
  const open = summarizeOpenProblems(problems)
  if (lost.length === 0 && open === undefined) return null
  return (
    <div class="line">
      <LostOrders lost={lost} now={now} onLost={onLost} onSeen={onSeen} />
      <Problems problems={open} now={now} onAnswer={onAnswer} />
    </div>
  )
}

type LostProps = { lost: readonly Order[]; now: number; onLost: () => void; onSeen: () => void }

/** The number of lost orders, the goods that they cost the store, and the reason of the latest loss. */
function LostOrders({ lost, now, onLost, onSeen }: LostProps) {
  const sum = sumLosses(lost)
  const [latest] = lost
  if (sum === undefined || latest === undefined) return null
  return (
    <section class="bad" aria-label="Lost orders">
      <p role="alert">
        <b>
          <span aria-hidden="true">✕</span> {lost.length} lost {formatGroupedMoney(sum)}
        </b>{' '}
        <span class="detail">
          last {latest.display_number}, {formatLossReason(latest)} at {shortTimeOn(latest.updated_at, now)}
        </span>
      </p>
      <button type="button" class="quiet" aria-label="List of lost orders" onClick={onLost}>
        List
      </button>
      <button type="button" class="quiet" onClick={onSeen}>
        Seen
      </button>
    </section>
  )
}

type ProblemsProps = {
  problems: ReturnType<typeof summarizeOpenProblems<Order['problems'][number], Order>>
  now: number
  onAnswer: () => void
}

/** The problems that wait for an answer: how many, their sum, and which of them must be answered first. */
function Problems({ problems, now, onAnswer }: ProblemsProps) {
  const [first] = problems?.open ?? []
  if (problems === undefined || first === undefined) return null
  const { length } = problems.open
  return (
    <section class="ask" aria-label="Problems">
      <p>
        <b>
          <span aria-hidden="true">?</span> {length} {length === 1 ? 'problem' : 'problems'}{' '}
          <span class="sum">{formatGroupedMoney(problems.sum)}</span>
        </b>{' '}
        <span class="detail">
          {first.order.display_number}, answer by {shortTimeOn(first.problem.answer_by, now)}
        </span>
      </p>
      {hasScope('orders.manage') && (
        <button type="button" class="quiet" aria-label="Answer…" onClick={onAnswer}>
          Answer
        </button>
      )}
    </section>
  )
}

type LostDialogProps = { lost: readonly Order[]; now: number; onSeen: () => void; onClose: () => void }

/** All lost orders in words, with the goods that each cost the store. */
export function LostDialog({ lost, now, onSeen, onClose }: LostDialogProps) {
  return (
    <Dialog title="Lost orders" onClose={onClose}>
      <ul class="items" tabIndex={0} aria-label="Lost orders">
        {lost.map((order) => (
          <li key={order.order_id}>
            <span>
              {order.display_number}{' '}
              <span class="soft">
                {formatLossReason(order)} at {timeOn(order.updated_at, now)}
              </span>
            </span>
            {formatGroupedMoney(computeViewedStoreLoss(order))}
          </li>
        ))}
      </ul>
      {lost.length === 0 && <p>All are seen.</p>}
      <div class="actions">
        <button
          type="button"
          onClick={() => {
            onSeen()
            onClose()
          }}
        >
          Seen
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
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
