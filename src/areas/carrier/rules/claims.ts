/** Claims for parcels: what may be claimed, and how a claim is decided. Pure. */
import type { Money } from '../../../core/money.ts'
import type { ShipmentEventRecord } from '../store/shipment-events.ts'

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

/** Returns whether the carrier's own scans prove a claim. A picture that a sender uploads proves nothing. */
export function isProven(
  { reason_code }: Pick<Claim, 'reason_code'>,
  scans: readonly Pick<ShipmentEventRecord, 'code' | 'weight_grams'>[],
  { weight_grams: sent }: { weight_grams: number },
): boolean {
  if (reason_code === 'contents_missing')
    return scans.some(({ weight_grams }) => weight_grams !== undefined && weight_grams < sent)
  return scans.some(({ code }) => code === reason_code)
}
