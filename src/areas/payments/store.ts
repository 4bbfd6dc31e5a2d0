import type { Tx } from '../../core/db.ts'
import type { Money } from '../../core/money.ts'
import { nextSeq } from '../../store/counters.ts'
import { defineRow, defineTable } from '../../store/table.ts'
import { toInteger } from '../../store/values.ts'
import type { Payment, Refund } from './rules/payment.ts'

export type LedgerKind = 'opening' | 'capture' | 'refund'

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
  /** `wallet:<account>`, `card:<account>`, `cash:<account>`, `platform`, `store:<merchant>`, `debt:<account>` or `claims`. */
  account: string
  /** Negative when money leaves the account. */
  amount: number
  currency: string
  kind: LedgerKind
  resource_id: string
  at: number
}

const REFUND_COLUMNS = [
  'refund_id',
  'refund_status',
  'refund_destination',
  'refund_amount',
  'refund_reason',
  'refunded_at',
  'refund_settled_at',
] as const

const toRefund = defineRow<Refund>({
  refund_id: 'text',
  status: ['text', 'refund_status'],
  destination: ['text', 'refund_destination'],
  amount: { from: defineRow<Money>({ amount: ['integer', 'refund_amount'], currency: 'text' }) },
  reason: ['text', 'refund_reason'],
  created_at: ['integer', 'refunded_at'],
  settled_at: ['integer or null', 'refund_settled_at'],
})

const PAYMENTS = defineTable<Payment, 'currency' | (typeof REFUND_COLUMNS)[number]>({
  name: 'payments',
  key: 'resource_id',
  columns: {
    resource_id: 'text',
    payment_id: 'text',
    account_id: 'text',
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
    refund: { from: (row) => (row['refund_id'] === null ? null : toRefund(row)) },
    refund_id: ({ refund }) => refund?.refund_id ?? null,
    refund_status: ({ refund }) => refund?.status ?? null,
    refund_destination: ({ refund }) => refund?.destination ?? null,
    refund_amount: ({ refund }) => refund?.amount.amount ?? null,
    refund_reason: ({ refund }) => refund?.reason ?? null,
    refunded_at: ({ refund }) => refund?.created_at ?? null,
    refund_settled_at: ({ refund }) => refund?.settled_at ?? null,
  },
  readsAll: true,
})

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

/** Writes a payment. The resource is the key: the database refuses a second payment of one. */
export async function insertPayment(tx: Tx, payment: Payment): Promise<void> {
  await PAYMENTS.insert(tx, [payment])
}

export async function findPayment(tx: Tx, resourceId: string): Promise<Payment | undefined> {
  return PAYMENTS.find(tx, resourceId)
}

/** Loads the payment of a resource that must have one. */
export async function loadPayment(tx: Tx, resourceId: string): Promise<Payment> {
  const payment = await findPayment(tx, resourceId)
  if (payment === undefined) throw new Error(`${resourceId} has no payment`)
  return payment
}

/** Returns the payments of resources, by resource, for a page of a list. */
export async function findPayments(tx: Tx, resourceIds: readonly string[]): Promise<Map<string, Payment>> {
  return PAYMENTS.findMany(tx, resourceIds)
}

/** Writes the fields of a payment that can change: its refund, and its status, also in the order's row. */
export async function updatePayment(tx: Tx, payment: Payment): Promise<void> {
  const { resource_id, status } = payment
  await tx.run(
    `update payments set status = $2, paid_at = $3, refund_id = $4, refund_status = $5, refund_destination = $6,
       refund_amount = $7, refund_reason = $8, refunded_at = $9, refund_settled_at = $10
     where resource_id = $1`,
    resource_id,
    ...PAYMENTS.valuesOf(payment, ['status', 'paid_at', ...REFUND_COLUMNS]),
  )
  // The list of a store's orders filters by this column.
  if (resource_id.startsWith('ord_'))
    await tx.run('update orders set payment_status = $2 where order_id = $1', resource_id, status)
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
 * it. The database refuses a negative balance.
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
export async function listLedger(tx: Tx, resourceId: string): Promise<LedgerEntry[]> {
  return LEDGER.list(tx, 'where resource_id = $1 order by seq', resourceId)
}

/** Returns the latest entries of a ledger account, newest first. */
export async function listAccountLedger(tx: Tx, account: string, limit: number): Promise<LedgerEntry[]> {
  return LEDGER.list(tx, 'where account = $1 order by seq desc limit $2', account, limit)
}

/** Returns the sum of all entries of a ledger account in a currency. */
export async function sumLedger(tx: Tx, account: string, currency: string): Promise<number> {
  const row = await tx.get(
    'select coalesce(sum(amount), 0) as total from ledger where account = $1 and currency = $2',
    account,
    currency,
  )
  return toInteger(row, 'total')
}
