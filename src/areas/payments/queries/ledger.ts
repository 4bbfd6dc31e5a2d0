import type { SqlRow, Tx } from '../../../core/db.ts'
import type { Money } from '../../../core/money.ts'
import { nextSeq } from '../../../db/counters.ts'
import { defineRow, defineTable, forEachChunk, formatPlaceholders } from '../../../db/table.ts'
import { readIntegerColumn } from '../../../db/values.ts'
import type { Payment, Refund } from '../rules/payment.ts'

/** The kinds of entries that move money of customers, and those of what stores are due. */
export type MoveKind = 'opening' | 'capture' | 'refund'
export type WalletKind = MoveKind | 'goodwill'
export type LedgerKind = WalletKind | 'share' | 'payout'

/** A transfer between two ledger accounts, recorded as one transaction. */
export type Transfer = {
  transaction_id: string
  kind: LedgerKind
  /** The resource of a charge or refund; for an opening balance the customer's own account. */
  resource_id: string
  from: string
  to: string
  amount: Money
}

export type LedgerEntry = {
  seq: number
  transaction_id: string
  /** `wallet:<account>`, `card:<account>`, `cash:<account>`, `platform`, `store:<merchant>`, `payable:<merchant>`, `bank:<merchant>`,
   * `debt:<account>` or `claims`. */
  account: string
  /** Negative when money leaves the account. */
  amount: number
  currency: string
  kind: LedgerKind
  resource_id: string
  at: number
}

const toRefund = defineRow<Refund>({
  refund_id: 'text',
  status: ['text', 'refund_status'],
  destination: 'text',
  amount: { from: defineRow<Money>({ amount: ['integer', 'refund_amount'], currency: 'text' }) },
  reason: 'text',
  borne_by: 'text or null',
  share: ['integer or null', 'refund_share'],
  created_at: ['integer', 'refunded_at'],
  settled_at: ['integer or null', 'settled_at'],
})

const PAYMENTS = defineTable<Payment, 'currency'>({
  name: 'payments',
  key: 'resource_id',
  columns: {
    resource_id: 'text',
    payment_id: 'text',
    account_id: 'text',
    merchant_id: 'text or null',
    method: 'text',
    status: 'text',
    collected_by: 'text',
    amount: {
      from: defineRow<Money>({ amount: 'integer', currency: 'text' }),
      to: ({ amount }) => amount.amount,
    },
    currency: ({ amount }) => amount.currency,
    created_at: 'integer',
    paid_at: 'integer or null',
    share: 'integer or null',
    refunds: { from: () => [] },
  },
  changing: ['status', 'amount', 'paid_at', 'share'],
})

/** A payment with its refunds: a row for each of them, and one row without any. */
const WITH_REFUNDS = `select p.*, r.refund_id, r.status as refund_status, r.destination, r.amount as refund_amount, r.reason,
    r.borne_by, r.share as refund_share, r.refunded_at, r.settled_at
  from payments p left join refunds r on r.resource_id = p.resource_id`

const LEDGER = defineTable<LedgerEntry>({
  name: 'ledger',
  key: 'seq',
  columns: {
    seq: 'integer',
    transaction_id: 'text',
    account: 'text',
    amount: 'integer',
    currency: 'text',
    kind: 'text',
    resource_id: 'text',
    at: 'integer',
  },
})

const toBalance = defineRow<Money>({ amount: ['integer', 'balance'], currency: 'text' })

/** Writes a payment. The resource is the key: the database rejects a second payment of one. */
export async function insertPayment(tx: Tx, payment: Payment): Promise<void> {
  await PAYMENTS.insert(tx, [payment])
}

export async function findPayment(tx: Tx, resourceId: string): Promise<Payment | undefined> {
  return (await findPayments(tx, [resourceId])).get(resourceId)
}

/** Loads the payment of a resource that must have one. */
export async function loadPayment(tx: Tx, resourceId: string): Promise<Payment> {
  const payment = await findPayment(tx, resourceId)
  if (payment === undefined) throw new Error(`${resourceId} has no payment`)
  return payment
}

/** Returns the payments of resources, by resource, for a page of a list. */
export async function findPayments(tx: Tx, resourceIds: readonly string[]): Promise<Map<string, Payment>> {
  const rows: SqlRow[] = []
  await forEachChunk(resourceIds, async (ids) => {
    const where = `where p.resource_id in (${formatPlaceholders(ids.length)})`
    rows.push(...(await tx.all(`${WITH_REFUNDS} ${where} order by r.position`, ...ids)))
  })
  const byResource = Map.groupBy(rows, (row) => String(row['resource_id']))
  return new Map([...byResource].map(([id, each]) => [id, toPayment(each)]))
}

function toPayment(rows: readonly SqlRow[]): Payment {
  const refunds = rows.flatMap((row) => (row['refund_id'] === null ? [] : [toRefund(row)]))
  return { ...PAYMENTS.map(rows[0] ?? {}), refunds }
}

/** Writes the fields of a payment that can change, its status also in the order's row. */
export async function updatePayment(tx: Tx, payment: Payment): Promise<void> {
  const { resource_id, status } = payment
  await PAYMENTS.update(tx, payment)
  // The list of a store's orders filters by this column.
  if (resource_id.startsWith('ord_'))
    await tx.run('update orders set payment_status = $2 where order_id = $1', resource_id, status)
}

/** Adds the latest refund of a payment. The database rejects two of one position. */
export async function insertLatestRefund(
  tx: Tx,
  { resource_id, merchant_id, refunds }: Payment,
): Promise<void> {
  const refund = refunds.at(-1)
  if (refund === undefined) throw new Error(`${resource_id} has no refund`)
  const { refund_id, status, destination, amount, reason, borne_by, share, created_at, settled_at } = refund
  await tx.run(
    `insert into refunds (refund_id, resource_id, position, merchant_id, status, destination, amount, reason, borne_by, share,
       refunded_at, settled_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    refund_id,
    resource_id,
    refunds.length,
    merchant_id,
    status,
    destination,
    amount.amount,
    reason,
    borne_by,
    share,
    created_at,
    settled_at,
  )
}

/** Writes that a refund has come to its end. */
export async function updateRefund(tx: Tx, { refund_id, status, settled_at }: Refund): Promise<void> {
  await tx.run(
    'update refunds set status = $2, settled_at = $3 where refund_id = $1',
    refund_id,
    status,
    settled_at,
  )
}

/** Opens an empty wallet; returns false when the account has one. */
export async function insertWallet(tx: Tx, accountId: string, currency: string): Promise<boolean> {
  const inserted = await tx.insertMany(
    'wallets',
    ['account_id', 'currency', 'balance'],
    [[accountId, currency, 0]],
    { ignoreConflicts: true },
  )
  return inserted === 1
}

/** Locks a wallet and returns its balance; undefined before it is opened. */
export async function lockWallet(tx: Tx, accountId: string): Promise<Money | undefined> {
  const row = await tx.get(
    `select currency, balance from wallets where account_id = $1 ${tx.forUpdate}`,
    accountId,
  )
  return row && toBalance(row)
}

/**
 * Records a transfer as two entries of one transaction that add up to zero, and changes the balance of the wallet in
 * it. The database rejects a negative balance.
 */
export async function postTransfer(
  tx: Tx,
  at: number,
  { transaction_id, kind, resource_id, from, to, amount: { amount, currency } }: Transfer,
): Promise<void> {
  const seq = await nextSeq(tx, at, 2)
  const entry = { transaction_id, currency, kind, resource_id, at }
  await LEDGER.insert(tx, [
    { ...entry, seq, account: from, amount: -amount },
    { ...entry, seq: seq + 1, account: to, amount },
  ])
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

/** Returns the ledger entries of a resource, oldest first. */
export async function listResourceLedger(tx: Tx, resourceId: string): Promise<LedgerEntry[]> {
  return LEDGER.list(tx, 'where resource_id = $1 order by seq', resourceId)
}

/** Returns the latest entries of a customer's wallet or debt, newest first. */
export async function listAccountLedger(
  tx: Tx,
  account: `wallet:${string}` | `debt:${string}`,
  limit: number,
): Promise<(LedgerEntry & { kind: WalletKind })[]> {
  const entries = await LEDGER.list(
    tx,
    'where account = $1 order by at desc, seq desc limit $2',
    account,
    limit,
  )
  // No share or payout is of a customer.
  return entries as (LedgerEntry & { kind: WalletKind })[]
}

/** Returns the sum of all entries of a ledger account in a currency. */
export async function sumLedger(tx: Tx, account: string, currency: string): Promise<number> {
  const row = await tx.get(
    'select coalesce(sum(amount), 0) as total from ledger where account = $1 and currency = $2',
    account,
    currency,
  )
  return readIntegerColumn(row, 'total')
}
