/** Pays for a problem of a ride, a run or a visit. The row of the resource is locked. */
import type { Money } from '../../../core/money.ts'
import { newIds } from '../../../db/counters.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { lockWorld } from '../../../db/world.ts'
import { postTransfer } from '../queries/ledger.ts'
import { countsAsPaid, netPaid, type Payment } from '../rules/payment.ts'
import type { ReportedProblem } from '../rules/reported-problem.ts'
import { ensureWallet, refundPayment } from './payment.ts'

/** Returns what can still go back of a payment: nothing where nothing was paid. */
export function keptOfPayment(payment: Payment): Money {
  return countsAsPaid(payment)
    ? netPaid({ payment, refunds: payment.refunds })
    : { ...payment.amount, amount: 0 }
}

/**
 * Gives money to a wallet beyond what was paid; the platform bears it
 * (docs/rules/money.md#goodwill-goes-beyond-what-was-paid).
 */
async function payGoodwill(
  { tx, world, at }: ChangeContext,
  { resource_id, account_id }: Payment,
  { id, amount }: { id: string; amount: Money },
): Promise<void> {
  await ensureWallet(tx, world, at, account_id)
  await postTransfer(tx, at, {
    transaction_id: `${id}:goodwill`,
    kind: 'goodwill',
    resource_id,
    from: 'platform',
    to: `wallet:${account_id}`,
    amount,
  })
}

/**
 * Refunds a part of a payment the way it was paid, cash to the wallet, and gives goodwill, both in minor units; returns the problem
 * as it is kept. The caller has checked that the refund is at most what is kept of the payment.
 */
export async function payForProblem(
  scene: ChangeContext,
  payment: Payment,
  {
    kind,
    reason_code,
    note,
    refund,
    goodwill,
  }: {
    kind: 'ride' | 'delivery' | 'booking'
    reason_code: string
    note: string | null
    refund: number
    goodwill: Money
  },
): Promise<ReportedProblem> {
  await lockWorld(scene.tx)
  const [problem_id = ''] = await newIds(scene, 'prb')
  const refunded =
    refund === 0
      ? undefined
      : await refundPayment(scene, payment.resource_id, {
          to: payment.method === 'cash' ? 'wallet' : 'original',
          reason: reason_code,
          amount: { ...payment.amount, amount: refund },
          borneBy: 'platform',
          kind,
          counterpartyId: null,
        })
  if (goodwill.amount > 0) await payGoodwill(scene, payment, { id: problem_id, amount: goodwill })
  return {
    problem_id,
    at: scene.at,
    reason_code,
    note,
    amount: { ...goodwill, amount: refund + goodwill.amount },
    refund_id: refunded?.refunds.at(-1)?.refund_id ?? null,
    goodwill: goodwill.amount > 0 ? goodwill : null,
  }
}
