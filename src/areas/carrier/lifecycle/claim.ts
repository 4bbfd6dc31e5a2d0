/** The life of a claim: it is opened, and decided by what the scans prove by then. */
import { AppError } from '../../../core/errors.ts'
import { type Money, formatGroupedMoney } from '../../../core/money.ts'
import { resolveLocalTime, localDate } from '../../../core/time.ts'
import { addWorkingDays } from '../../../core/working-days.ts'
import { newIds } from '../../../db/counters.ts'
import type { Transition, ChangeContext } from '../../../db/lifecycle.ts'
import { insertInvoiceCharges } from '../queries/invoice-lines.ts'
import { listScans } from '../queries/scans.ts'
import type { ShipmentRecord } from '../queries/shipments.ts'
import {
  type Claim,
  CLAIM_DAYS,
  claimLimit,
  type ClaimReason,
  DECIDED_AFTER_DAYS,
  findRejection,
  isProven,
} from '../rules/claims.ts'
import { listCredits } from '../rules/invoice.ts'

const DAY_MS = 86_400_000

/**
 * Opens a claim for a locked parcel, and returns it last of the parcel's claims, with the move to enter. Throws
 * `claim_not_allowed`, `amount_too_large` or `currency_mismatch`.
 */
export async function openClaim(
  { tx, world, at }: ChangeContext,
  shipment: ShipmentRecord,
  { reason_code, value }: { reason_code: ClaimReason; value: Money },
): Promise<{ claim: Claim; move: ClaimMove }> {
  const { doc } = shipment
  assertClaimable(shipment, reason_code, at)
  assertValue(claimLimit(doc), value)
  const [claim_id = ''] = await newIds({ tx, world, at }, 'clm')
  const day = addWorkingDays(localDate(at, doc.timezone), DECIDED_AFTER_DAYS)
  const due_at = resolveLocalTime(day, '12:00', doc.timezone)
  const dates = { created_at: at, due_at, decided_at: null }
  const claim: Claim = { claim_id, reason_code, value, status: 'open', ...dates }
  doc.claims = [...(doc.claims ?? []), claim]
  return {
    claim,
    move: { by: 'shipper', eventName: 'claim_opened', next: { event: 'claim_decided', due_at } },
  }
}

/** Decides the open claim of a locked parcel, by the scans until now. */
export async function decideClaim(
  { tx, at }: ChangeContext,
  shipment: ShipmentRecord,
): Promise<ClaimMove | undefined> {
  const { doc } = shipment
  const claim = doc.claims?.find(({ status }) => status === 'open')
  if (claim === undefined) return undefined
  const scans = await listScans(tx, shipment, 0, doc.sequence)
  claim.status = isProven(claim, scans, doc.parcel) ? 'accepted' : 'rejected'
  claim.decided_at = at
  if (claim.status === 'accepted')
    await insertInvoiceCharges(
      tx,
      at,
      listCredits(shipment).map((charge) => [shipment, charge]),
    )
  return {
    by: 'carrier',
    eventName: `claim_${claim.status}`,
    reason: findRejection(claim, doc.parcel)?.code,
  }
}

type ClaimMove = Transition<never, 'shipper' | 'carrier', 'claim_decided'>

function assertClaimable(shipment: ShipmentRecord, reason: ClaimReason, at: number): void {
  const { tracking_number, status, created_at, doc } = shipment
  const living = doc.claims?.find((claim) => claim.status !== 'rejected')
  const detail =
    living !== undefined
      ? `${tracking_number} has a claim already: ${living.claim_id} is ${living.status}.`
      : doc.collected_at === null
        ? `${tracking_number} is ${status}: the carrier never had it.`
        : at > created_at + CLAIM_DAYS * DAY_MS
          ? `${tracking_number} was created more than ${CLAIM_DAYS} days ago.`
          : reason === 'lost' &&
              doc.status_detail !== 'lost' &&
              (status === 'delivered' || doc.status_detail === 'returned')
            ? `${tracking_number} is not lost: it is ${doc.status_detail}.`
            : undefined
  if (detail === undefined) return
  throw new AppError('claim_not_allowed', detail, { extra: { current_status: status } })
}

function assertValue(limit: Money, value: Money): void {
  const pointer = '/value'
  if (value.currency !== limit.currency) {
    const detail = `The value must be in ${limit.currency}, like the price.`
    throw new AppError('currency_mismatch', detail, {
      errors: [{ pointer: '/value/currency', code: 'invalid_format', detail }],
    })
  }
  if (value.amount <= limit.amount) return
  const detail = `At most ${formatGroupedMoney(limit)} can be claimed for this parcel.`
  throw new AppError('amount_too_large', detail, {
    errors: [{ pointer, code: 'out_of_range', detail }],
  })
}
