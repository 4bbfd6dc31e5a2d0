/** Carrier parcels. */
export const carrier: readonly string[] = []
