/**
 * What an account owes for cancelled rides that were never paid (`contract.md` D1): due with its next ride. It is the
 * sum of an account of the ledger, which moves under the world's row only, so that no two rides pay the same balance.
 */
import { formatMoney, type Money } from '../domain/money.ts'
import type { FareLineType } from '../domain/tariff.ts'
import { AppError } from '../errors.ts'
import type { Tx } from '../store/db.ts'
import { type LedgerKind, postTransfer, sumLedger } from '../store/payments.ts'

type Debtor = { account_id: string; ride_id: string }

/** The other side of every balance. */
const CLAIMS = 'claims'

/** Returns what an account owes, in a currency. */
export async function findBalance(tx: Tx, accountId: string, currency: string): Promise<Money> {
  return { amount: Math.max(0, -(await sumLedger(tx, debtOf(accountId), currency))), currency }
}

/** Adds the fee of a ride that was cancelled and never paid to the balance of its rider. */
export async function oweFee(tx: Tx, at: number, debtor: Debtor, fee: Money): Promise<void> {
  await move(tx, at, debtor, { kind: 'opening', from: debtOf(debtor.account_id), to: CLAIMS, amount: fee })
}

/**
 * Takes the balance that a fare holds out of the account's debt. The caller holds the world's row. Throws
 * `quote_mismatch` when the account no longer owes it.
 */
export async function takeBalance(tx: Tx, at: number, debtor: Debtor, lines: Lines): Promise<void> {
  const asked = balanceIn(lines)
  if (asked === undefined) return
  const owed = await findBalance(tx, debtor.account_id, asked.currency)
  if (owed.amount < asked.amount) {
    throw new AppError(
      'quote_mismatch',
      `The quote holds a balance of ${formatMoney(asked)}, of which ${formatMoney(owed)} is still due.`,
      { extra: { balance_due: owed }, hint: 'Call quote_ride again and show the new fare.' },
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

function debtOf(accountId: string): string {
  return `debt:${accountId}`
}

async function move(
  tx: Tx,
  at: number,
  { ride_id }: Debtor,
  { kind, from, to, amount }: { kind: LedgerKind; from: string; to: string; amount: Money },
): Promise<void> {
  const resource_id = `balance:${ride_id}`
  await postTransfer(tx, at, {
    transaction_id: `${resource_id}:${kind}`,
    kind,
    resource_id,
    from,
    to,
    amount,
  })
}
