import type { Client } from '../../client/client.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { Money } from '../../domain/money.ts'
import { AppError } from '../../errors.ts'
import type { ShipmentDraft } from '../manifest/parse.ts'

type Rate = { service_level: string; price: { total: Money } }

/** What a parcel would cost, why the service would refuse it, or the parcel that has its reference already: the same or another. */
export type Priced = { total: Money } | { refused: AppError } | { existing: string } | { conflicting: string }

/** What rows that name none get. */
export type Defaults = { level: string; hub: string | undefined }

type Existing = Pick<ShipmentDraft, 'recipient' | 'parcel' | 'options'> & {
  tracking_number: string
  status: string
  service_level: string
  hub_id: string
}

const AT_ONCE = 16

/** Prices parcels with `quote_rates`, the function that creation prices with; parcels alike are asked about once. */
export async function priceParcels(
  client: Client,
  drafts: readonly ShipmentDraft[],
  defaults: Defaults,
  onProgress: (done: number) => void,
): Promise<Priced[]> {
  const asked = new Map<string, Promise<Priced>>()
  const prices: Priced[] = []
  for (let start = 0; start < drafts.length; start += AT_ONCE) {
    const chunk = drafts.slice(start, start + AT_ONCE).map(async (draft) => {
      const existing = await findExisting(client, draft.reference)
      if (existing !== undefined) {
        const { tracking_number } = existing
        return isSame(draft, existing, defaults)
          ? { existing: tracking_number }
          : { conflicting: tracking_number }
      }
      const input = toQuote(draft, defaults)
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
async function findExisting(client: Client, reference: string): Promise<Existing | undefined> {
  try {
    const { value } = await client.call('list_shipments', { reference, limit: 2 })
    return (value as { data: Existing[] }).data.find(({ status }) => status !== 'cancelled')
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_scope') return undefined
    throw error
  }
}

/** Whether the service would take the draft for the parcel that is there: it keeps what it was sent. */
function isSame(draft: ShipmentDraft, existing: Existing, defaults: Defaults): boolean {
  const content = ({ recipient, parcel, options }: Pick<ShipmentDraft, 'recipient' | 'parcel' | 'options'>) =>
    canonicalJson({ recipient, parcel, options: { signature_required: false, ...options } })
  return (
    content(draft) === content(existing) &&
    (draft.service_level ?? defaults.level) === existing.service_level &&
    [undefined, existing.hub_id].includes(draft.hub_id ?? defaults.hub)
  )
}

async function priceOne(client: Client, input: Record<string, unknown>): Promise<Priced> {
  try {
    const { value } = await client.call('quote_rates', input)
    const [rate] = (value as { data: Rate[] }).data
    if (rate !== undefined) return { total: rate.price.total }
    return {
      refused: new AppError(
        'service_level_not_available',
        `${String(input['service_level'])} does not go to ${String(input['to_postal_code'])}.`,
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
  { level, hub }: Defaults,
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
    service_level: service_level ?? level,
    ...((hub_id ?? hub) !== undefined && { from_hub_id: hub_id ?? hub }),
    ...(parcel.declared_value !== undefined && {
      declared_value_amount: parcel.declared_value.amount,
      declared_value_currency: parcel.declared_value.currency,
    }),
  }
}
