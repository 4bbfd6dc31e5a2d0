/** Returns a complete body of `create_shipment`; `to` changes the destination. */
export function makeParcel(
  differences: Record<string, unknown> = {},
  to: Record<string, unknown> = {},
): Record<string, unknown> {
  const parcel = {
    service_level: 'next_day',
    recipient: {
      contact: { name: 'Grace Okoro' },
      address: {
        line1: '12 Friar Street',
        city: 'Reading',
        postal_code: 'RG1 1DB',
        country_code: 'GB',
        ...to,
      },
    },
    parcel: { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 },
    ...differences,
  }
  // The JSON form, without undefined fields.
  return JSON.parse(JSON.stringify(parcel)) as Record<string, unknown>
}

/** Returns a manifest with a number of rows, each with its own reference. */
export function makeRows(
  count: number,
  prefix = 'R',
  differences: Record<string, unknown> = {},
): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) =>
    makeParcel({ reference: `${prefix}${index + 1}`, ...differences }),
  )
}
