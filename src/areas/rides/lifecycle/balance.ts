/**
 * The fees that an account owes for cancelled, unpaid rides
 * (docs/rules/rides.md#an-unpaid-fee-joins-the-next-ride): due with its next ride. It is the
 * sum of an account of the ledger, which moves under the world's row only, so that no two rides pay the same balance.
 */
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import { formatMoney, type Money } from '../../../core/money.ts'
import {
  type MoveKind,
  type WalletKind,
  listAccountLedger,
  postTransfer,
  sumLedger,
} from '../../payments/queries/ledger.ts'
import type { FareLineType } from '../rules.ts'

type Debtor = { account_id: string; ride_id: string }

/** The other side of every balance. */
const CLAIMS = 'claims'

/** Before the id of a ride: its payment has entries by that id. */
const PREFIX = 'balance:'

/** Returns what an account owes, in a currency. */
export async function findBalance(tx: Tx, accountId: string, currency: string): Promise<Money> {
  return { amount: Math.max(0, -(await sumLedger(tx, debtOf(accountId), currency))), currency }
}

export type BalanceMove = {
  at: number
  /** `owed_again` when the ride that was to pay it never took place. */
  kind: 'owed' | 'paid' | 'owed_again'
  amount: Money
  /** The ride that was cancelled, or that pays for it. */
  ride_id: string
}

const KINDS: Readonly<Record<WalletKind, BalanceMove['kind']>> = {
  // Given to wallets alone.
  goodwill: 'paid',
  opening: 'owed',
  capture: 'paid',
  refund: 'owed_again',
}

/** Returns the latest fees that an account owed and paid, newest first. */
export async function listBalanceMoves(tx: Tx, accountId: string, limit: number): Promise<BalanceMove[]> {
  const entries = await listAccountLedger(tx, debtOf(accountId), limit)
  return entries.map(({ at, kind, amount, currency, resource_id }) => ({
    at,
    kind: KINDS[kind],
    amount: { amount: Math.abs(amount), currency },
    ride_id: resource_id.slice(PREFIX.length),
  }))
}

/** Adds the fee of a ride that was cancelled and never paid to the balance of its rider. */
export async function oweFee(tx: Tx, at: number, debtor: Debtor, fee: Money): Promise<void> {
  await move(tx, at, debtor, { kind: 'opening', from: debtOf(debtor.account_id), to: CLAIMS, amount: fee })
}

/**
 * Takes the balance that a fare holds out of the account's debt. The caller holds the world's row. Throws
 * `quote_mismatch` when the account no longer owes it.
 */
export async function deductBalance(tx: Tx, at: number, debtor: Debtor, lines: Lines): Promise<void> {
  const asked = balanceIn(lines)
  if (asked === undefined) return
  const owed = await findBalance(tx, debtor.account_id, asked.currency)
  if (owed.amount < asked.amount) {
    throw new AppError(
      'quote_mismatch',
      `The quote includes a balance of ${formatMoney(asked)}, of which ${formatMoney(owed)} is still due.`,
      {
        extra: { balance_due: owed, operations: ['quote_ride'] },
        hint: 'Get a new quote with quote_ride and show the new fare.',
      },
    )
  }
  await move(tx, at, debtor, { kind: 'capture', from: CLAIMS, to: debtOf(debtor.account_id), amount: asked })
}

/** Makes the balance due again that a ride held and did not pay, because it never took place. */
export async function returnBalance(tx: Tx, at: number, debtor: Debtor, lines: Lines): Promise<void> {
  const held = balanceIn(lines)
  if (held === undefined) return
  await move(tx, at, debtor, { kind: 'refund', from: debtOf(debtor.account_id), to: CLAIMS, amount: held })
}

type Lines = readonly { type: FareLineType; amount: Money }[]

function balanceIn(lines: Lines): Money | undefined {
  return lines.find(({ type }) => type === 'balance_due')?.amount
}

function debtOf(accountId: string): `debt:${string}` {
  return `debt:${accountId}`
}

async function move(
  tx: Tx,
  at: number,
  { ride_id }: Debtor,
  { kind, from, to, amount }: { kind: MoveKind; from: string; to: string; amount: Money },
): Promise<void> {
  const resource_id = `${PREFIX}${ride_id}`
  await postTransfer(tx, at, {
    transaction_id: `${resource_id}:${kind}`,
    kind,
    resource_id,
    from,
    to,
    amount,
  })
}
