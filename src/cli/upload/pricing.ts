import type { Client } from '../../client/client.ts'
import type { Money } from '../../domain/money.ts'
import { AppError } from '../../errors.ts'
import type { ShipmentDraft } from '../manifest/parse.ts'

type Rate = { service_level: string; price: { total: Money } }

/** What a parcel would cost, why the service would refuse it, or the parcel that has its reference already. */
export type Priced = { total: Money } | { refused: AppError } | { existing: string }

const AT_ONCE = 16

/** Prices parcels with `quote_rates`, the function that creation prices with; parcels alike are asked about once. */
export async function priceParcels(
  client: Client,
  drafts: readonly ShipmentDraft[],
  defaultLevel: string,
  onProgress: (done: number) => void,
): Promise<Priced[]> {
  const asked = new Map<string, Promise<Priced>>()
  const prices: Priced[] = []
  for (let start = 0; start < drafts.length; start += AT_ONCE) {
    const chunk = drafts.slice(start, start + AT_ONCE).map(async (draft) => {
      const existing = await findExisting(client, draft.reference)
      if (existing !== undefined) return { existing }
      const input = toQuote(draft, defaultLevel)
      const key = JSON.stringify(input)
      const price = asked.get(key) ?? priceOne(client, input)
      asked.set(key, price)
      return price
    })
    prices.push(...(await Promise.all(chunk)))
    onProgress(prices.length)
  }
  return prices
}

/** The parcel that carries the reference and is not cancelled. A credential that may only create is not asked. */
async function findExisting(client: Client, reference: string): Promise<string | undefined> {
  try {
    const { value } = await client.call('list_shipments', { reference, limit: 2 })
    const { data } = value as { data: { tracking_number: string; status: string }[] }
    return data.find(({ status }) => status !== 'cancelled')?.tracking_number
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_scope') return undefined
    throw error
  }
}

async function priceOne(client: Client, input: Record<string, unknown>): Promise<Priced> {
  try {
    const { value } = await client.call('quote_rates', input)
    const [rate] = (value as { data: Rate[] }).data
    if (rate !== undefined) return { total: rate.price.total }
    return {
      refused: new AppError(
        'service_level_not_available',
        `${String(input['service_level'])} is not available there.`,
      ),
    }
  } catch (error) {
    // A refusal is about this parcel; anything else is about the whole upload.
    if (error instanceof AppError && error.entry.status === 422) return { refused: error }
    throw error
  }
}

function toQuote(
  { recipient, parcel, service_level, hub_id }: ShipmentDraft,
  defaultLevel: string,
): Record<string, unknown> {
  const { postal_code, country_code, city } = recipient.address
  return {
    to_postal_code: postal_code,
    to_country_code: country_code,
    to_city: city,
    weight_grams: parcel.weight_grams,
    length_mm: parcel.length_mm,
    width_mm: parcel.width_mm,
    height_mm: parcel.height_mm,
    service_level: service_level ?? defaultLevel,
    ...(hub_id !== undefined && { from_hub_id: hub_id }),
    ...(parcel.declared_value !== undefined && {
      declared_value_amount: parcel.declared_value.amount,
      declared_value_currency: parcel.declared_value.currency,
    }),
  }
}
