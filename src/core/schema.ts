/** The building blocks of every area's schemas (`contract.md` A3 to A6). */
import * as Type from 'typebox'
import { COUNTRY_PATTERN } from './address.ts'
import { AppError, type FieldError } from './errors.ts'
import { MAX_AMOUNT } from './money.ts'
import type { Place } from './places/place.ts'

/** Returns the schema of an object that rejects unknown members. */
export function closed<P extends Type.TProperties>(
  properties: P,
  options: Type.TObjectOptions = {},
): Type.TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** Returns a closed object that several operations take or give. Documents show it once, by this name. */
export function named<P extends Type.TProperties>(name: string, properties: P): Type.TObject<P> {
  return closed(properties, { named: name })
}

/** Returns the schema of a value that may also be null. */
export function nullable<S extends Type.TSchema>(schema: S): Type.TUnion<[S, Type.TNull]> {
  return Type.Union([schema, Type.Null()])
}

/** Returns the schema of text for people: not blank, at most `maxLength` characters. */
export function text(
  maxLength: number,
  options: Type.TStringOptions & { description?: string } = {},
): Type.TString {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    errorMessage: 'must not be blank',
    ...options,
  })
}

/** The schema of an instant in a response. */
export const instant = Type.String({ format: 'date-time' })

export const date = Type.String({ format: 'date' })

/** Returns the schema of an instant or a date in a request. */
export function when(description: string) {
  return Type.Union([Type.String({ format: 'date-time' }), Type.String({ format: 'date' })], {
    description,
    errorMessage: 'must be a date such as 2026-11-21 or an instant such as 2026-11-21T09:00:00Z',
  })
}

export const money = named('Money', {
  amount: Type.Integer({ minimum: 0, maximum: MAX_AMOUNT, description: 'In minor units, e.g. pence' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', errorMessage: 'must be a currency code such as GBP' }),
})

/** Returns the schema of money, with a description. */

export function moneyFor(description: string) {
  return { ...money, description }
}

export const latitude = Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north' })
export const longitude = Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east' })

export const point = named('Point', { latitude, longitude })

export const countryCode = Type.String({
  pattern: COUNTRY_PATTERN,
  errorMessage: 'must be a country such as GB, GBR or United Kingdom',
  description: 'Country, as GB, GBR or United Kingdom',
})

export const postalCode = Type.String({
  minLength: 1,
  maxLength: 16,
  pattern: '^[A-Za-z0-9][A-Za-z0-9 -]*$',
  errorMessage: 'must be a postcode such as SW1A 1AA',
  description: 'Postcode',
})

export const address = named('Address', {
  line1: text(100, { description: 'Building and street' }),
  line2: Type.Optional(text(100, { description: 'Flat, floor or unit' })),
  city: text(60, { description: 'Town or city' }),
  region: Type.Optional(text(60, { description: 'County or state' })),
  postal_code: postalCode,
  country_code: countryCode,
  location: Type.Optional(point),
  access_notes: Type.Optional(text(300, { description: 'What the courier should know at the door' })),
})

export const contact = named('Contact', {
  name: text(100, { description: 'Name' }),
  phone: Type.Optional(
    Type.String({
      pattern: '^\\+[1-9]\\d{6,14}$',
      errorMessage: 'must be an international number such as +442079460123',
      description: 'Telephone, as +442079460123',
    }),
  ),
  email: Type.Optional(
    Type.String({
      maxLength: 254,
      pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
      errorMessage: 'must be an e-mail address',
      description: 'E-mail address',
    }),
  ),
})

/** The two query members of every list. */
export const paging = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Rows on a page' }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 1000, description: 'next_cursor of the page before' })),
}

/** The envelope of every list. */
export function page<S extends Type.TSchema>(row: S) {
  return closed({
    data: Type.Array(row),
    has_more: Type.Boolean(),
    next_cursor: nullable(Type.String()),
  })
}

/** The schema of an address, a point, or both (`contract.md` A5). The rules check that there is one. */
export const place = named('Place', {
  address: Type.Optional(address),
  location: Type.Optional(point),
  name: Type.Optional(text(100, { description: 'What people call it' })),
})

/** Returns an error for each place without address and point, by pointer. A name alone is not enough. */
export function placeFaults(places: Readonly<Record<string, Place>>): FieldError[] {
  return Object.entries(places)
    .filter(([, { address: written, location }]) => written === undefined && location === undefined)
    .map(([pointer]): FieldError => ({
      pointer,
      code: 'required',
      detail: `${pointer.slice(1).replace('/', ' ')} needs an address or a location`,
    }))
}

/** Throws `invalid_request` with every place that has neither address nor point. */
export function assertPlaces(places: Readonly<Record<string, Place>>): void {
  assertNoFaults(placeFaults(places))
}

export const slot = named('Slot', { starts_at: instant, ends_at: instant })

/** Throws `invalid_request` with the errors, unless there are none. */
export function assertNoFaults(errors: FieldError[]): void {
  const [first] = errors
  if (first !== undefined) throw new AppError('invalid_request', `${first.detail}.`, { errors })
}

/** The schema of the errors of a batch's row; pointers start at the row. */
export const rowErrors = Type.Optional(
  Type.Array(closed({ pointer: Type.String(), code: Type.String(), detail: Type.String() })),
)
