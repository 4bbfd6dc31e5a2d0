import type { Point } from './geometry.ts'

/**
 * The shape of a country in a request: a code of two or three letters or an English name, in either case. The gateway
 * turns it into alpha-2.
 */
export const COUNTRY_PATTERN = '^\\D{2,80}$'

/** A postal address, as its sender typed it (docs/rules/time-and-places.md#an-address-is-kept-as-typed). */
export type Address = {
  line1: string
  line2?: string
  city: string
  region?: string
  postal_code: string
  /** ISO 3166-1 alpha-2. */
  country_code: string
  location?: Point
  access_notes?: string
}

export type Contact = {
  name: string
  /** E.164. */
  phone?: string
  email?: string
}

/** A sender or a recipient, with contact and address. */
export type ShipmentParty = { contact: Contact; address: Address; company?: string }
