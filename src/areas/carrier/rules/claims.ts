/** Claims for parcels: what may be claimed, and how a claim is decided. Pure. */
import type { Money } from '../../../core/money.ts'
import type { ShipmentEventRecord } from '../queries/shipment-events.ts'
import type { ShipmentStatus } from '../states.ts'

export const CLAIM_REASONS = ['lost', 'damaged', 'contents_missing'] as const

export type ClaimReason = (typeof CLAIM_REASONS)[number]

export const CLAIM_STATUSES = ['open', 'accepted', 'rejected'] as const

/** A claim as it is stored with its parcel. Times in milliseconds. */
export type Claim = {
  claim_id: string
  reason_code: ClaimReason
  value: Money
  status: (typeof CLAIM_STATUSES)[number]
  created_at: number
  /** The time of its decision. */
  due_at: number
  decided_at: number | null
}

export const CLAIM_DAYS = 80
const DAY_MS = 86_400_000
/** Working days from a claim to its decision. */
export const DECIDED_AFTER_DAYS = 2
/** The most that an uninsured parcel is worth, in minor units. */
const UNINSURED = 5000

/** Returns the highest value that may be claimed: the insured value, or that of an uninsured parcel. */
export function claimLimit({
  parcel,
  price,
}: {
  parcel: { declared_value?: Money }
  price: { total: Money }
}): Money {
  return parcel.declared_value ?? { amount: UNINSURED, currency: price.total.currency }
}

/**
 * Returns whether the carrier's own scans prove a claim (docs/rules/parcels.md#a-claim-is-proven-by-scans). A picture that a
 * sender uploads proves nothing.
 */
export function isProven(
  { reason_code }: Pick<Claim, 'reason_code'>,
  scans: readonly Pick<ShipmentEventRecord, 'code' | 'weight_grams'>[],
  { weight_grams: sent }: { weight_grams: number },
): boolean {
  if (reason_code === 'contents_missing')
    return scans.some(({ weight_grams }) => weight_grams !== undefined && weight_grams < sent)
  return scans.some(({ code }) => code === reason_code)
}

export const REJECTIONS = ['not_scanned_lost', 'not_scanned_damaged', 'not_weighed_less'] as const

/** Returns why a rejected claim was not proven; undefined for any other claim. */
export function findRejection(
  { status, reason_code }: Pick<Claim, 'status' | 'reason_code'>,
  { weight_grams }: { weight_grams: number },
): { code: (typeof REJECTIONS)[number]; detail: string } | undefined {
  if (status !== 'rejected') return undefined
  if (reason_code === 'contents_missing')
    return {
      code: 'not_weighed_less',
      detail: `No scan weighed less than the ${weight_grams} g that were sent.`,
    }
  return {
    code: `not_scanned_${reason_code}`,
    detail: `No scan by the carrier says that it is ${reason_code}.`,
  }
}

/** A parcel as callers see it, as far as claims depend on it. */
type ClaimableParcel = {
  status: ShipmentStatus
  status_detail: string
  created_at: string
  collected_at: string | null
  cancellation: { disposition: string } | null
  claims?: readonly Pick<Claim, 'status'>[] | undefined
}

/** Returns whether a claim for a parcel may still be opened: none is open or accepted, and its days are not over. */
export function mayClaim({ created_at, collected_at, claims = [] }: ClaimableParcel, now: number): boolean {
  return (
    collected_at !== null &&
    claims.every(({ status }) => status === 'rejected') &&
    now <= Date.parse(created_at) + CLAIM_DAYS * DAY_MS
  )
}

/** Returns whether a parcel is lost, cancelled since or not, and its sender has yet to claim for it. */
export function isUnclaimedLoss(parcel: ClaimableParcel, now: number): boolean {
  const { status, status_detail, cancellation } = parcel
  const isLost =
    status === 'lost' ||
    (status === 'cancelled' && (cancellation?.disposition === 'lost' || status_detail === 'lost'))
  return isLost && mayClaim(parcel, now)
}
