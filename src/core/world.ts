import type { Supply } from './supply.ts'

/** The settings of one store. */
export type World = {
  environment: 'sandbox'
  /** Every draw and every id derive from it; unsigned 64-bit, as decimal text. */
  seed: string
  currency: string
  timezone: string
  countryCode: string
  /** How many people there are to do what is asked for. */
  supply: Supply
}
