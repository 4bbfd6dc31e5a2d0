/** The days within which a return is sent; then it is cancelled (docs/rules/parcels.md#a-return-lapses-after-sixty-days). */
export const RETURN_DAYS = 60
export const RETURN_MS = RETURN_DAYS * 86_400_000

/** The label of a return lies in the box, or the recipient gets a link to it. */
export const RETURN_LABELS = ['box', 'link'] as const

export type ReturnLabel = (typeof RETURN_LABELS)[number]
