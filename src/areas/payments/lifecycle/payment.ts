/**
 * Payments and refunds of the resources of every area. This is the only writer of payments,
 * wallets and the ledger. Callers have locked the resource. Wallets move under the world's row
 * only, which recording a change takes before them, so that no order of wallets can lock two transactions out.
 */
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import type { Money } from '../../../core/money.ts'
import { formatMoney } from '../../../core/money.ts'
import { TEST_CARDS } from '../../../core/test-cards.ts'
import type { WorldSettings } from '../../../core/world.ts'
import { newIds } from '../../../db/counters.ts'
import { appendEvents } from '../../../db/events.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { scheduleEvents, type TimelineKind } from '../../../db/timeline.ts'
import { lockWorld } from '../../../db/world.ts'
import {
  insertPayment,
  insertLatestRefund,
  insertWallet,
  type LedgerKind,
  listResourceLedger,
  loadPayment,
  lockWallet,
  postTransfer,
  updatePayment,
  updateRefund,
} from '../queries/ledger.ts'
import { payableOf } from '../queries/sales.ts'
import {
  type Collector,
  countsAsPaid,
  netPaid,
  type Payment,
  type PaymentMethod,
  type PaymentStatus,
  type Refund,
  type RefundDestination,
  statusWithRefunds,
} from '../rules/payment.ts'

/** The time in which a card settles that does not at once, and in which the store's own processor pays back. */
const SETTLES_AFTER_MS = 120_000
const REFUND_SETTLES_AFTER_MS = 60_000

/** The opening balance of every sandbox wallet, in minor units of the world's currency. */
const OPENING_BALANCE = 5000

/** The owner of a payment's timeline events: the resource that was paid. */
type Owner = {
  kind: TimelineKind
  /** The agreement of the store, where one took the order. */
  counterpartyId: string | null
}

export type ChargeRequest = Owner & {
  resourceId: string
  accountId: string
  /** The store, where one sold something: its own processor can collect. */
  merchantId: string | null
  /** True if the customer hands money over in the store. */
  isAtStore?: boolean
  /** The part of the amount that is the store's, in minor units. */
  storePart?: number
  method: PaymentMethod
  /** The card, by a token of the sandbox. */
  token: string | undefined
  amount: Money
}

type CardOutcome = { status: 'paid' | 'unpaid'; collected_by: Collector }

const CARDS: Readonly<Record<string, CardOutcome | undefined>> = {
  tok_ok: { status: 'paid', collected_by: 'platform' },
  tok_pending: { status: 'unpaid', collected_by: 'platform' },
  tok_store: { status: 'paid', collected_by: 'store_processor' },
}

/**
 * Takes the money for a resource
 * (docs/rules/money.md#payment-is-taken-at-the-confirm): at once by card or wallet, later by cash, at the table, or by a card that must settle
 * first. Throws `payment_declined` and `insufficient_funds`; nothing is written then. The caller holds the world's row.
 */
export async function capturePayment(
  tx: Tx,
  world: WorldSettings,
  at: number,
  charge: ChargeRequest,
): Promise<Payment> {
  const { resourceId, accountId, method, amount } = charge
  const { status, collected_by } = await authorize(tx, world, at, charge)
  const [payment_id = ''] = await newIds({ tx, world, at }, 'pay')
  const payment: Payment = {
    payment_id,
    resource_id: resourceId,
    account_id: accountId,
    merchant_id: charge.merchantId,
    method,
    status,
    collected_by,
    amount,
    created_at: at,
    paid_at: status === 'paid' ? at : null,
    share: null,
    refunds: [],
  }
  if (status === 'paid') payment.share = shareOf(payment, charge.storePart)
  await insertPayment(tx, payment)
  await record({ tx, world, at }, payment, null)
  if (status === 'paid') {
    await collect(tx, at, payment)
  } else if (method === 'card') {
    await plan({ tx, at }, { dueAt: at + SETTLES_AFTER_MS, event: 'payment_settles' }, charge, payment)
  }
  return payment
}

/**
 * An unpaid payment becomes paid: its card settled, or the cash was handed over. Any other one stays as it is. `storePart` is
 * what of the amount is its store's.
 */
export async function settleUnpaidPayment(
  scene: ChangeContext,
  resourceId: string,
  storePart?: number,
): Promise<Payment> {
  const { tx, at } = scene
  // Before the payment's row: who holds the world's row, as the close of a business day does, waits for no payment.
  await lockWorld(tx)
  const payment = await loadPayment(tx, resourceId)
  if (payment.status !== 'unpaid') return payment
  const paid: Payment = { ...payment, status: 'paid', paid_at: at, share: shareOf(payment, storePart) }
  await updatePayment(tx, paid)
  await record(scene, paid, payment.status)
  await collect(tx, at, paid)
  return paid
}

/** Lowers what is still to be paid. The caller has checked that the payment is unpaid. */
export async function lowerPayment(scene: ChangeContext, payment: Payment, by: Money): Promise<Payment> {
  const amount = { ...payment.amount, amount: payment.amount.amount - by.amount }
  const lowered: Payment = { ...payment, amount }
  await updatePayment(scene.tx, lowered)
  await record(scene, lowered, payment.status)
  return lowered
}

/** The change of what a store is due when a payment is collected: its part, less what it collects itself. */
function shareOf({ merchant_id, collected_by, amount }: Payment, storePart = 0): number | null {
  if (merchant_id === null) return null
  return storePart - (collected_by === 'platform' ? 0 : amount.amount)
}

async function collect(tx: Tx, at: number, payment: Payment): Promise<void> {
  const { payment_id, collected_by, merchant_id, amount, share } = payment
  const to = collected_by === 'platform' ? 'platform' : `store:${merchant_id}`
  await transfer(tx, at, payment, { kind: 'capture', id: payment_id, from: purse(payment), to, amount })
  await postShare(tx, at, payment, { of: payment_id, share })
}

/** Posts a change of what a store is due: from the platform to what it owes the store, or back. */
async function postShare(
  tx: Tx,
  at: number,
  payment: Payment,
  { of, share }: { of: string; share: number | null },
): Promise<void> {
  if (share === null) return
  const payable = payableOf(payment.merchant_id ?? '')
  const [from, to] = share > 0 ? ['platform', payable] : [payable, 'platform']
  const amount = { ...payment.amount, amount: Math.abs(share) }
  await transfer(tx, at, payment, { kind: 'share', id: `${of}:share`, from, to, amount })
}

/** Pays out a part of what a store is due: from the platform to its bank. The caller holds the world's row. */
export async function recordPayout(
  tx: Tx,
  at: number,
  { payoutId, merchantId, amount }: { payoutId: string; merchantId: string; amount: Money },
): Promise<void> {
  const payout = { kind: 'payout' as const, resource_id: payoutId, amount }
  const bank = `bank:${merchantId}`
  await postTransfer(tx, at, { ...payout, transaction_id: payoutId, from: 'platform', to: bank })
  await postTransfer(tx, at, {
    ...payout,
    transaction_id: `${payoutId}:share`,
    from: payableOf(merchantId),
    to: 'platform',
  })
}

/** The refund of a part or all of a payment. */
export type RefundRequest = Owner & {
  to: 'wallet' | 'original'
  reason: string
  /** All that is kept where it is omitted. */
  amount?: Money | undefined
  /** The one that bears it, and what the store loses by it, in minor units. */
  borneBy?: Refund['borne_by']
  lost?: number
}

/**
 * Pays back a part of what was paid, or all that is kept of it, whoever asks and how often: to the wallet, or the way it was
 * paid; through the store's own processor where that collected, which takes a while. A payment that was never made is given
 * up instead, without a refund. Throws for more than is kept (docs/rules/money.md#refunds-go-no-further-than-what-is-kept).
 */
export async function refundPayment(
  scene: ChangeContext,
  resourceId: string,
  { to, reason, amount, borneBy = null, lost = 0, ...owner }: RefundRequest,
): Promise<Payment> {
  const { tx, world, at } = scene
  // Before the counter of the refund's id, as everywhere.
  await lockWorld(tx)
  const payment = await loadPayment(tx, resourceId)
  if (payment.status === 'unpaid') return failPayment(tx, world, at, payment)
  if (!countsAsPaid(payment)) return payment
  const kept = netPaid({ payment, refunds: payment.refunds })
  const back = amount ?? kept
  if (back.amount > kept.amount) throw new Error(`${resourceId} keeps less than ${back.amount}`)
  if (back.amount === 0 && payment.amount.amount > 0) return payment
  const byStore = payment.collected_by === 'store_processor'
  const [refund_id = ''] = await newIds(scene, 'rfd')
  const refund: Refund = {
    refund_id,
    status: byStore ? 'pending' : 'succeeded',
    destination: destinationOf(payment, to),
    amount: back,
    reason,
    borne_by: borneBy,
    share: payment.share === null ? null : (byStore ? back.amount : 0) - lost,
    created_at: at,
    settled_at: byStore ? null : at,
  }
  const refunded = withRefunds(payment, [...payment.refunds, refund])
  await insertLatestRefund(tx, refunded)
  await updatePayment(tx, refunded)
  await record(scene, refunded, payment.status, refund)
  await postShare(tx, at, payment, { of: refund_id, share: refund.share })
  if (byStore)
    await plan(scene, { dueAt: at + REFUND_SETTLES_AFTER_MS, event: 'refund_settles' }, owner, payment)
  else await transferRefund(scene, payment, refund)
  return refunded
}

/**
 * The store's processor has paid back the refund that waited longest: all of them take the same time. A payment that waits
 * for no refund stays as it is.
 */
export async function settleRefund(
  tx: Tx,
  world: WorldSettings,
  at: number,
  resourceId: string,
): Promise<Payment> {
  await lockWorld(tx)
  const payment = await loadPayment(tx, resourceId)
  const first = payment.refunds.find(({ status }) => status === 'pending')
  if (first === undefined) return payment
  const refund: Refund = { ...first, status: 'succeeded', settled_at: at }
  const settled = withRefunds(
    payment,
    payment.refunds.map((each) => (each === first ? refund : each)),
  )
  await updateRefund(tx, refund)
  await updatePayment(tx, settled)
  await record({ tx, world, at }, settled, payment.status, refund)
  await transferRefund({ tx, world, at }, settled, refund)
  return settled
}

function withRefunds(payment: Payment, refunds: readonly Refund[]): Payment {
  return { ...payment, status: statusWithRefunds(payment, refunds), refunds }
}

/** Returns the balance of an account's wallet. Opens the wallet with its opening balance where there is none. */
export async function ensureWallet(
  tx: Tx,
  world: WorldSettings,
  at: number,
  accountId: string,
): Promise<Money> {
  await lockWorld(tx)
  const known = await lockWallet(tx, accountId)
  if (known !== undefined) return known
  const { currency } = world
  await insertWallet(tx, accountId, currency)
  const amount = { amount: OPENING_BALANCE, currency }
  await postTransfer(tx, at, {
    transaction_id: `opening:${accountId}`,
    kind: 'opening',
    resource_id: accountId,
    from: 'platform',
    to: `wallet:${accountId}`,
    amount,
  })
  return amount
}

async function authorize(
  tx: Tx,
  world: WorldSettings,
  at: number,
  { accountId, merchantId, isAtStore = false, method, token, amount }: ChargeRequest,
): Promise<{ status: 'paid' | 'unpaid'; collected_by: Collector }> {
  if (world.payments === 'declined' && (method === 'card' || method === 'wallet'))
    throw new AppError('payment_declined', `The payment by ${method} was declined: a fault on order.`, {
      hint: '`dray sandbox fault list` lists the faults of this sandbox.',
    })
  if (method === 'card') {
    const outcome = Object.hasOwn(CARDS, token ?? '') ? CARDS[token ?? ''] : undefined
    if (outcome === undefined) throw declined(token)
    // Only a store has a processor of its own.
    return merchantId === null ? { ...outcome, collected_by: 'platform' } : outcome
  }
  if (method !== 'wallet') return { status: 'unpaid', collected_by: isAtStore ? 'store' : 'platform' }
  const balance = await ensureWallet(tx, world, at, accountId)
  if (balance.currency !== amount.currency || balance.amount < amount.amount) {
    throw new AppError(
      'insufficient_funds',
      `The wallet balance is ${formatMoney(balance)}; ${formatMoney(amount)} is needed.`,
      { extra: { balance, total: amount }, hint: 'Pay by card, or order for less.' },
    )
  }
  return { status: 'paid', collected_by: 'platform' }
}

/** Throws `payment_method_not_accepted` unless `what`, such as `A booking`, is paid by one of the accepted methods. */
export function assertPaymentMethodAccepted(
  method: PaymentMethod,
  accepted: readonly PaymentMethod[],
  what: string,
): void {
  if (accepted.includes(method)) return
  const detail = `${what} must be paid by ${accepted.join(' or ')}, not by ${method}.`
  const place = { pointer: '/payment/method', detail: `method must be one of ${accepted.join(', ')}` }
  throw new AppError('payment_method_not_accepted', detail, {
    extra: { accepted_methods: accepted },
    errors: [{ ...place, code: 'invalid_enum' }],
  })
}

function declined(token: string | undefined): AppError {
  const detail =
    token === 'tok_declined'
      ? 'The card was declined.'
      : `The card was declined: its token is not a test card of this sandbox, where ${TEST_CARDS}.`
  return new AppError('payment_declined', detail, {
    hint: `Pay with another card or method. In this sandbox ${TEST_CARDS}.`,
  })
}

/** The customer's side of the ledger. */
function purse({ method, account_id }: Pick<Payment, 'method' | 'account_id'>): string {
  return `${method === 'pay_at_table' ? 'cash' : method}:${account_id}`
}

function destinationOf({ collected_by }: Payment, to: 'wallet' | 'original'): RefundDestination {
  if (collected_by === 'store_processor') return 'card_via_store_processor'
  return to === 'wallet' || collected_by === 'store' ? 'platform_wallet' : 'original_method'
}

/**
 * From where the money is to where the refund goes; what a store was handed stays there, and the platform pays
 * (docs/rules/money.md#where-a-refund-goes).
 */
async function transferRefund(
  { tx, world, at }: ChangeContext,
  payment: Payment,
  refund: Refund,
): Promise<void> {
  const { resource_id, account_id } = payment
  const toWallet = refund.destination === 'platform_wallet'
  if (toWallet) await ensureWallet(tx, world, at, account_id)
  const captured = (await listResourceLedger(tx, resource_id)).find(
    (entry) => entry.kind === 'capture' && entry.amount > 0,
  )
  await transfer(tx, at, payment, {
    kind: 'refund',
    id: refund.refund_id,
    from: payment.collected_by === 'store' ? 'platform' : (captured?.account ?? 'platform'),
    to: toWallet ? `wallet:${account_id}` : purse(payment),
    amount: refund.amount,
  })
}

async function transfer(
  tx: Tx,
  at: number,
  { resource_id }: Payment,
  { kind, id, from, to, amount }: { kind: LedgerKind; id: string; from: string; to: string; amount: Money },
): Promise<void> {
  if (amount.amount === 0) return
  await postTransfer(tx, at, { transaction_id: id, kind, resource_id, from, to, amount })
}

async function failPayment(tx: Tx, world: WorldSettings, at: number, payment: Payment): Promise<Payment> {
  const failed: Payment = { ...payment, status: 'failed' }
  await updatePayment(tx, failed)
  await record({ tx, world, at }, failed, payment.status)
  return failed
}

async function plan(
  { tx, at }: Pick<ChangeContext, 'tx' | 'at'>,
  { dueAt, event }: { dueAt: number; event: 'payment_settles' | 'refund_settles' },
  { kind, counterpartyId }: Owner,
  { resource_id, account_id }: Payment,
): Promise<void> {
  await scheduleEvents(tx, at, [
    {
      due_at: dueAt,
      kind,
      resource_id,
      owner_id: account_id,
      counterparty_id: counterpartyId ?? undefined,
      event,
      payload: {},
    },
  ])
}

async function record(
  { tx, world, at }: ChangeContext,
  payment: Payment,
  from: PaymentStatus | null,
  refund?: Refund,
): Promise<void> {
  const { payment_id, resource_id, account_id, status, amount } = payment
  await appendEvents(tx, world, at, [
    {
      type: `payment.${status}`,
      resource_id: payment_id,
      owner_id: account_id,
      occurred_at: at,
      from,
      to: status,
      by: 'system',
      data: {
        resource_id,
        amount,
        ...(refund !== undefined && { refund_id: refund.refund_id, refunded: refund.amount }),
      },
    },
  ])
}
