/** The building blocks of every area's schemas. */
import * as Type from 'typebox'
import { COUNTRY_PATTERN } from './address.ts'
import { type CeilingName, ceilingOf } from './ceilings.ts'
import { AppError, type ProblemFieldError } from './errors.ts'
import { MARKET_CURRENCY } from './market.ts'
import { MAX_AMOUNT, formatGroupedMoney } from './money.ts'
import { type Place, PRECISIONS } from './places/place.ts'

/** Returns the schema of an object that rejects unknown members (docs/rules/requests.md#unknown-fields-are-rejected). */
export function strictObject<P extends Type.TProperties>(
  properties: P,
  options: Type.TObjectOptions = {},
): Type.TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** Returns a closed object that several operations take or give. Documents show it once, by this name. */
export function component<P extends Type.TProperties>(name: string, properties: P): Type.TObject<P> {
  return strictObject(properties, { named: name })
}

/** Returns the schema of a closed object that is one field, with the meaning of that field. */
export function objectField<P extends Type.TProperties>(meaning: string, properties: P): Type.TObject<P> {
  return strictObject(properties, { meaning })
}

/** Returns the schema of a value that may also be null. */
export function orNull<S extends Type.TSchema>(schema: S): Type.TUnion<[S, Type.TNull]> {
  return Type.Union([schema, Type.Null()])
}

/** Returns the schema of one field that may also be null, as `means` does. */
export function nullable<S extends Type.TSchema>(
  meaning: string,
  schema: S,
  label?: string,
): Type.TUnion<[S, Type.TNull]> {
  return Type.Union([schema, Type.Null()], { meaning, label })
}

/**
 * Returns the schema as one field uses it. Only the reference shows a `meaning`; help and agents read a `description`, too.
 * A `label` is the heading on screens, where the name of the field does not say it. An optional field is wrapped in
 * `Type.Optional` afterwards.
 */
export function describeField<S extends Type.TSchema>(meaning: string, schema: S, label?: string): S {
  return Object.assign({}, schema, { meaning }, label === undefined ? {} : { label })
}

/** Returns the schema under another label. */
export function withLabel<S extends Type.TSchema>(label: string, schema: S): S {
  return Object.assign({}, schema, { label })
}

/**
 * Marks an optional field that responses give and a request may send back with what it copies from them. Tools do not list
 * it, because no caller has to choose it.
 */
function echoed<S extends Type.TSchema>(schema: S): S {
  return Object.assign({}, schema, { echoed: true })
}

/**
 * Marks a field of responses without which an agent still does and tells the right thing: its short responses leave it out.
 * With `beside`, they leave it out where one of these fields stands beside it.
 */
export function secondaryField<S extends Type.TSchema>(schema: S, ...beside: string[]): S {
  return Object.assign({}, schema, { aside: beside.length === 0 ? true : beside })
}

/** Fields of our schemas that JSON Schema does not know. */
export const OWN_WORDS: ReadonlySet<string> = new Set([
  'aside',
  'echoed',
  'errorMessage',
  'form',
  'label',
  'meaning',
  'named',
  'writtenBy',
])

/** Those who write texts: who sells, who buys, and who drives, brings, visits or does the work. */
export type Author = 'seller' | 'customer' | 'worker'

/** Returns the schema of a text, a list or an object, with who wrote what it holds. */
export function writtenBy<S extends Type.TSchema>(author: Author, schema: S): S {
  return Object.assign({}, schema, { writtenBy: author })
}

/** Returns the schema of text for people: not blank, at most `maxLength` characters. */
export function nonBlankText(
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

/** Marks a text by which programs find things. The gateway cleans it (`normalizeIdentifier`) before it is checked. */
export const IDENTIFIER = { form: 'code' } as const

/** Returns the schema of a reference or another code in a request: not blank, at most `maxLength` characters. */
export function identifierText(maxLength: number, description: string): Type.TString {
  return nonBlankText(maxLength, { ...IDENTIFIER, description })
}

/** Returns the schema of an id in a request. */
export function idParam(description: string): Type.TString {
  return Type.String({ minLength: 1, maxLength: 60, ...IDENTIFIER, description })
}

export const nameField = Type.String({ meaning: 'Name' })
export const noteField = nullable('Note', Type.String())
export const cancellable = Type.Boolean({
  meaning: 'True if the customer can still cancel',
  label: 'Can be cancelled',
})
export const phoneMasked = Type.String({ meaning: 'Phone number, mostly masked', label: 'Phone' })

/** The schema of an instant in a response. */
export const instant = Type.String({ format: 'date-time' })

export const createdAt = describeField('Creation time', instant)
export const updatedAt = secondaryField(describeField('Time of the last change', instant))

export const date = Type.String({ format: 'date' })

/** Returns the schema of an instant or a date in a request. */
export function dateOrDateTime(description: string) {
  return Type.Union([Type.String({ format: 'date-time' }), Type.String({ format: 'date' })], {
    description,
    errorMessage: 'must be a date such as 2026-11-21 or a time such as 2026-11-21T09:00:00Z',
  })
}

/** Marks a time of a store's own records: a date means its business day. The command line reads words such as `today` so, too. */
export const BUSINESS_DAY = { form: 'business_day' } as const

/** Returns the schema of an instant or a business day in a request about a store. */
export function businessDayOrDateTime(description: string) {
  return { ...dateOrDateTime(description), ...BUSINESS_DAY }
}

export const money = component('Money', {
  amount: Type.Integer({ minimum: 0, maximum: MAX_AMOUNT, description: 'In minor units, e.g. pence' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', errorMessage: 'must be a currency code such as GBP' }),
})

/** An amount that may be below 0: a credit, or money that is owed the other way. */
export const balance = component('Balance', {
  amount: Type.Integer({ description: 'In minor units, e.g. pence; below 0 for the other direction' }),
  currency: Type.String({ description: 'Three letters (ISO 4217)' }),
})

/** Returns the schema of money, with a description. */
export function moneyField(description: string) {
  return { ...money, description }
}

/** Returns the schema of money that has a ceiling, which its description tells as money. */
export function cappedMoneyField(capped: CeilingName, description: string, more = '') {
  return moneyField(
    `${description}; at most ${formatGroupedMoney(ceilingOf(capped, MARKET_CURRENCY))}${more}`,
  )
}

export const latitude = Type.Number({ minimum: -90, maximum: 90, description: 'Latitude in degrees' })
export const longitude = Type.Number({ minimum: -180, maximum: 180, description: 'Longitude in degrees' })

export const point = component('Point', { latitude, longitude })

/** The fields of a search around a place: words for it, or its point. `resolveSearchPoint` reads them. */
export const nearParams = {
  near: Type.Optional(
    nonBlankText(200, {
      description: 'Place, store, postcode or one-line address, instead of latitude and longitude',
    }),
  ),
  latitude: Type.Optional(latitude),
  longitude: Type.Optional(longitude),
}

export const countryField = Type.String({
  pattern: COUNTRY_PATTERN,
  errorMessage: 'must be a country such as GB, GBR or United Kingdom',
  description: 'Country, such as GB',
})

export const postalCode = Type.String({
  ...IDENTIFIER,
  minLength: 1,
  maxLength: 16,
  pattern: '^[A-Za-z0-9][A-Za-z0-9 -]*$',
  errorMessage: 'must be a postcode such as SW1A 1AA',
  description: 'Postcode',
  label: 'Postcode',
})

export const address = component('Address', {
  line1: nonBlankText(100, { description: 'Building and street' }),
  line2: Type.Optional(nonBlankText(100, { description: 'Flat or unit' })),
  city: nonBlankText(60, { description: 'Town or city' }),
  region: Type.Optional(nonBlankText(60, { description: 'County or state' })),
  postal_code: postalCode,
  country_code: countryField,
  location: Type.Optional(secondaryField(echoed(describeField('Location', point)))),
  access_notes: Type.Optional(nonBlankText(300, { description: 'Notes to the courier' })),
})

export const contact = component('Contact', {
  name: nonBlankText(100, { description: 'Name' }),
  phone: Type.Optional(
    Type.String({
      ...IDENTIFIER,
      pattern: '^\\+[1-9]\\d{6,14}$',
      errorMessage: 'must be an international number such as +442079460123',
      description: 'Phone number, such as +442079460123',
    }),
  ),
  email: Type.Optional(
    Type.String({
      ...IDENTIFIER,
      maxLength: 254,
      pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
      errorMessage: 'must be an e-mail address',
      description: 'Email address',
    }),
  ),
})

/** The two query fields of every list. */
export const paginationParams = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Rows per page' })),
  cursor: Type.Optional(Type.String({ maxLength: 1000, description: 'next_cursor of the previous page' })),
}

/** The envelope of every list. */
export function paginated<S extends Type.TSchema>(row: S) {
  return strictObject({
    data: Type.Array(row, { meaning: 'Rows of this page' }),
    has_more: Type.Boolean({ meaning: 'True if more pages follow' }),
    next_cursor: nullable('Cursor for the next page; null on the last page', Type.String()),
  })
}

/** The schema of a place. The rules check that it says where. */
export const placeField = component('Place', {
  address: Type.Optional(describeField('Address', address)),
  location: Type.Optional(secondaryField(describeField('Location', point), 'address', 'name')),
  name: Type.Optional(
    nonBlankText(200, {
      description:
        'Name of the place; without address and location: a place, store, postcode or one-line address',
    }),
  ),
  precision: Type.Optional(
    echoed(Type.Enum(PRECISIONS, { meaning: 'Precision of the location; exact if the request gives one' })),
  ),
})

/** Returns an error for each place that has neither address nor point nor name, by pointer. */
export function placeErrors(places: Readonly<Record<string, Place>>): ProblemFieldError[] {
  return Object.entries(places)
    .filter(([, { address: written, location, name }]) => (written ?? location ?? name) === undefined)
    .map(([pointer]): ProblemFieldError => ({
      pointer,
      code: 'required',
      detail: `${pointer.slice(1).replace('/', ' ')} needs a name, an address or a location`,
    }))
}

/** Throws `invalid_request` with every place that has neither address nor point nor name. */
export function assertPlaces(places: Readonly<Record<string, Place>>): void {
  throwIfErrors(placeErrors(places))
}

export const slot = component('Slot', {
  starts_at: describeField('From', instant, 'Start'),
  ends_at: describeField('End time, excluded', instant),
})

/** Returns the schema of the states that a resource entered, with who caused each. */
export function statusHistory<S extends Type.TSchema, A extends Type.TSchema>(status: S, actor: A) {
  return secondaryField(
    Type.Array(
      strictObject({
        status: describeField('New status', status),
        at: describeField('Time of the change', instant),
        by: describeField('Actor', actor),
        reason: nullable('Reason', Type.String()),
      }),
      { meaning: 'Status history, oldest first' },
    ),
  )
}

/** Returns the fields that every quote has (docs/rules/quotes.md#a-confirm-does-not-repeat-its-inputs). */
export function quoteFields<Kind extends string>(kind: Kind) {
  return {
    quote_id: Type.String({ meaning: 'Quote' }),
    kind: secondaryField(Type.Literal(kind, { meaning: 'Kind' })),
    status: secondaryField(Type.Enum(['open', 'used', 'expired'] as const, { meaning: 'Status' })),
    created_at: secondaryField(createdAt),
    expires_at: describeField('Expiry time of the quote', instant),
    expires_in_seconds: secondaryField(
      Type.Integer({ minimum: 0, meaning: 'Seconds until the quote expires' }),
    ),
  }
}

/** Throws `invalid_request` with the errors, unless there are none. */
export function throwIfErrors(errors: ProblemFieldError[]): void {
  const [first] = errors
  if (first !== undefined) throw new AppError('invalid_request', `${first.detail}.`, { errors })
}

/** The schema of the errors of a batch's row; pointers start at the row. */
export const rowErrors = Type.Optional(
  Type.Array(
    strictObject({
      pointer: Type.String({ meaning: 'JSON Pointer to the value (RFC 6901)' }),
      code: Type.String({ meaning: 'Error code' }),
      detail: Type.String({ meaning: 'Description' }),
    }),
    { meaning: 'All errors in the row' },
  ),
)
