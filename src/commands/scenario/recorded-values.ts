/** Finds values of responses that later inputs repeat, and writes references to them. */
import { isRecord } from '../../core/record.ts'

const MAX_VALUE_DEPTH = 12
const MAX_LIST_LENGTH = 100

/** An id or a tracking number is unique. Times and names can be equal by chance. */
const ID = /^(?:[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}|[A-Z]{2}\d{9}[A-Z]{2})$/

/** The quote of an amount, and the tier within it. */
type QuoteContext = { quote?: string | undefined; tier?: string | undefined }

/**
 * Returns each such value of a response with its path, as `.data[0].order_id`; prices of quotes by `priceKey`, as
 * `.total`.
 */
export function findValues(
  value: unknown,
  path = '',
  priced: QuoteContext = {},
  depth = 0,
): [path: string, value: string][] {
  if (depth > MAX_VALUE_DEPTH) return []
  if (Array.isArray(value))
    return value
      .slice(0, MAX_LIST_LENGTH)
      .flatMap((one, index) => findValues(one, `${path}[${index}]`, priced, depth + 1))
  if (!isRecord(value)) return []
  const { quote_id, tier } = value
  const within = {
    quote: typeof quote_id === 'string' ? quote_id : priced.quote,
    tier: typeof tier === 'string' ? tier : undefined,
  }
  return Object.entries(value).flatMap(([name, one]) => {
    const place = `${path}.${name}`
    if (typeof one === 'string') return ID.test(one) ? [[place, one] as [string, string]] : []
    const isPrice = name === (within.tier === undefined ? 'total' : 'fare')
    const isOwn = quote_id !== undefined || within.tier !== undefined
    if (isPrice && isOwn && isRecord(one) && 'amount' in one)
      return [[place, priceKey(one, within)] as [string, string]]
    return findValues(one, place, within, depth + 1)
  })
}

/** Returns the key of a quote's price, or of one tier's; it never looks like an id. */
function priceKey(price: Readonly<Record<string, unknown>>, { quote, tier = '' }: QuoteContext): string {
  return `price ${quote} ${tier} ${String(price['amount'])} ${String(price['currency'])}`
}

/** Returns the input as a scenario writes it: references for earlier ids, and payment tokens only of test cards. */
export function refer(
  value: unknown,
  known: ReadonlyMap<string, string>,
  member = '',
  priced: QuoteContext = {},
): unknown {
  if (Array.isArray(value)) return value.map((one) => refer(one, known, member))
  if (isRecord(value)) {
    const price = member === 'expected_total' ? known.get(priceKey(value, priced)) : undefined
    if (price !== undefined) return `\${${price}}`
    const { quote_id: quote, tier } = value as { quote_id?: string; tier?: string }
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, refer(one, known, name, { quote, tier })]),
    )
  }
  if (typeof value !== 'string') return value
  if (/token/.test(member) && !/^tok_[a-z]{1,20}$/.test(value)) return 'tok_ok'
  const place = known.get(value)
  return place === undefined ? value.replaceAll('${', () => '$${') : `\${${place}}`
}
