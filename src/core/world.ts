import type { SupplyLevel } from './supply.ts'

/** The settings of one store. */
export type WorldSettings = {
  environment: 'sandbox'
  /** The seed of every draw and every id: unsigned 64-bit, as decimal text. */
  seed: string
  currency: string
  timezone: string
  countryCode: string
  /** The number of people who can do jobs. */
  supply: SupplyLevel
  /** Set for one call where a fault of the sandbox declines its payments. */
  payments?: 'declined'
}
