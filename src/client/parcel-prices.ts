/** The price of parcels, requested before they are sent: one call for up to 500. */
import { canonicalJson } from '../core/canonical-json.ts'
import { AppError, ERRORS } from '../core/errors.ts'
import type { ErrorCode, ProblemDetails, ProblemFieldError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import { invalidRequest } from '../core/invalid-request.ts'
import type { Money } from '../core/money.ts'
import { omitViewOptions } from '../core/views.ts'
import { SPENDING } from '../generated/spending.ts'
import type { Client } from './client.ts'

/** A row's result of `create_shipments_batch`, real or with `price_only`. */
export type RowPrice = {
  result: 'created' | 'duplicate' | 'rejected'
  total?: Money
  reason?: ProblemDetails & {
    code: string
    detail: string
    hint?: string
    errors?: { pointer: string; code: string; detail: string }[]
  }
}

export type ParcelPrices = {
  /** The sum; null when no parcel would be created. */
  total: Money | null
  counts: { created: number; duplicate: number; rejected: number }
  /** The new parcels by service level. */
  levels: { level: string; count: number; total: Money }[]
}

type Input = Readonly<Record<string, unknown>>

/**
 * Prices the input of `create_shipment` or `create_shipments_batch`. Creates nothing. Throws AppError, including the
 * one with which the service would reject a single parcel.
 */
export async function priceParcels(
  client: Pick<Client, 'call'>,
  operation: string,
  given: Input,
): Promise<ParcelPrices> {
  const spends = SPENDING[operation]
  if (spends?.how !== 'invoice') throw new Error(`${operation} sends no parcels`)
  // The price counts every row, whatever is wanted of the response.
  const input = omitViewOptions(given)
  const isSingle = operation !== spends.pricedBy
  const manifest = isSingle ? { shipments: [unnamed(input)] } : input
  const { value } = await client.call(spends.pricedBy, { ...manifest, price_only: true })
  const { price, service_level, results = [] } = value as PricedResponse
  if (price?.total !== undefined) return priceOfOne(price.total, service_level)
  const [only] = results
  if (isSingle && only?.result !== 'created') throw refusal(only)
  return sumUp(manifest, results)
}

function priceOfOne(total: Money, level = ''): ParcelPrices {
  const counts = { created: 1, duplicate: 0, rejected: 0 }
  return { total, counts, levels: [{ level, count: 1, total }] }
}

type PricedResponse = {
  price?: { total?: Money }
  service_level?: string
  results?: RowPrice[]
  price_only?: boolean
}

/** Returns the total price of the created parcels in a response; undefined when there are none. */
export function chargedFor(answer: unknown): Money | undefined {
  const { price, results = [], price_only } = answer as PricedResponse
  if (price_only === true) return undefined
  if (price !== undefined) return price.total
  return sumPrices(results.flatMap(({ result, total }) => (result === 'created' && total ? [total] : [])))
}

/**
 * Gives a parcel a new reference, which a manifest requires. The parcel's own may be in use already; the service
 * checks that when the parcel is sent.
 */
function unnamed(parcel: Input): Input {
  return { ...parcel, reference: `price ${sha256Hex(canonicalJson(parcel)).slice(0, 32)}` }
}

function sumUp(
  { shipments, default_service_level: usual }: Input,
  results: readonly RowPrice[],
): ParcelPrices {
  const rows = shipments as Input[]
  const count = (kind: RowPrice['result']): number => results.filter(({ result }) => result === kind).length
  const priced = results.flatMap(({ result, total }, at) =>
    result === 'created' && total !== undefined
      ? [{ level: String(rows[at]?.['service_level'] ?? usual), total }]
      : [],
  )
  if (priced.length < count('created')) throw unknownPrice()
  const levels = [...Map.groupBy(priced, ({ level }) => level)].map(([level, parcels]) => ({
    level,
    count: parcels.length,
    total: sumPrices(parcels.map(({ total }) => total)) as Money,
  }))
  return {
    total: sumPrices(priced.map(({ total }) => total)) ?? null,
    counts: { created: count('created'), duplicate: count('duplicate'), rejected: count('rejected') },
    levels,
  }
}

/** Returns the sum of amounts; undefined for none. Throws AppError('invalid_response') for several currencies. */
export function sumPrices(amounts: readonly Money[]): Money | undefined {
  const [first] = amounts
  if (first === undefined) return undefined
  if (amounts.some(({ currency }) => currency !== first.currency)) throw unknownPrice()
  return { amount: amounts.reduce((sum, { amount }) => sum + amount, 0), currency: first.currency }
}

function unknownPrice(): AppError {
  return new AppError('invalid_response', 'The server returned no parcel prices. Nothing was sent.')
}

/** Returns the error with which `create_shipment` would reject the parcel. */
function refusal(row: RowPrice | undefined): AppError {
  if (row?.reason === undefined) return unknownPrice()
  const { code, detail, errors = [], hint, ...extra } = row.reason
  if (!Object.hasOwn(ERRORS, code)) return invalid(errors)
  return new AppError(code as ErrorCode, detail, {
    errors: errors as ProblemFieldError[],
    extra,
    ...(hint !== undefined && { hint }),
  })
}

/** Returns the error of an invalid row, worded like that of an invalid request. */
function invalid(errors: readonly { detail: string }[]): AppError {
  return invalidRequest(errors as ProblemFieldError[], 'The parcel does not fit')
}
