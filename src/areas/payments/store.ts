import type { Row, Tx } from '../../core/db.ts'
import type { Money } from '../../core/money.ts'
import { nextSeq } from '../../store/counters.ts'
import type { Collector, Payment, PaymentMethod, PaymentStatus, Refund } from './rules/payment.ts'

export type LedgerKind = 'opening' | 'capture' | 'refund'

/** What one transaction moves: from one account of the ledger to another. */
export type Transfer = {
  transaction_id: string
  kind: LedgerKind
  /** The resource that was paid or paid back; the customer's own account for an opening. */
  resource_id: string
  from: string
  to: string
  amount: Money
}

export type LedgerEntry = {
  seq: number
  transaction_id: string
  /** `wallet:<account>`, `card:<account>`, `cash:<account>`, `platform`, `store:<merchant>`, `debt:<account>` or `claims`. */
  account: string
  /** Negative where it leaves. */
  amount: number
  currency: string
  kind: LedgerKind
  resource_id: string
  at: number
}

const COLUMNS = [
  'resource_id',
  'payment_id',
  'account_id',
  'method',
  'status',
  'collected_by',
  'amount',
  'currency',
  'created_at',
  'paid_at',
  'refund_id',
  'refund_status',
  'refund_destination',
  'refund_amount',
  'refund_reason',
  'refunded_at',
  'refund_settled_at',
] as const

const SELECT = `select ${COLUMNS.join(', ')} from payments`

/** The key of the table is the resource: a second payment of one is refused by the store. */
export async function insertPayment(tx: Tx, payment: Payment): Promise<void> {
  await tx.insertMany('payments', COLUMNS, [
    [
      payment.resource_id,
      payment.payment_id,
      payment.account_id,
      payment.method,
      payment.status,
      payment.collected_by,
      payment.amount.amount,
      payment.amount.currency,
      payment.created_at,
      payment.paid_at,
      ...refundValues(payment.refund),
    ],
  ])
}

/** What the columns of a refund hold, in their order. */
function refundValues(refund: Refund | null): (string | number | null)[] {
  return [
    refund?.refund_id ?? null,
    refund?.status ?? null,
    refund?.destination ?? null,
    refund?.amount.amount ?? null,
    refund?.reason ?? null,
    refund?.created_at ?? null,
    refund?.settled_at ?? null,
  ]
}

export async function findPayment(tx: Tx, resourceId: string): Promise<Payment | undefined> {
  const row = await tx.get(`${SELECT} where resource_id = $1`, resourceId)
  return row && toPayment(row)
}

/** The payment of a resource that has one. */
export async function loadPayment(tx: Tx, resourceId: string): Promise<Payment> {
  const payment = await findPayment(tx, resourceId)
  if (payment === undefined) throw new Error(`${resourceId} has no payment`)
  return payment
}

/** The payments of resources, by resource; for a page of a list. */
export async function findPayments(tx: Tx, resourceIds: readonly string[]): Promise<Map<string, Payment>> {
  if (resourceIds.length === 0) return new Map()
  const places = resourceIds.map((_, index) => `$${index + 1}`).join(', ')
  const rows = await tx.all(`${SELECT} where resource_id in (${places})`, ...resourceIds)
  return new Map(rows.map(toPayment).map((payment) => [payment.resource_id, payment]))
}

/** Writes what changes in a payment's life: its status, also in the row of its order, and its refund. */
export async function updatePayment(tx: Tx, { resource_id, ...payment }: Payment): Promise<void> {
  await tx.run(
    `update payments set status = $2, paid_at = $3, refund_id = $4, refund_status = $5, refund_destination = $6,
       refund_amount = $7, refund_reason = $8, refunded_at = $9, refund_settled_at = $10
     where resource_id = $1`,
    resource_id,
    payment.status,
    payment.paid_at,
    ...refundValues(payment.refund),
  )
  // The list of a store's orders finds them by it.
  if (resource_id.startsWith('ord_'))
    await tx.run('update orders set payment_status = $2 where order_id = $1', resource_id, payment.status)
}

/** Opens a wallet without money; false when the account has one. */
export async function insertWallet(tx: Tx, accountId: string, currency: string): Promise<boolean> {
  const inserted = await tx.insertMany(
    'wallets',
    ['account_id', 'currency', 'balance'],
    [[accountId, currency, 0]],
    { ignoreConflicts: true },
  )
  return inserted === 1
}

/** What a wallet holds, which nobody else changes until the transaction ends; undefined before it is opened. */
export async function lockWallet(tx: Tx, accountId: string): Promise<Money | undefined> {
  const row = await tx.get(
    `select currency, balance from wallets where account_id = $1 ${tx.forUpdate}`,
    accountId,
  )
  return row && { amount: Number(row['balance']), currency: String(row['currency']) }
}

/**
 * Records a transfer as the two entries of one transaction, which add up to zero, and moves the balance of the wallet
 * it touches. A wallet below zero is refused by the store.
 */
export async function postTransfer(
  tx: Tx,
  at: number,
  { transaction_id, kind, resource_id, from, to, amount: { amount, currency } }: Transfer,
): Promise<void> {
  const seq = await nextSeq(tx, at, 2)
  await tx.insertMany(
    'ledger',
    ['seq', 'transaction_id', 'account', 'amount', 'currency', 'kind', 'resource_id', 'at'],
    [
      [seq, transaction_id, from, -amount, currency, kind, resource_id, at],
      [seq + 1, transaction_id, to, amount, currency, kind, resource_id, at],
    ],
  )
  await moveWallet(tx, from, -amount)
  await moveWallet(tx, to, amount)
}

async function moveWallet(tx: Tx, account: string, amount: number): Promise<void> {
  if (!account.startsWith('wallet:')) return
  const moved = await tx.run(
    'update wallets set balance = balance + $2 where account_id = $1',
    account.slice('wallet:'.length),
    amount,
  )
  if (moved !== 1) throw new Error(`there is no ${account}`)
}

/** What was moved for a resource, in its order. */
export async function listLedger(tx: Tx, resourceId: string): Promise<LedgerEntry[]> {
  const rows = await tx.all(
    `select seq, transaction_id, account, amount, currency, kind, resource_id, at from ledger
     where resource_id = $1 order by seq`,
    resourceId,
  )
  return rows.map(toEntry)
}

/** The latest entries of one account of the ledger, newest first. */
export async function listAccountLedger(tx: Tx, account: string, limit: number): Promise<LedgerEntry[]> {
  const rows = await tx.all(
    `select seq, transaction_id, account, amount, currency, kind, resource_id, at from ledger
     where account = $1 order by seq desc limit $2`,
    account,
    limit,
  )
  return rows.map(toEntry)
}

/** What all entries of one account of the ledger add up to, in a currency. */
export async function sumLedger(tx: Tx, account: string, currency: string): Promise<number> {
  const row = await tx.get(
    'select coalesce(sum(amount), 0) as total from ledger where account = $1 and currency = $2',
    account,
    currency,
  )
  return Number(row?.['total'] ?? 0)
}

function toPayment(row: Row): Payment {
  const currency = String(row['currency'])
  return {
    payment_id: String(row['payment_id']),
    resource_id: String(row['resource_id']),
    account_id: String(row['account_id']),
    method: String(row['method']) as PaymentMethod,
    status: String(row['status']) as PaymentStatus,
    collected_by: String(row['collected_by']) as Collector,
    amount: { amount: Number(row['amount']), currency },
    created_at: Number(row['created_at']),
    paid_at: toInstant(row['paid_at']),
    refund: row['refund_id'] === null ? null : toRefund(row, currency),
  }
}

function toRefund(row: Row, currency: string): Refund {
  return {
    refund_id: String(row['refund_id']),
    status: String(row['refund_status']) as Refund['status'],
    destination: String(row['refund_destination']) as Refund['destination'],
    amount: { amount: Number(row['refund_amount']), currency },
    reason: String(row['refund_reason']),
    created_at: Number(row['refunded_at']),
    settled_at: toInstant(row['refund_settled_at']),
  }
}

function toInstant(value: Row[string] | undefined): number | null {
  return value === null || value === undefined ? null : Number(value)
}

function toEntry(row: Row): LedgerEntry {
  return {
    seq: Number(row['seq']),
    transaction_id: String(row['transaction_id']),
    account: String(row['account']),
    amount: Number(row['amount']),
    currency: String(row['currency']),
    kind: String(row['kind']) as LedgerKind,
    resource_id: String(row['resource_id']),
    at: Number(row['at']),
  }
}
