import { sanitizeForTerminal } from '../../../cli/output/text.ts'
/** The store whose tickets are printed, and the station among its stations. */
import type { Client } from '../../../client/client.ts'
import { AppError } from '../../../core/errors.ts'
import { foldForSearch } from '../../../core/fold.ts'

export type TicketStore = {
  /** Undefined where the service does not tell it. */
  name: string | undefined
  /** The name as the store writes it; null for all lines. */
  station: string | null
}

/** Returns the store, and its station of that name. Throws AppError('usage') for a station that it does not have. */
export async function loadTicketStore(
  client: Client,
  { merchantId, station }: { merchantId: string | undefined; station: string | null },
): Promise<TicketStore> {
  const settings = await loadSettings(client, merchantId)
  if (station === null) return { name: settings?.name, station }
  const names = settings?.stations.map(({ name }) => name) ?? []
  const found = names.find((name) => foldForSearch(name) === foldForSearch(station))
  if (found !== undefined) return { name: settings?.name, station: found }
  const typed = JSON.stringify(sanitizeForTerminal(station.slice(0, 40)))
  throw new AppError('usage', `--station must be a station of the store, not ${typed}.`, {
    hint:
      names.length === 0
        ? 'The store has none: `dray business station add Bar --category Drinks` adds one.'
        : `Its stations are ${names.map((name) => sanitizeForTerminal(name)).join(', ')}.`,
  })
}

/** Returns the settings of the store; undefined from a service that has none. */
async function loadSettings(client: Client, merchantId: string | undefined) {
  try {
    const input = merchantId === undefined ? {} : { merchant_id: merchantId }
    return (await client.call('get_store_settings', input)).value
  } catch (error) {
    // A service from before there were settings.
    if (error instanceof AppError && error.entry.status === 404 && error.code !== 'merchant_not_found')
      return undefined
    throw error
  }
}
