/** What a call that was carried out before has made or changed, as it is now. */
import type { CallResult, Client } from '../client/client.ts'
import { findOwnItem } from '../client/own-items.ts'
import { unlessHidden } from '../client/unless.ts'
import { AppError, ERRORS } from '../core/errors.ts'
import { RESOURCES } from '../generated/resources.ts'
import type { Called } from './guarded.ts'

type Row = Readonly<Record<string, unknown>>

/** The thing as it is now: its members, `gone` once it was cancelled or deleted, undefined where nobody may look at it. */
type Now = Row | 'gone' | undefined

/** How the things are seen that no read shows as the call answered with them. */
const LOOKS: Readonly<Record<string, (client: Client, first: Row) => Promise<Now>>> = {
  create_return: async (client, first) => {
    const parcel = await read(client, 'get_shipment', { tracking_number: first['tracking_number'] })
    return parcel === 'gone' || parcel?.['status'] === 'cancelled' ? 'gone' : first
  },
  create_claim: async (client, first) => {
    const parcel = await read(client, 'get_shipment', { tracking_number: first['tracking_number'] })
    if (parcel === 'gone' || parcel === undefined) return undefined
    const claims = (parcel['claims'] ?? []) as readonly Row[]
    return claims.find(({ claim_id }) => claim_id === first['claim_id'])
  },
  create_catalog_item: async (client, first) =>
    unlessHidden(
      findOwnItem(client, String(first['item_id'])).then((item) => item ?? 'gone'),
      undefined,
    ),
  create_webhook_endpoint: endpointNow,
  rotate_webhook_secret: endpointNow,
}

/** The secret is shown once; the rest is as it is now. */
async function endpointNow(client: Client, first: Row): Promise<Now> {
  const endpoint = await read(client, 'get_webhook_endpoint', { endpoint_id: first['endpoint_id'] })
  return typeof endpoint === 'object' ? { ...first, ...endpoint } : endpoint
}

/**
 * Returns the answer of a call that was carried out before with the thing as it is now; `gone` for a call that makes a thing
 * which was cancelled or deleted since, so that the same call makes another; the first answer where nobody may look.
 */
export async function answerNow(
  client: Client,
  { name, look, repetition }: Called['tool'],
  first: CallResult,
): Promise<CallResult | 'gone'> {
  const value = first.value as Row
  const found =
    look === undefined
      ? await LOOKS[name]?.(client, value)
      : await read(client, look.tool, { [look.by]: value[look.by] })
  if (found === undefined) return first
  if (found === 'gone' || isCancelled(name, found)) {
    if (repetition === 'makes') return 'gone'
    return found === 'gone' ? first : { ...first, value: found, isNow: true }
  }
  return { ...first, value: found, isNow: true }
}

/** Returns whether a resource was cancelled, for the call that creates it. */
function isCancelled(operation: string, { status }: Row): boolean {
  const resource = Object.values(RESOURCES).find(({ creates }) => creates.includes(operation))
  return resource?.life !== undefined && status === resource.life.cancelled
}

async function read(client: Client, operation: string, input: Row): Promise<Now> {
  try {
    return (await unlessHidden(client.call(operation, input), undefined))?.value as Row | undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // The call was carried out: that nobody can look now is no failure of it.
    return ERRORS[error.code].status === 404 ? 'gone' : undefined
  }
}
