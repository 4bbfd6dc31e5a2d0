/** How a customer gets an order, and at which table (`contract.md` B2). */

export const FULFILLMENT_TYPES = ['delivery', 'pickup', 'dine_in'] as const
export type FulfillmentType = (typeof FULFILLMENT_TYPES)[number]
export type Table = { table_number: string; party_size: number | null }
