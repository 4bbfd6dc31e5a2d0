/** The settings of one store that are fixed when it is created. */
export type World = {
  environment: 'sandbox'
  /** Every draw and every id derive from it; unsigned 64-bit, as decimal text. */
  seed: string
  currency: string
  timezone: string
  countryCode: string
}
